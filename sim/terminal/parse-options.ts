/** Parses the arguments of a command according to its table of options. */

import { parseArgs } from 'node:util'
import { BadInput } from '../scenario/bad-input.ts'
import { type OptionTable, type Usage, operandsText, optionText } from './option-table.ts'

type NameOf<Table> = keyof Table & string

type NameWithDefault<Table> = {
  [Name in NameOf<Table>]: Table[Name] extends { readonly default: string } ? Name : never
}[NameOf<Table>]

/** The parsed options of a command, by their names in the table. */
export type ParsedOptions<Table extends OptionTable> = {
  readonly operands: readonly string[]
  /** True for `--help`. Then the other options are not checked. */
  readonly isHelp: boolean
  readonly flag: (name: NameOf<Table>) => boolean
  /** The option, else its non-empty variable, else the default, else null. */
  readonly text: (name: NameOf<Table>) => string | null
  /** Like `text`, for an option that has a default. */
  readonly value: (name: NameWithDefault<Table>) => string
  readonly list: (name: NameOf<Table>) => readonly string[]
  /** True if the option or its variable is set. */
  readonly isGiven: (name: NameOf<Table>) => boolean
  /** Returns the error for an invalid value. It names the source of the value: option or variable. */
  readonly fault: (name: NameOf<Table>, expected: string) => BadInput
}

/**
 * Parses the arguments. Throws `BadInput` for an option that is not in the table, too few or too many
 * operands, an option that npm consumed, and an empty value for an option with a default.
 */
export function parseOptions<Table extends OptionTable>(
  usage: Usage<Table>,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): ParsedOptions<Table> {
  const { command, table } = usage
  const { values, positionals } = parseByTable(usage, args)
  const optionOf = (name: string): string | null => {
    const value = values[name]
    return typeof value === 'string' ? value : null
  }
  const variableOf = (name: string): string | null => {
    const variable = table[name]?.variable
    const value = variable === undefined ? undefined : env[variable]
    // Many tools set a variable to the empty string to mean that it is not set.
    return value === undefined || value === '' ? null : value
  }
  const text = (name: string): string | null =>
    optionOf(name) ?? variableOf(name) ?? table[name]?.default ?? null
  const parsed: ParsedOptions<Table> = {
    operands: positionals,
    isHelp: values['help'] === true,
    flag: (name) => values[name] === true,
    text,
    value: (name) => text(name) ?? '',
    list: (name) => {
      const value = values[name]
      return Array.isArray(value) ? value.map(String) : []
    },
    isGiven: (name) => values[name] !== undefined || variableOf(name) !== null,
    fault: (name, expected) => {
      const { isSecret, variable = '' } = table[name] ?? {}
      const option = optionOf(name)
      const value = isSecret === true ? 'another value, not repeated here' : null
      if (option !== null) return badUsage(command, `--${name} ${value ?? shown(option)}`, expected)
      const actual = value ?? shown(variableOf(name) ?? '')
      return new BadInput(command, [{ where: variable, expected, actual }])
    },
  }
  if (parsed.isHelp) return parsed
  refuseSwallowed(usage, { args, values, env })
  refuseEmpty(usage, parsed, optionOf)
  refuseOperands(usage, positionals)
  return parsed
}

/** Returns the error for an invalid command line. */
export function badUsage(command: string, actual: string, expected: string): BadInput {
  return new BadInput(command, [{ where: 'command line', expected, actual }])
}

/** Formats a value for an error message, on one line. */
function shown(text: string): string {
  return /^[!-~]+$/.test(text) ? text : JSON.stringify(text)
}

function parseByTable(
  { table, command }: Usage,
  args: readonly string[],
): ReturnType<typeof parseArgs> {
  const options = Object.fromEntries(
    Object.entries(table).map(([name, { kind }]) => [
      name,
      {
        type: kind === 'flag' ? ('boolean' as const) : ('string' as const),
        multiple: kind === 'list',
      },
    ]),
  )
  const help = { type: 'boolean', short: 'h' } as const
  try {
    return parseArgs({
      args: withNegatives(args, table),
      options: { ...options, help },
      allowPositionals: true,
    })
  } catch (error) {
    throw faultOfParsing({ table, command }, error instanceof Error ? error.message : String(error))
  }
}

/**
 * Joins a negative number to the option before it. `parseArgs` takes `-3` for an option, and the user
 * would be told about a missing value.
 */
function withNegatives(args: readonly string[], table: OptionTable): string[] {
  const joined: string[] = []
  for (const arg of args) {
    const before = joined.at(-1) ?? ''
    const entry = before.startsWith('--') ? table[before.slice(2)] : undefined
    const takesValue = entry !== undefined && entry.kind !== 'flag'
    if (takesValue && /^-\d/.test(arg)) joined[joined.length - 1] = `${before}=${arg}`
    else joined.push(arg)
  }
  return joined
}

/** Converts an error message of `parseArgs` to a `BadInput`. It never repeats a value. */
function faultOfParsing(
  { table, command }: Pick<Usage, 'table' | 'command'>,
  reason: string,
): BadInput {
  const [, option = reason] = /'(-[^' ,]+)/.exec(reason) ?? []
  const name = option.replace(/^-+/, '')
  const entry = Object.hasOwn(table, name) ? table[name] : undefined
  if (entry && entry.kind !== 'flag') {
    return badUsage(command, `--${name} without a value`, optionText(name, entry))
  }
  const isKnown = entry !== undefined || name === 'help' || option === '-h'
  if (isKnown) return badUsage(command, `${option} with a value`, `${option} without a value`)
  return badUsage(command, option, 'an option that --help lists')
}

/** Rejects empty values: an empty host, for example, would mean every address of the machine. */
function refuseEmpty<Table extends OptionTable>(
  { table, command }: Usage,
  { isGiven }: ParsedOptions<Table>,
  optionOf: (name: string) => string | null,
): void {
  for (const [name, entry] of Object.entries(table)) {
    if (entry.default === undefined || !isGiven(name) || optionOf(name) !== '') continue
    throw badUsage(command, `--${name} ""`, `${optionText(name, entry)}, or no --${name}`)
  }
}

function refuseOperands({ operands, command }: Usage, actual: readonly string[]): void {
  const { least = 0, most = 0 } = operands ?? {}
  if (actual.length >= least && actual.length <= most) return
  const surplus = JSON.stringify(actual.slice(most).join(' '))
  if (!operands) throw badUsage(command, surplus, 'options only')
  const expected = operandsText(operands)
  if (actual.length === 0) throw badUsage(command, 'nothing', expected)
  if (actual.length < least) throw badUsage(command, `only ${shown(actual.join(' '))}`, expected)
  throw badUsage(command, `also ${surplus}`, `only ${expected}`)
}

// Detects options that npm consumed. npm consumes options before `--` and leaves only a variable in
// the environment. Without the check, the command would silently ignore an option of the user.

type ParsedArguments = {
  readonly args: readonly string[]
  /** The options that reached the command, by name. */
  readonly values: Readonly<Record<string, unknown>>
  readonly env: NodeJS.ProcessEnv
}

/** Throws `BadInput` if npm consumed an option. The message contains the corrected command. */
function refuseSwallowed(
  { table, command, npm }: Usage,
  { args, values, env }: ParsedArguments,
): void {
  // The message omits the arguments if a secret is among them. npm may leave it behind as an operand.
  const hasSecret = Object.entries(table).some(
    ([name, { isSecret }]) => isSecret && (values[name] !== undefined || isLeftByNpm(name, env)),
  )
  for (const [name, entry] of Object.entries(table)) {
    if (values[name] !== undefined || !isLeftByNpm(name, env)) continue
    const corrected = [npm, ...(hasSecret ? ['...'] : args), optionText(name, entry)].join(' ')
    const expected = `a "--" before the options: ${corrected}`
    throw new BadInput(command, [
      { where: 'command line', expected, actual: `--${name}, consumed by npm` },
    ])
  }
}

/** For `--no-report`, npm sets the variable of `report` to the empty string. */
function isLeftByNpm(name: string, env: NodeJS.ProcessEnv): boolean {
  const left = (option: string): string | undefined =>
    env[`npm_config_${option.replaceAll('-', '_')}`]
  if (name.startsWith('no-') && left(name.slice('no-'.length)) === '') return true
  return (left(name) ?? '') !== ''
}
