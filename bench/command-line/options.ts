/** What can be asked of `npm run bench`, as a table: parsing and `--help` both read it. */

import type { BadInput } from '../../sim/scenario/bad-input.ts'
import {
  badUsage,
  optionsHelp,
  parseOptions,
  type OptionTable,
} from '../../sim/command-line/parse-options.ts'
import { columns } from '../../sim/command-line/text.ts'
import { benchmarks } from '../benchmarks/index.ts'

const optionTable = {
  only: { kind: 'list', value: 'name', help: 'this benchmark alone; repeatable' },
  quick: { kind: 'flag', help: 'everything small and once, judging nothing: does it work?' },
  compare: { kind: 'value', value: 'old.json', help: 'beside an earlier run, with ratios' },
  json: { kind: 'flag', help: 'the document alone on standard output' },
  report: { kind: 'value', value: 'folder', help: 'where the files go (reports/bench)' },
  'no-report': { kind: 'flag', help: 'write no files at all' },
  help: { kind: 'flag', help: 'this text' },
} as const satisfies OptionTable

export type Options = {
  /** Names of benchmarks; all of them where none was named. */
  readonly only: readonly string[]
  readonly quick: boolean
  readonly compare: string | null
  readonly json: boolean
  readonly report: string | null
  readonly writesFiles: boolean
  readonly help: boolean
}

/** Reads the arguments. Throws `BadInput` for anything that is not in the table. */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): Options {
  const { positionals, flag, text, list } = parseOptions({
    table: optionTable,
    args,
    env,
    command: 'bench',
  })
  const [stray] = positionals
  if (stray !== undefined) throw usageFault(stray, `an option; perhaps --only ${stray}`)
  return {
    only: list('only').map(known),
    quick: flag('quick'),
    compare: text('compare'),
    json: flag('json'),
    report: text('report'),
    writesFiles: !flag('no-report'),
    help: flag('help'),
  }
}

export function helpText(): string {
  const names = benchmarks.map(({ name, title }) => [`  ${name}`, title])
  return `${usage}${optionsHelp(optionTable)}\nBenchmarks:\n${columns(names)}${closing}`
}

const usage = `Measure what the engine, the simulator and the server cost, as ratios taken in one run.

  npm run bench -- [options]

`

const closing = `
Exit: 0 every target is met; 1 one is missed; 2 the input cannot be used; 130 interrupted.
`

function known(name: string): string {
  const names = benchmarks.map((benchmark) => benchmark.name)
  if (names.includes(name)) return name
  throw usageFault(`--only ${name}`, `one of ${names.join(', ')}`)
}

/** A fault of the command line itself: what came, and what was expected. */
export function usageFault(came: string, expected: string): BadInput {
  return badUsage('bench', came, expected)
}
