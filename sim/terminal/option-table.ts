/** The table of options that every command declares, and the help text made from it. */

import { columns } from './text.ts'

export type OptionEntry = {
  readonly kind: 'flag' | 'value' | 'list'
  /** The name of the value in the help, for example `n` in `--seed <n>`. */
  readonly value?: string
  readonly help: string
  /** The value if neither the option nor its variable is set. */
  readonly default?: string
  /** The environment variable that applies if the option is not set. */
  readonly variable?: string
  /** The value is a secret, so no message repeats it. */
  readonly isSecret?: true
}

export type OptionTable = Readonly<Record<string, OptionEntry>>

/** Arguments without a dash: their name in the help, and how many are allowed. */
export type Operands = {
  readonly name: string
  readonly least: number
  readonly most: number
}

/** The arguments that a command accepts, and its help text. */
export type Usage<Table extends OptionTable = OptionTable> = {
  /** The name without the program name: `sim`, `token create`. Error messages begin with it. */
  readonly command: string
  /** The command line with npm, up to the options. */
  readonly npm: string
  readonly about: string
  /** Omitted if the command takes none. */
  readonly operands?: Operands
  /** Every command also has `--help`, which is not in the table. */
  readonly table: Table
  /** Text below the options: examples, lists, exit codes. */
  readonly more?: string
}

/** Returns the text of `--help`. */
export function helpOf({ command, about, operands, table, more = '' }: Usage): string {
  const names = operands ? ` ${operandsText(operands)}` : ''
  const help: OptionEntry = { kind: 'flag', help: 'print this text' }
  const rows = Object.entries<OptionEntry>({ ...table, help }).map(([name, entry]) => [
    `  ${optionText(name, entry)}`,
    `${entry.help}${variableAndDefault(entry)}`,
  ])
  const rest = more === '' ? '' : `\n${more}`
  return `Usage: mergeyard ${command}${names} [options]\n\n${about}\n\n${columns(rows)}${rest}`
}

/** `--seed <n>` */
export function optionText(name: string, { value }: OptionEntry): string {
  return `--${name}${value === undefined ? '' : ` <${value}>`}`
}

/** `<file>...`, `[<file>...]`, `<id>` */
export function operandsText({ name, least, most }: Operands): string {
  const text = `<${name}>${most > Math.max(least, 1) ? '...' : ''}`
  return least === 0 ? `[${text}]` : text
}

/** ` (VARIABLE; default value)`; the brackets hold what the entry has. */
function variableAndDefault({ variable, default: byDefault }: OptionEntry): string {
  const parts = [
    ...(variable === undefined ? [] : [variable]),
    ...(byDefault === undefined ? [] : [`default ${byDefault}`]),
  ]
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`
}
