/** The options of `mergeyard tune`, and its help. */

import { defaultResubmit } from '../queues/fair-scenario.ts'
import { otherQueue, otherQueueNames } from '../queues/index.ts'
import { usualValues, type OtherQueue } from '../queues/queue.ts'
import { preferenceNames, preferences } from '../tune/figures.ts'
import { readBudget, defaultBudget } from '../tune/runner.ts'
import { freeAxis, knownAxis, knownAxisNames, otherAxis, searchedAxes } from '../tune/axes.ts'
import type { OtherToday, SearchedAxes, TuneAxis } from '../tune/axes.ts'
import {
  type QueueAddress,
  type UnprovenKind,
  unprovenKindNames,
  valuesIn,
} from '../tune/candidates.ts'
import {
  amountOf,
  overTable,
  priceSettings,
  priceTable,
  resubmitAfter,
  seedList,
} from '../../sim/cli/values.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { badUsage } from '../../server/terminal/options.ts'
import { oneOf, webAddress } from '../../server/terminal/readers.ts'
import type { ParsedOptions, OptionTable, Usage } from '../../server/terminal/options.ts'
import type { FaultOf } from '../../server/terminal/readers.ts'

/** The option `--resubmit-after` of `mergeyard tune` and `compare` (S-243). */
export const resubmitTable = {
  'resubmit-after <minutes | never>':
    "a pull request that was evicted although healthy, or that clashed, comes again after this time (default: the scenario's, else 15)",
} as const satisfies OptionTable

type ResubmitOptions = Pick<ParsedOptions<typeof resubmitTable>, 'isGiven' | 'readGiven'>

/** Returns how the option changes a scenario. Throws `BadInput` for an invalid value. */
export function resubmitting(parsed: ResubmitOptions): (scenario: Scenario) => Scenario {
  if (!parsed.isGiven('resubmit-after')) {
    return (scenario) => ({ ...scenario, resubmit: scenario.resubmit ?? defaultResubmit })
  }
  const afterMinutes = parsed.readGiven('resubmit-after', resubmitAfter)
  return ({ resubmit: _resubmit, ...scenario }) =>
    afterMinutes === null ? scenario : { ...scenario, resubmit: { afterMinutes } }
}

export const table = {
  'for <queue>': {
    help: `search the settings of this queue: mergeyard, or a model of ${otherQueueNames.join(', ')}`,
    default: 'mergeyard',
  },
  'today <name=value>...':
    "with --for: today's value of a parameter of that queue (default: its owner's default)",
  'batch <1,2,4>': 'search these batch sizes; off means no batches, 1 batches of one',
  'wait <0,5>': 'search these maximum waits for a batch to fill, in minutes',
  'concurrency <5,10>': 'search these numbers of concurrent main test runs',
  'bisection <2,5>': 'search these numbers of concurrent bisection runs',
  'depth <0,1,2>':
    'search these values of pendingFailureDepth: successors that a failure waits for',
  'optimistic <on,off>': 'search with and without optimistic merging',
  'policy <documented,adaptive>':
    'search with the rules of the interface, and with those that follow what the tests show',
  'mode <single,parallel>': 'search with one line and with lanes by impacted targets',
  'set <path=1,2>...':
    'search values of any scenario field, or with --for of a parameter of that queue; one value applies to every setting',
  'budget <2m>': {
    help: 'how much to search: the work of two cores in 90s, 2m or 1h',
    default: defaultBudget,
  },
  'seeds <n | a..b>': {
    help: 'compare the settings that are left on seeds 1..n, or a..b',
    default: '40',
  },
  'prefer <what>':
    'optimise balance, time, cost, price or safety (default: price if one is given, else balance)',
  'allow-unproven <kinds>': {
    help: `advise only settings with these merges of untested trees: all, none, or some of ${unprovenKindNames.join(',')}`,
    default: 'all',
  },
  'least-effect <percent>': { help: 'a smaller effect is no reason to change', default: '10' },
  ...resubmitTable,
  ...priceTable,
  ...overTable,
  json: 'print only the result document, as JSON, to standard output',
  'report <folder>': 'write the report to this folder (default: reports/<scenario>)',
  'no-report': 'write no files',
  'repo <host/owner/name>': 'name this repository in the printed command or configuration',
  'branch <branch>': { help: 'name this target branch there', default: 'main' },
  'server <address>': {
    help: 'name this server in the curl command',
    default: 'http://127.0.0.1:3000',
  },
} as const satisfies OptionTable

export const usage: Usage<typeof table> = {
  command: 'tune',
  npm: 'npm run tune --',
  about: `Find good settings for a queue. All settings of a grid run on the same pull requests, and then the
steps beside the best of them. The best few and today's setting are compared on other seeds. Says what
to set, what it gives, how sure that is and what it costs, or that there is no reason to change.

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

export type TuneOptions = ReturnType<typeof readTuneOptions>

type Parsed = ParsedOptions<typeof table>

/** Converts the parsed options. Throws `BadInput` for an invalid value. */
export function readTuneOptions(parsed: Parsed) {
  const { text, flag } = parsed
  const known = knownAxisNames.flatMap((name) => {
    const list = text(name)
    return list === null ? [] : [knownAxis(name, list)]
  })
  const { other, settings } = otherOptions(parsed, known)
  return {
    operands: parsed.operands,
    other,
    ...searchedAxes([...known, ...settings.map(freeAxis)]),
    seeds: parsed.read('seeds', seedList),
    budget: parsed.read('budget', readBudget),
    preference: parsed.readGiven('prefer', oneOf(preferenceNames, preferencesToName)),
    allowed: parsed.read('allow-unproven', readAllowed),
    leastPercent: parsed.read('least-effect', readPercent),
    resubmitting: resubmitting(parsed),
    prices: priceSettings(parsed),
    json: flag('json'),
    report: text('report'),
    writesFiles: !flag('no-report'),
    address: addressOf(parsed),
  }
}

const preferencesToName = 'balance, time, cost, price or safety'

function readAllowed(text: string, faultOf: FaultOf): UnprovenKind[] {
  if (text === 'all') return [...unprovenKindNames]
  if (text === 'none') return []
  const expected = `all, none, or some of ${unprovenKindNames.join(',')}`
  return text.split(',').map((each) => oneOf(unprovenKindNames, expected)(each, faultOf))
}

/** The least effect must leave room below 100 %. */
const mostPercent = 90

function readPercent(text: string, faultOf: FaultOf): number {
  const expected = `a percentage from 0 to ${mostPercent}`
  const percent = amountOf(text, () => faultOf(expected))
  if (percent > mostPercent) throw faultOf(expected)
  return percent
}

function addressOf(parsed: Parsed): QueueAddress {
  const [host = '', ...path] = (parsed.text('repo') ?? 'github.com/OWNER/REPO').split('/')
  const name = path.at(-1) ?? ''
  const owner = path.slice(0, -1).join('/')
  if (host === '' || owner === '' || name === '') {
    throw parsed.fault('repo', 'host/owner/name, for example github.com/acme/shop')
  }
  return {
    server: parsed.read('server', webAddress('http://127.0.0.1:3000')),
    repo: { host, owner, name },
    branch: parsed.value('branch'),
    isUsualBranch: !parsed.isGiven('branch'),
  }
}

// Reads the options of `mergeyard tune --for` another product's queue.

type OtherOptions = SearchedAxes & { readonly today: OtherToday }

type Read = {
  /** Null for Mergeyard's own queue. */
  readonly other: OtherOptions | null
  /** The values of --set that are of the scenario. */
  readonly settings: readonly string[]
}

/** Converts the options. Throws `BadInput` for an invalid value. */
function otherOptions(parsed: Parsed, known: readonly TuneAxis[]): Read {
  const name = parsed.read('for', oneOf(['mergeyard', ...otherQueueNames] as const))
  const [today, set] = [parsed.list('today'), parsed.list('set')]
  if (name === 'mergeyard') {
    if (today.length === 0) return { other: null, settings: set }
    throw badUsage('tune', `--today ${today.join(' ')}`, '--for another queue as well')
  }
  const queue = otherQueue(name)
  const [axis] = known
  if (axis) throw badUsage('tune', `--${axis.name} with --for ${name}`, `--set ${namesOf(queue)}`)
  if (parsed.isGiven('server')) {
    throw parsed.fault('server', `no --server with --for ${name}: only Mergeyard is set by curl`)
  }
  const own = set.filter((each) => parameterIn(queue, each) !== null)
  const searched = searchedAxes(own.map((each) => axisOf(queue, each)))
  const named = searchedAxes(today.map((each) => todayOf(queue, each)))
  const given = valuesIn({ ...named.fixed, ...searched.fixed })
  return {
    other: { today: { queue, values: { ...usualValues(queue), ...given } }, ...searched },
    settings: set.filter((each) => !own.includes(each)).map((each) => singleOf(queue, each)),
  }
}

function parameterIn({ parameters }: OtherQueue, setting: string) {
  const [name] = setting.split('=')
  return parameters.find((each) => each.name === name) ?? null
}

function axisOf(queue: OtherQueue, setting: string): TuneAxis {
  const parameter = parameterIn(queue, setting)
  if (parameter) return otherAxis(parameter, setting.slice(parameter.name.length + 1))
  throw badUsage('tune', setting, `one of ${namesOf(queue)}`)
}

function todayOf(queue: OtherQueue, setting: string): TuneAxis {
  const axis = axisOf(queue, setting)
  if (axis.values.length === 1) return axis
  throw badUsage('tune', `--today ${setting}`, 'one value')
}

/** A field of the scenario may have one value: it holds for Mergeyard and the other queue. */
function singleOf(queue: OtherQueue, setting: string): string {
  const path = setting.split('=')[0] ?? ''
  if (path.includes('.') && freeAxis(setting).values.length === 1) return setting
  throw badUsage('tune', `--set ${setting}`, `path.of.the.scenario=value, or ${namesOf(queue)}`)
}

function namesOf({ parameters }: OtherQueue): string {
  return parameters.map(({ name }) => name).join(', ')
}
