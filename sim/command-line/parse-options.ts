/** Reading arguments by a table of options, for every command: parsing, `--help`, swallowed options. */

import { parseArgs } from 'node:util'
import type { SeedRange } from '../campaign/seeds.ts'
import { BadInput } from '../scenario/bad-input.ts'
import { columns } from './text.ts'

type OptionEntry = {
  readonly kind: 'flag' | 'value' | 'list'
  /** What stands for the value in the help. */
  readonly value?: string
  readonly help: string
}

export type OptionTable = Readonly<Record<string, OptionEntry>>

/** What was given, by the names of the table. */
export type Given<Name extends string> = {
  readonly positionals: readonly string[]
  readonly flag: (name: Name) => boolean
  readonly text: (name: Name) => string | null
  readonly list: (name: Name) => readonly string[]
}

type Wish<Name extends string> = {
  readonly table: Readonly<Record<Name, OptionEntry>>
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** The script of package.json, as one would call it again. */
  readonly command: string
}

/** Reads the arguments. Throws `BadInput` for anything that is not in the table. */
export function parseOptions<Name extends string>(wish: Wish<Name>): Given<Name> {
  const { values, positionals } = parsed(wish)
  refuseSwallowed(wish)
  return {
    positionals,
    flag: (name) => values[name] === true,
    text: (name) => {
      const value = values[name]
      return typeof value === 'string' ? value : null
    },
    list: (name) => {
      const value = values[name]
      return Array.isArray(value) ? value.map(String) : []
    },
  }
}

/** The rows of `--help` that list the options. */
export function optionsHelp(table: OptionTable): string {
  const rows = Object.entries(table).map(([name, { value, help }]) => [
    `  --${name}${value === undefined ? '' : ` <${value}>`}`,
    help,
  ])
  return columns(rows)
}

function parsed({ table, args, command }: Wish<string>): ReturnType<typeof parseArgs> {
  const options = Object.fromEntries(
    Object.entries(table).map(([name, { kind }]) => [
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
    throw badUsage(command, reason, 'an option that --help lists')
  }
}

/**
 * npm takes options that come before `--` for itself and only leaves a trace in the environment.
 * Running without them would answer another question than the one that was asked.
 */
function refuseSwallowed({ table, args, env, command }: Wish<string>): void {
  for (const [name, { value }] of Object.entries(table)) {
    if (name === 'help' || args.includes(`--${name}`) || !isLeftByNpm(name, env)) continue
    const option = `--${name}${value === undefined ? '' : ` <${value}>`}`
    throw badUsage(
      command,
      `--${name} was swallowed by npm`,
      `a "--" before the options: npm run ${command} -- ${[...args, option].join(' ')}`,
    )
  }
}

/** To npm `--no-report` means no `report`: it leaves that one, empty. */
function isLeftByNpm(name: string, env: NodeJS.ProcessEnv): boolean {
  const left = (option: string): string | undefined =>
    env[`npm_config_${option.replaceAll('-', '_')}`]
  if (name.startsWith('no-') && left(name.slice('no-'.length)) === '') return true
  return (left(name) ?? '') !== ''
}

/** `200` means seeds 1 to 200, `50..99` a range, both ends included. */
export function seedRangeOf(command: string, text: string): SeedRange {
  const [first = '', last, ...more] = text.split('..')
  const from = last === undefined ? 1 : wholeNumber(command, '--seeds', first)
  const to = wholeNumber(command, '--seeds', last ?? first)
  if (more.length > 0 || to < from) {
    throw badUsage(command, `--seeds ${text}`, 'n, or a..b with a <= b')
  }
  return { from, to }
}

/** A whole number, 0 or more. Throws `BadInput` for anything else. */
export function wholeNumber(command: string, option: string, text: string): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN
  if (Number.isNaN(number)) throw badUsage(command, `${option} ${text}`, 'a whole number')
  return number
}

/** A fault of the command line itself: what came, and what was expected. */
export function badUsage(command: string, came: string, expected: string): BadInput {
  return new BadInput(command, [{ where: 'command line', expected, came }])
}
