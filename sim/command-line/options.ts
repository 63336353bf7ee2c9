/**
 * What can be asked of `npm run sim`, as a table: parsing, `--help` and the check for options that
 * npm swallowed all read it. Source: spec "Commands".
 */

import { parseArgs } from 'node:util'
import { BadInput } from '../scenario/bad-input.ts'
import { allFeatures, featureOf, type Feature } from '../swarm/features.ts'

type OptionKind = 'flag' | 'value' | 'list'
type OptionEntry = {
  readonly kind: OptionKind
  /** What stands for the value in the help. */
  readonly value?: string
  readonly help: string
}

export const optionTable = {
  seed: { kind: 'value', value: 'n', help: "this seed instead of the file's" },
  seeds: { kind: 'value', value: 'n | a..b', help: 'seeds 1..n, or a..b, spread over the cores' },
  set: { kind: 'list', value: 'path=value', help: 'override a field of the scenario; repeatable' },
  with: {
    kind: 'list',
    value: 'feature',
    help: 'without a file: every scenario of the swarm has it; repeatable',
  },
  json: { kind: 'flag', help: 'the result document alone on standard output' },
  trace: { kind: 'value', value: 'file', help: 'every command, event and effect, a line each' },
  expand: {
    kind: 'value',
    value: 'file',
    help: 'write the scenario with every draw made explicit',
  },
  report: { kind: 'value', value: 'folder', help: 'where the report goes (reports/<scenario>)' },
  'no-report': { kind: 'flag', help: 'write no files at all' },
  why: { kind: 'value', value: 'number', help: "one pull request's story, in sentences" },
  once: { kind: 'flag', help: 'do not run it a second time to compare (for very long runs)' },
  help: { kind: 'flag', help: 'this text' },
} as const satisfies Record<string, OptionEntry>

type OptionName = keyof typeof optionTable

export type Options = {
  readonly files: readonly string[]
  readonly seeds: Seeds | null
  readonly settings: readonly string[]
  /** What every scenario of the swarm has. */
  readonly features: readonly Feature[]
  readonly json: boolean
  readonly trace: string | null
  readonly expand: string | null
  /** Where reports go; null: beside each other in `reports/`. */
  readonly report: string | null
  readonly writesFiles: boolean
  /** The pull request whose story is wanted. */
  readonly why: number | null
  readonly once: boolean
  readonly help: boolean
}

/** One seed by itself, or a range of them, both ends included. */
type Seeds =
  | { readonly kind: 'one'; readonly seed: number }
  | { readonly kind: 'range'; readonly from: number; readonly to: number }

/** Reads the arguments. Throws `BadInput` for anything that is not in the table. */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): Options {
  const { values, positionals } = parsed(args)
  refuseSwallowed(env, args)
  const text = (name: OptionName): string | null => {
    const value = values[name]
    return typeof value === 'string' ? value : null
  }
  const list = (name: OptionName): string[] => {
    const value = values[name]
    return Array.isArray(value) ? value.map(String) : []
  }
  return {
    files: positionals,
    seeds: seedsOf(text('seed'), text('seeds')),
    settings: list('set'),
    features: list('with').map(featureNamed),
    json: values['json'] === true,
    trace: text('trace'),
    expand: text('expand'),
    report: text('report'),
    writesFiles: values['no-report'] !== true,
    why: whyOf(text('why')),
    once: values['once'] === true,
    help: values['help'] === true,
  }
}

function parsed(args: readonly string[]): ReturnType<typeof parseArgs> {
  const options = Object.fromEntries(
    Object.entries(optionTable).map(([name, { kind }]) => [
      name,
      {
        type: kind === 'flag' ? ('boolean' as const) : ('string' as const),
        multiple: kind === 'list',
      },
    ]),
  )
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw usageFault(reason, 'an option that --help lists')
  }
}

/**
 * npm takes options that come before `--` for itself and only leaves a trace in the environment.
 * Running without them would answer another question than the one that was asked.
 */
function refuseSwallowed(env: NodeJS.ProcessEnv, args: readonly string[]): void {
  for (const name of Object.keys(optionTable)) {
    const value = env[`npm_config_${name.replaceAll('-', '_')}`]
    if (value === undefined || value === '' || args.includes(`--${name}`) || name === 'help')
      continue
    throw usageFault(
      `--${name} was swallowed by npm`,
      `a "--" before the options: npm run sim -- ${[...args, `--${name}`].join(' ')}`,
    )
  }
}

function featureNamed(name: string): Feature {
  const feature = featureOf(name)
  if (feature === undefined)
    throw usageFault(`--with "${name}"`, `one of ${allFeatures.join(', ')}`)
  return feature
}

function whyOf(text: string | null): number | null {
  return text === null ? null : wholeNumber('--why', text)
}

function seedsOf(seed: string | null, seeds: string | null): Seeds | null {
  if (seed !== null && seeds !== null) {
    throw usageFault('--seed and --seeds together', 'one of them')
  }
  if (seed !== null) return { kind: 'one', seed: wholeNumber('--seed', seed) }
  if (seeds === null) return null
  const [first = '', last, ...more] = seeds.split('..')
  const from = last === undefined ? 1 : wholeNumber('--seeds', first)
  const to = wholeNumber('--seeds', last ?? first)
  if (more.length > 0 || to < from) throw usageFault(`--seeds ${seeds}`, 'n, or a..b with a <= b')
  return { kind: 'range', from, to }
}

function wholeNumber(option: string, text: string): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN
  if (Number.isNaN(number)) throw usageFault(`${option} ${text}`, 'a whole number')
  return number
}

/** A fault of the command line itself: what came, and what was expected. */
export function usageFault(came: string, expected: string): BadInput {
  return new BadInput('sim', [{ where: 'command line', expected, came }])
}
