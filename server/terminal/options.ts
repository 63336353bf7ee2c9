/** The table of options that each command declares, the parsed options, and the help text. */

import { Command, CommanderError, Option } from 'commander'
import { BadInput } from './bad-input.ts'
import { proposed } from './nearest.ts'
import type { Reader } from './readers.ts'
import { folded, withoutCredentials } from './text.ts'

/** The help of an option, and where its value comes from if it is not given. */
type OptionEntry =
  | string
  | {
      readonly help: string
      /** What the help shows in the brackets of the flags, if that has to be computed. */
      readonly value?: string
      /** The value if neither the option nor its variable is set. */
      readonly default?: string
      /** The environment variable that applies if the option is not set. */
      readonly variable?: string
      /** The value is a secret, so no message repeats it. */
      readonly isSecret?: true
    }

/** By the flags without dashes: `json`, `seed <n>`, and `set <path=value>...` for one that can be repeated. */
export type OptionTable = Readonly<Record<string, OptionEntry>>

/** `seed` of `seed <n>`. */
type NameIn<Flags> = Flags extends `${infer Name} <${string}` ? Name : Flags

/** The arguments that a command accepts, and its help text. */
export type Usage<Table extends OptionTable = OptionTable> = {
  /** The name without the program name: `sim`, `token create`. Error messages begin with it. */
  readonly command: string
  /** The command line with npm, up to the options; without it `npm run mergeyard -- <command>`. */
  readonly npm?: string
  readonly about: string
  /** Arguments without a dash, as commander writes them: `<file>`, `[file]`, `<file...>`. */
  readonly operands?: readonly string[]
  /** Every command also has `--help`, which is not in the table. */
  readonly table: Table
  /** Text below the options: examples, lists, exit codes. */
  readonly more?: string
}

type NameOf<Table> = NameIn<keyof Table & string>

type NameWithDefault<Table> = {
  [Flags in keyof Table & string]: Table[Flags] extends { readonly default: string }
    ? NameIn<Flags>
    : never
}[keyof Table & string]

/** The parsed options of a command, by their names in the table. */
export type ParsedOptions<Table extends OptionTable> = {
  readonly operands: readonly string[]
  /** The arguments ask for the help. Then the other options are not checked. */
  readonly isHelp: boolean
  readonly flag: (name: NameOf<Table>) => boolean
  /** The option, else its non-empty variable, else the default, else null. An empty option takes back its variable. */
  readonly text: (name: NameOf<Table>) => string | null
  /** Like `text`, for an option that has a default. */
  readonly value: (name: NameWithDefault<Table>) => string
  readonly list: (name: NameOf<Table>) => readonly string[]
  /** True if the option or its variable is set. */
  readonly isGiven: (name: NameOf<Table>) => boolean
  /** The names of the options that were given. */
  readonly given: readonly string[]
  /** Reads the value of an option that has a default; `reader` throws the error that it is given. */
  readonly read: <T>(name: NameWithDefault<Table>, reader: Reader<T>) => T
  /** The same of one that has no default; null if it is not given. */
  readonly readGiven: <T>(name: NameOf<Table>, reader: Reader<T>) => T | null
  /** Each value of an option that can be repeated. */
  readonly readList: <T>(name: NameOf<Table>, reader: Reader<T>) => T[]
  /** Returns the error for an invalid value. It names the source of the value: option or variable. */
  readonly fault: (name: NameOf<Table>, expected: string) => BadInput
}

/**
 * Parses the arguments. Throws `BadInput` for an option that is not in the table, too few or too many
 * operands, an option that npm consumed, and an empty value or operand.
 */
export function parseOptions<Table extends OptionTable>(
  usage: Usage<Table>,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): ParsedOptions<Table> {
  const known = knownIn(usage)
  const { command, options } = known
  const parser = parserOf(known)
  const isHelp = parse(parser, args, (error) => faultOfParsing(known, parser, error))
  const given = givenTo(parser)
  const optionOf = (name: string): string | null => {
    const value = given.get(name)
    return typeof value === 'string' ? value : null
  }
  const variableOf = (name: string): string | null => {
    const variable = options.get(name)?.variable
    const value = variable === undefined ? undefined : env[variable]
    // Many tools set a variable to the empty string to mean that it is not set.
    return value === undefined || value === '' ? null : value
  }
  const text = (name: string): string | null => {
    const value = optionOf(name) ?? variableOf(name) ?? options.get(name)?.default ?? null
    return value === '' ? null : value
  }
  const list = (name: string): string[] => {
    const value = given.get(name)
    return Array.isArray(value) ? value.map(String) : []
  }
  if (!isHelp) {
    refuseSwallowed(known, { args, given, env })
    refuseEmpty(known, { args: parser.args, given })
    refuseOpposites(known, given)
  }
  const fault = (name: string, expected: string): BadInput => {
    const { isSecret, variable = '' } = options.get(name) ?? {}
    const option = optionOf(name)
    const value = isSecret === true ? 'another value, not repeated here' : null
    if (option !== null) return badUsage(command, `--${name} ${value ?? shown(option)}`, expected)
    const actual = value ?? shown(variableOf(name) ?? '')
    return new BadInput(command, [{ where: variable, expected, actual }])
  }
  return {
    operands: parser.args,
    isHelp,
    flag: (name) => given.get(name) === true,
    text,
    value: (name) => text(name) ?? '',
    list,
    readList: (name, reader) =>
      list(name).map((value) =>
        reader(value, (expected) => badUsage(command, `--${name} ${shown(value)}`, expected)),
      ),
    given: [...given.keys()],
    isGiven: (name) => given.has(name) || variableOf(name) !== null,
    read: (name, reader) => reader(text(name) ?? '', (expected) => fault(name, expected)),
    readGiven: (name, reader) => {
      const value = text(name)
      return value === null ? null : reader(value, (expected) => fault(name, expected))
    },
    fault,
  }
}

/** Returns the error for an invalid command line. */
export function badUsage(command: string, actual: string, expected: string): BadInput {
  return new BadInput(command, [{ where: 'command line', expected, actual }])
}

/** Formats a value for an error message, on one line and without a password. */
function shown(text: string): string {
  const open = withoutCredentials(text, '...@')
  return /^[!-~]+$/.test(open) ? open : JSON.stringify(open)
}

/** Returns the text of `--help`. */
export function helpOf(usage: Usage, width: number | null): string {
  return helpText(parserOf(knownIn(usage)), width)
}

type KnownOption = Exclude<OptionEntry, string> & {
  readonly kind: 'flag' | 'value' | 'list'
  /** `--size <n>` */
  readonly flags: string
}

/** A usage with its options by name. */
type Known = Omit<Usage, 'table'> & { readonly options: ReadonlyMap<string, KnownOption> }

function knownIn({ table, ...usage }: Usage): Known {
  const options = Object.entries(table).map(([written, entry]): [string, KnownOption] => {
    const [, name = '', value, more] = /^([\w-]+)(?: <(.+)>)?(\.\.\.)?$/.exec(written) ?? []
    const said = typeof entry === 'string' ? { help: entry } : entry
    if (value === undefined) return [name, { ...said, kind: 'flag', flags: `--${name}` }]
    const kind = more === undefined ? 'value' : 'list'
    return [name, { ...said, kind, flags: `--${name} <${said.value ?? value}>` }]
  })
  return { ...usage, options: new Map(options) }
}

/** ` (VARIABLE; default value; repeatable)`; the brackets hold what the entry has. */
function inBrackets({ kind, variable, default: byDefault }: KnownOption): string {
  const parts = [
    ...(variable === undefined ? [] : [variable]),
    ...(byDefault === undefined ? [] : [`default ${byDefault}`]),
    ...(kind === 'list' ? ['repeatable'] : []),
  ]
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`
}

// What is declared to commander: the parser, the help, and the nearest option to a mistyped one. The
// environment is given to each command, so commander never reads variables, nor their defaults.

function parserOf(usage: Known): Command {
  const { command, about, operands = [], options, more = '' } = usage
  const parser = quietCommand(`mergeyard ${command}`, about, more)
  for (const operand of operands) parser.argument(operand)
  for (const [name, entry] of options) parser.addOption(declared(usage, name, entry))
  return parser.helpOption('-h, --help', 'print this text')
}

/** As wide as the texts of the commands are written, in a pipe and in every terminal that has room for it. */
const helpWidth = 100

/** Lines that are one sentence are one line, which is then folded to the width. */
const paragraphs = (text: string): string => text.replaceAll(/(?<=\S)\n(?=\S)/g, ' ')

/** A command of commander that neither writes nor ends the process. */
export function quietCommand(name: string, about: string, more: string): Command {
  return new Command(name)
    .description(paragraphs(about))
    .addHelpText('after', more === '' ? '' : `\n${paragraphs(more.trimEnd())}`)
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
}

/** Returns the text that commander writes for the help, which has more than `helpInformation`. */
export function helpText(command: Command, width: number | null): string {
  const texts: string[] = []
  const most = Math.min(helpWidth, width ?? helpWidth)
  command.description(folded(command.description(), most)).configureOutput({
    writeOut: (text) => texts.push(text),
    getOutHelpWidth: () => most,
  })
  command.outputHelp()
  return folded(texts.join(''), most)
}

/** Returns true if the arguments ask for the help. Throws what `faultOf` makes of an error. */
export function parse(
  command: Command,
  args: readonly string[],
  faultOf: (error: CommanderError) => BadInput,
): boolean {
  try {
    command.parse(args, { from: 'user' })
    return false
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.code === 'commander.helpDisplayed') return true
    throw faultOf(error)
  }
}

function declared({ command, options }: Known, name: string, entry: KnownOption): Option {
  const option = new Option(entry.flags, `${entry.help}${inBrackets(entry)}`)
  // For commander `--no-report` after `--report` takes it back; here it is an option of its own, in any order.
  option.negate = false
  if (entry.kind === 'flag') return option
  const checked = (text: string): string => {
    const next = /^--([^=]+)/.exec(text)?.[1] ?? ''
    // Commander takes the next option for the value.
    if (options.has(next) || next === 'help')
      throw badUsage(command, `--${name} without a value`, entry.flags)
    return text
  }
  if (entry.kind === 'value') return option.argParser(checked)
  return option.argParser<readonly string[] | undefined>((text, before) => [
    ...(before ?? []),
    checked(text),
  ])
}

/** The options that reached the command, by name. */
function givenTo(parser: Command): ReadonlyMap<string, unknown> {
  const given = parser.options.filter(
    (option) => parser.getOptionValueSource(option.attributeName()) === 'cli',
  )
  return new Map(
    given.map((option): [string, unknown] => [
      option.name(),
      parser.getOptionValue(option.attributeName()),
    ]),
  )
}

/** ` (did you mean --size?)`, of what commander proposes; else empty. */
export function proposalIn({ message }: CommanderError): string {
  const [, proposal = null] = /\(Did you mean (.+)\?\)$/.exec(message) ?? []
  return proposed(proposal)
}

/** Converts an error of commander to a `BadInput`. It never repeats the value of an option. */
function faultOfParsing(
  { command, options, operands = [] }: Known,
  { args }: Command,
  error: CommanderError,
): BadInput {
  const [, option = '', name = ''] = /'(--?([^'= ]*))/.exec(error.message) ?? []
  const entry = options.get(name)
  switch (error.code) {
    case 'commander.unknownOption':
      return entry || name === 'help'
        ? badUsage(command, `${option} with a value`, `${option} without a value`)
        : badUsage(command, `${option}${proposalIn(error)}`, 'an option that --help lists')
    case 'commander.optionMissingArgument':
      return badUsage(command, `${option} without a value`, entry?.flags ?? option)
    case 'commander.missingArgument':
      return badUsage(
        command,
        args.length === 0 ? 'nothing' : `only ${shown(args.join(' '))}`,
        operands.join(' '),
      )
    default: {
      const surplus = JSON.stringify(args.slice(operands.length).join(' '))
      const expected = operands.length === 0 ? 'options only' : `only ${operands.join(' ')}`
      return badUsage(command, operands.length === 0 ? surplus : `also ${surplus}`, expected)
    }
  }
}

/**
 * Rejects what is empty, as a variable of a shell is that nobody has set: an empty path would mean the current folder,
 * an empty host every address of the machine.
 */
function refuseEmpty(
  { options, command, operands = [] }: Known,
  { args, given }: Pick<ParsedArguments, 'args' | 'given'>,
): void {
  const empty = args.findIndex((arg) => arg.trim() === '')
  if (empty !== -1) {
    const expected = operands[Math.min(empty, operands.length - 1)] ?? 'options only'
    throw badUsage(command, JSON.stringify(args[empty]), expected)
  }
  for (const [name, { flags, variable, default: byDefault }] of options) {
    // An empty one takes back what the variable says.
    const isMeant = variable !== undefined && byDefault === undefined
    if (isMeant || ![given.get(name)].flat().includes('')) continue
    throw badUsage(command, `--${name} ""`, `${flags}, or no --${name}`)
  }
}

/** `--report <folder>` and `--no-report` are two options, and nobody means both. */
function refuseOpposites({ command }: Known, given: ReadonlyMap<string, unknown>): void {
  const name = [...given.keys()].find((each) => given.has(`no-${each}`))
  if (name === undefined) return
  throw badUsage(command, `--${name} and --no-${name}`, 'only one of them')
}

/** The kinds of work of a command, each with the options that it takes besides its own. */
export type Works<Name extends string> = readonly (readonly [work: Name, takes: readonly Name[]])[]

/** The first kind of work whose option is given refuses each operand, and each option that it does not take. */
export function refuseOthers<Name extends string>(
  command: string,
  works: Works<Name>,
  { given, operands }: Pick<ParsedOptions<OptionTable>, 'given' | 'operands'>,
): void {
  const [work, takes] = works.find(([name]) => given.includes(name)) ?? []
  if (work === undefined || !takes) return
  const other = given.find((name) => name !== work && !takes.some((taken) => taken === name))
  const actual = other === undefined ? operands[0] : `--${other}`
  if (actual === undefined) return
  const taken = takes.map((name) => `--${name}`).join(', ')
  throw badUsage(command, `--${work} and ${actual}`, `--${work} alone or with ${taken}`)
}

// Detects options that npm consumed. npm consumes options before `--` and leaves only a variable in
// the environment. Without the check, the command would silently ignore an option of the user.

type ParsedArguments = {
  readonly args: readonly string[]
  /** The options that reached the command, by name. */
  readonly given: ReadonlyMap<string, unknown>
  readonly env: NodeJS.ProcessEnv
}

/** Throws `BadInput` if npm consumed an option. The message contains the corrected command. */
function refuseSwallowed(
  { options, command, npm = `npm run mergeyard -- ${command}` }: Known,
  { args, given, env }: ParsedArguments,
): void {
  // The message omits the arguments if a secret is among them. npm may leave it behind as an operand.
  const hasSecret = [...options].some(
    ([name, { isSecret }]) => isSecret && (given.has(name) || isLeftByNpm(name, env)),
  )
  for (const [name, entry] of options) {
    if (given.has(name) || !isLeftByNpm(name, env)) continue
    const corrected = [npm, ...(hasSecret ? ['...'] : args), entry.flags].join(' ')
    const expected = `a "--" before the options: ${corrected}`
    throw badUsage(command, `--${name}, consumed by npm`, expected)
  }
}

/** For `--no-report`, npm sets the variable of `report` to the empty string. */
function isLeftByNpm(name: string, env: NodeJS.ProcessEnv): boolean {
  const left = (option: string): string | undefined =>
    env[`npm_config_${option.replaceAll('-', '_')}`]
  if (name.startsWith('no-') && left(name.slice('no-'.length)) === '') return true
  return (left(name) ?? '') !== ''
}
