/** The options of `mergeyard bench`. */

import type { BadInput } from '../../../sim/scenario/bad-input.ts'
import {
  badUsage,
  type OptionTable,
  type ParsedOptions,
  type Usage,
} from '../../../sim/terminal/options.ts'
import { columns } from '../../../sim/terminal/text.ts'
import { benchmarks } from '../../benchmarks/index.ts'

const table = {
  only: { kind: 'list', value: 'name', help: 'run only this benchmark; repeatable' },
  quick: {
    kind: 'flag',
    help: 'run every benchmark once with small inputs, as a smoke test without targets',
  },
  compare: {
    kind: 'value',
    value: 'old.json',
    help: 'compare with the document of an earlier run, with ratios',
  },
  traces: {
    kind: 'value',
    value: 'folder',
    help: 'replay the histories of builds in this folder (CSV), for the benchmark calibration',
  },
  json: { kind: 'flag', help: 'print only the result document, as JSON, to standard output' },
  report: {
    kind: 'value',
    value: 'folder',
    help: 'write the report to this folder (default: reports/bench)',
  },
  'no-report': { kind: 'flag', help: 'write no files' },
} as const satisfies OptionTable

export type Options = {
  /** Names of benchmarks; empty means all. */
  readonly only: readonly string[]
  readonly quick: boolean
  readonly compare: string | null
  readonly traces: string | null
  readonly json: boolean
  readonly report: string | null
  readonly writesFiles: boolean
}

const names = benchmarks.map(({ name, title }) => [`  ${name}`, title])

export const usage: Usage<typeof table> = {
  command: 'bench',
  npm: 'npm run bench --',
  about: 'Measure the cost of the engine, the simulator and the server, as ratios within one run.',
  table,
  more: `Benchmarks:
${columns(names)}
Exit code: 0 all targets are met; 1 a target is missed; 2 invalid input; 130 interrupted.
`,
}

/** Converts the parsed options. Throws `BadInput` for an invalid value. */
export function readOptions({ flag, text, list }: ParsedOptions<typeof table>): Options {
  return {
    only: list('only').map(benchmarkNamed),
    quick: flag('quick'),
    compare: text('compare'),
    traces: text('traces'),
    json: flag('json'),
    report: text('report'),
    writesFiles: !flag('no-report'),
  }
}

function benchmarkNamed(name: string): string {
  const all = benchmarks.map((benchmark) => benchmark.name)
  if (all.includes(name)) return name
  throw usageFault(`--only ${name}`, `one of ${all.join(', ')}`)
}

/** Returns the error for an invalid command line of `mergeyard bench`. */
export function usageFault(actual: string, expected: string): BadInput {
  return badUsage('bench', actual, expected)
}
