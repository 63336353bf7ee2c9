/**
 * Detects options that npm consumed. npm consumes options before `--` and leaves only a variable in
 * the environment. Without the check, the command would silently ignore an option of the user.
 */

import { BadInput } from '../scenario/bad-input.ts'
import { optionText, type Usage } from './option-table.ts'

type ParsedArguments = {
  readonly args: readonly string[]
  /** The options that reached the command, by name. */
  readonly values: Readonly<Record<string, unknown>>
  readonly env: NodeJS.ProcessEnv
}

/** Throws `BadInput` if npm consumed an option. The message contains the corrected command. */
export function refuseSwallowed(
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
