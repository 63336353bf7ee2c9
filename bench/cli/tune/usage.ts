/** The options and the help text of `mergeyard tune`. */

import type { OptionTable, Usage } from '../../../terminal/options.ts'
import { priceTable, overTable } from '../../../sim/cli/values.ts'
import { otherQueue, otherQueueNames } from '../../queues/index.ts'
import { defaultBudget } from '../../tune/search/budget.ts'
import { preferences } from '../../tune/figures/wishes.ts'
import { unprovenKindNames } from '../../tune/settings/unproven.ts'

export const table = {
  for: {
    kind: 'value',
    value: 'queue',
    help: `search the settings of this queue: mergeyard, or a model of ${otherQueueNames.join(', ')}`,
    default: 'mergeyard',
  },
  today: {
    kind: 'list',
    value: 'name=value',
    help: "with --for: today's value of a parameter of that queue (default: its owner's default); repeatable",
  },
  batch: {
    kind: 'value',
    value: '1,2,4',
    help: 'search these batch sizes; off means no batches, 1 batches of one',
  },
  wait: {
    kind: 'value',
    value: '0,5',
    help: 'search these maximum waits for a batch to fill, in minutes',
  },
  concurrency: {
    kind: 'value',
    value: '5,10',
    help: 'search these numbers of concurrent main test runs',
  },
  bisection: {
    kind: 'value',
    value: '2,5',
    help: 'search these numbers of concurrent bisection runs',
  },
  depth: {
    kind: 'value',
    value: '0,1,2',
    help: 'search these values of pendingFailureDepth: successors that a failure waits for',
  },
  optimistic: {
    kind: 'value',
    value: 'on,off',
    help: 'search with and without optimistic merging',
  },
  policy: {
    kind: 'value',
    value: 'documented,adaptive',
    help: 'search with the rules of the interface, and with those that follow what the tests show',
  },
  mode: {
    kind: 'value',
    value: 'single,parallel',
    help: 'search with one line and with lanes by impacted targets',
  },
  set: {
    kind: 'list',
    value: 'path=1,2',
    help: 'search values of any scenario field, or with --for of a parameter of that queue; one value applies to every setting; repeatable',
  },
  budget: {
    kind: 'value',
    value: '2m',
    help: 'how much to search: the work of two cores in 90s, 2m or 1h',
    default: defaultBudget,
  },
  seeds: {
    kind: 'value',
    value: 'n | a..b',
    help: 'compare the settings that are left on seeds 1..n, or a..b',
    default: '40',
  },
  prefer: {
    kind: 'value',
    value: 'what',
    help: 'optimise balance, time, cost, price or safety (default: price if one is given, else balance)',
  },
  'allow-unproven': {
    kind: 'value',
    value: 'kinds',
    help: `advise only settings with these merges of untested trees: all, none, or some of ${unprovenKindNames.join(',')}`,
    default: 'all',
  },
  'least-effect': {
    kind: 'value',
    value: 'percent',
    help: 'a smaller effect is no reason to change',
    default: '10',
  },
  'resubmit-after': {
    kind: 'value',
    value: 'minutes | never',
    help: "an evicted healthy pull request comes again after this time (default: the scenario's, else 15)",
  },
  ...priceTable,
  'no-drop': {
    kind: 'flag',
    help: 'search in one round without dropping settings',
  },
  ...overTable,
  json: { kind: 'flag', help: 'print only the result document, as JSON, to standard output' },
  report: {
    kind: 'value',
    value: 'folder',
    help: 'write the report to this folder (default: reports/<scenario>)',
  },
  'no-report': { kind: 'flag', help: 'write no files' },
  repo: {
    kind: 'value',
    value: 'host/owner/name',
    help: 'name this repository in the printed curl command',
  },
  branch: {
    kind: 'value',
    value: 'branch',
    help: 'name this target branch in the curl command',
    default: 'main',
  },
  server: {
    kind: 'value',
    value: 'address',
    help: 'name this server in the curl command',
    default: 'http://127.0.0.1:3000',
  },
} as const satisfies OptionTable

export const usage: Usage<typeof table> = {
  command: 'tune',
  npm: 'npm run tune --',
  about: `Find good settings for a queue. Searches all that a maintainer can set by successive halving: all
settings run on the same few pull requests, the better half on more, and so on. The last few and
today's setting are compared on other seeds. Says what to set, what it gives, how sure that is and
what it costs, or that there is no reason to change.

  mergeyard tune scenarios/startup-monorepo.json
  mergeyard tune scenarios/flaky-storm.json --allow-unproven mid-batch --budget 10m
  mergeyard tune scenarios/flaky-storm.json --depth 0,1,2 --optimistic on,off --seeds 100
  mergeyard tune scenarios/flaky-storm.json --for github --today max_entries_to_build=10`,
  operands: ['<scenario file>'],
  table,
  more: `If an axis is named with several values, only the named axes are searched. An axis with one value is
fixed for every setting, also for today's. The budget counts events of the simulation, so the same
command gives the same files on any machine. The values of --prefer:
${Object.entries(preferences)
  .map(([name, means]) => `  ${name.padEnd(9)}${means}\n`)
  .join('')}
With --for another queue, a model of it is searched under its own rules, on the scenario without what
no other queue has. The advice is its own configuration: a ruleset, a project setting, .mergify.yml,
bors.toml, or a pipeline. Mergeyard is searched as well, with the same budget and the same seeds, and
shown beside it; so the search takes twice as long. The parameters of --set and --today:
${otherQueueNames
  .map((name) => {
    const { parameters } = otherQueue(name)
    return `  ${name.padEnd(9)}${parameters.map((each) => each.name).join(', ')}\n`
  })
  .join('')}
Exit code: 0 success; 1 a property was violated; 2 invalid input; 130 interrupted.
`,
}
