/** The options and the help text of `mergeyard compare`. */

import type { OptionTable, Usage } from '../../../sim/terminal/options.ts'
import { priceTable } from '../../../sim/terminal/price-options.ts'
import { strategies } from '../../strategies/index.ts'
import { overTable } from '../../over/spread-over.ts'

export const table = {
  seeds: { kind: 'value', value: 'n | a..b', help: 'run seeds 1..n, or a..b', default: '60' },
  'resubmit-after': {
    kind: 'value',
    value: 'minutes | never',
    help: "an evicted healthy pull request comes again after this time (default: the scenario's, else 15)",
  },
  lengths: {
    kind: 'value',
    value: 'model',
    help: 'length of runs: scenario, run, constant, composition, or all for the last three',
    default: 'scenario',
  },
  best: {
    kind: 'value',
    value: 'budget | never',
    help: 'compare every queue at its best setting as well, found with this budget each, as in tune',
    default: '10s',
  },
  ...priceTable,
  set: { kind: 'list', value: 'path=value', help: 'override a field of the scenario; repeatable' },
  ...overTable,
  json: { kind: 'flag', help: 'print only the result document, as JSON, to standard output' },
  report: {
    kind: 'value',
    value: 'folder',
    help: 'report folder (default: reports/<scenario>); with several scenarios, one subfolder each',
  },
  'no-report': { kind: 'flag', help: 'write no files' },
} as const satisfies OptionTable

export const usage: Usage<typeof table> = {
  command: 'compare',
  npm: 'npm run compare --',
  about: `Compare Mergeyard with other merge queues over many seeds. All queues get the same pull requests,
run lengths and flakes. Prints which queue is best for each figure, also if that is not Mergeyard. The
report folder gets the result as compare.json and as a page with charts, compare.html.

  mergeyard compare everywhere    the proposed setting on all archetypes and histories`,
  operands: ['<scenario file...>'],
  table,
  more: `The compared queues:
${strategies.map(({ name, about }) => `  ${name.padEnd(24)}${about}\n`).join('')}
Exit code: 0 success; 2 invalid input; 130 interrupted.
`,
}
