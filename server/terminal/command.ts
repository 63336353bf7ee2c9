/** Commands, and groups of commands that are selected by name. */

import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import { BadLines } from './bad-input.ts'
import { helpfulMessage } from './files.ts'
import {
  badUsage,
  helpOf,
  helpText,
  parse,
  parseOptions,
  proposalIn,
  quietCommand,
  type OptionTable,
  type ParsedOptions,
  type Usage,
} from './options.ts'
import { type Terminal, widthOf, writeAll } from './output.ts'

/** What a command gets: output streams, environment and interruption. */
export type CliContext = Terminal & {
  readonly env: NodeJS.ProcessEnv
  /** Aborts when the user interrupts the command (Ctrl-C). */
  readonly signal: AbortSignal
}

export const exitCodes = { success: 0, failure: 1, badInput: 2, interrupted: 130 } as const

/** The folder for relative paths. npm changes the current folder and keeps the original one in `INIT_CWD`. */
export function startFolder(env: NodeJS.ProcessEnv): string {
  return env['INIT_CWD'] ?? process.cwd()
}

/** Runs a command. Returns the exit code. Throws `BadInput` or `BadLines` for invalid input. */
export type Main = (args: readonly string[], context: CliContext) => Promise<number>

/** Returns the main function of a command. It parses the arguments, then runs the command or prints the help. */
export function commandOf<Table extends OptionTable>(
  usage: Usage<Table>,
  run: (parsed: ParsedOptions<Table>, context: CliContext) => Promise<number>,
): Main {
  return async (args, context) => {
    const parsed = parseOptions(usage, args, context.env)
    if (!parsed.isHelp) return run(parsed, context)
    await writeAll(context.stdout, [helpOf(usage, widthOf(context.stdout))])
    return exitCodes.success
  }
}

/** A command of a command group. */
export type ListedCommand = {
  /** One line in the help of the group. */
  readonly summary: string
  /** A module that the command imports and only a checkout of the repository has. */
  readonly needs?: URL
  /** Imports the modules of this command, so that no other command pays for them. */
  readonly load: () => Promise<{ readonly main: Main }>
}

/** A command of which nothing has to be loaded. */
export function ready(summary: string, main: Main): ListedCommand {
  return { summary, load: () => Promise.resolve({ main }) }
}

export type CommandGroup = {
  /** The name without the program name, for example `token`; empty for the program itself. */
  readonly name: string
  readonly about: string
  readonly commands: Readonly<Record<string, ListedCommand>>
  /** Text below the list of commands in the help. */
  readonly more?: string
}

/**
 * Returns the main function of a command group. The first argument selects the command; `help` before it is
 * `--help` after it.
 */
export function groupOf(group: CommandGroup): Main {
  const { name, commands } = group
  return async (args, context) => {
    const [first, ...rest] = args[0] === 'help' ? [...args.slice(1), '--help'] : args
    const command =
      first !== undefined && Object.hasOwn(commands, first) ? commands[first] : undefined
    if (command) return (await loadMain(`${name} ${first}`.trim(), command))(rest, context)
    const program = programOf(group)
    if (first === undefined) {
      await writeAll(context.stderr, [helpText(program, widthOf(context.stderr))])
      return exitCodes.badInput
    }
    // `help sumbit` asks for a command too.
    const asked = first.startsWith('-') ? [first, ...rest] : [first]
    const isHelp = parse(program, asked, (error) => {
      const names = Object.keys(commands).join(', ')
      return badUsage(
        name === '' ? 'mergeyard' : name,
        `"${first}"${proposalIn(error)}`,
        `one of ${names}`,
      )
    })
    if (isHelp) await writeAll(context.stdout, [helpText(program, widthOf(context.stdout))])
    return exitCodes.success
  }
}

/** The group for commander, which writes the help and proposes the nearest command. */
function programOf({ name, about, commands, more = '' }: CommandGroup): Command {
  const program = `mergeyard ${name}`.trim()
  const note = `\`${program} help <command>\` shows the options of a command.\n`
  const parser = quietCommand(program, about, more === '' ? note : `${note}\n${more}`)
  parser.usage('<command> [options]').helpOption('-h, --help', 'print this text').helpCommand(false)
  for (const [each, { summary }] of Object.entries(commands))
    parser.command(each).description(summary).helpOption(false)
  return parser
}

async function loadMain(name: string, { needs, load }: ListedCommand): Promise<Main> {
  if (needs === undefined || existsSync(needs)) return (await load()).main
  throw new BadLines([
    `${name}: the installed package has no ${name}; run it in a checkout of the repository`,
  ])
}

/** Ctrl-C has ended the command. The message is its one line, for those that have more to say. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'

  constructor(message = 'interrupted') {
    super(message)
  }
}

/** After a fault: the processes that a command has started may end by the same Ctrl-C before this one gets it. */
export async function isInterrupted(signal: AbortSignal): Promise<boolean> {
  if (!signal.aborted) await wait(graceMs)
  return signal.aborted
}

const graceMs = 50

/**
 * Wraps a command: if it throws an `Error`, the message is printed as one line and the exit code is 1.
 * For commands that can fail because of their environment, for example a port that is in use.
 */
export function withPlainErrors(main: Main): Main {
  return async (args, context) => {
    try {
      return await main(args, context)
    } catch (error) {
      if (error instanceof BadLines || !(error instanceof Error)) throw error
      if (await isInterrupted(context.signal)) throw error
      await writeAll(context.stderr, [`mergeyard: ${helpfulMessage(error)}\n`])
      return exitCodes.failure
    }
  }
}
