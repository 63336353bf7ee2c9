/** `mergeyard token ...` and `mergeyard webhook ...`, from arguments to exit code. */

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { dataFolder } from '../store/data-folder.ts'
import { BadCommand, type Command, type Given, type Voice } from './command.ts'
import { tokenCommands } from './token-commands.ts'
import { webhookCommands } from './webhook-commands.ts'

const exitCodes = { done: 0, failed: 1, badInput: 2 } as const

const commands: readonly Command[] = [...tokenCommands, ...webhookCommands]
const columnOfMeaning = 28

const helpText = [
  'Usage: mergeyard <command> [options]',
  '',
  'Tokens and webhooks of the server in a data folder, whether it runs or not.',
  '',
  ...commands.flatMap(({ name, subject, options = {}, meaning }) => [
    `${`  ${name}${subject === undefined ? '' : ` <${subject}>`}`.padEnd(columnOfMeaning)}${meaning}`,
    ...Object.entries(options).map(([option, value]) => `      --${option} <${value}>`),
  ]),
  '',
  `${'  --data <folder>'.padEnd(columnOfMeaning)}Whose data folder (MERGEYARD_DATA; default ./data)`,
  `${'  --json'.padEnd(columnOfMeaning)}For machines`,
  `${'  --help'.padEnd(columnOfMeaning)}Show this`,
  '',
].join('\n')

type Around = Voice & { readonly env: Readonly<Record<string, string | undefined>> }

/** Does what the arguments ask. Answers the exit code; never throws for what a person got wrong. */
export async function main(args: readonly string[], around: Around): Promise<number> {
  try {
    const { values, positionals } = parsed(args)
    if (values['help'] === true) around.say(helpText)
    else {
      const command = commandMeant(positionals)
      await command.run(givenTo(command, { values, positionals, around }))
    }
    return exitCodes.done
  } catch (error) {
    around.explain(`mergeyard: ${error instanceof Error ? error.message : String(error)}\n`)
    return error instanceof BadCommand ? exitCodes.badInput : exitCodes.failed
  }
}

type Parsed = {
  readonly values: Readonly<Record<string, unknown>>
  readonly positionals: readonly string[]
}

function parsed(args: readonly string[]): Parsed {
  const names = ['data', ...commands.flatMap(({ options = {} }) => Object.keys(options))]
  const texts = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]))
  const flags = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
  try {
    return parseArgs({ args: [...args], options: { ...texts, ...flags }, allowPositionals: true })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new BadCommand(`${why}. --help lists the options`)
  }
}

function commandMeant([family = '', verb = '']: readonly string[]): Command {
  const name = `${family} ${verb}`.trim()
  const command = commands.find((each) => each.name === name)
  if (command) return command
  throw new BadCommand(`there is no command "${name}". --help lists them`)
}

function givenTo(
  { name, subject: wanted, options = {} }: Command,
  { values, positionals, around }: Parsed & { readonly around: Around },
): Given {
  const [, , subject = '', ...more] = positionals
  if (wanted !== undefined && subject === '')
    throw new BadCommand(`${name} needs <${wanted}> behind it`)
  const idle = wanted === undefined ? subject : more[0]
  if (idle !== undefined && idle !== '')
    throw new BadCommand(`${name} knows nothing to do with "${idle}"`)
  const foreign = Object.keys(values).find(
    (option) => !['data', 'json', 'help'].includes(option) && !(option in options),
  )
  if (foreign !== undefined) throw new BadCommand(`${name} has no option --${foreign}`)
  const option = (wished: string): string | null => {
    const value = values[wished]
    return typeof value === 'string' ? value : null
  }
  const { say, explain, env } = around
  const folder = dataFolder(resolve(dataOf(option('data'), env['MERGEYARD_DATA'] ?? '')))
  return { folder, subject, option, json: values['json'] === true, say, explain }
}

/** An empty variable is how many tools leave one out. */
function dataOf(given: string | null, variable: string): string {
  if (given === '') throw new BadCommand('--data must be given or left out, got ""')
  return given ?? (variable === '' ? './data' : variable)
}
