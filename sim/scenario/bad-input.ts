/** What is wrong with an input, as values: one line each, all of them at once, no stack trace. */

export type InputFault = {
  /** A JSON pointer; or line:column where the text is no JSON; or the option that was given. */
  readonly where: string
  readonly expected: string
  /** What stood there instead. */
  readonly came: string
}

/** The input cannot be used. `lines` says why, a line per fault. */
export class BadInput extends Error {
  override readonly name = 'BadInput'
  readonly faults: readonly InputFault[]
  readonly lines: readonly string[]

  constructor(source: string, faults: readonly InputFault[]) {
    const lines = faults.map((fault) => `${source}: ${lineOf(fault)}`)
    super(lines.join('\n'))
    this.faults = faults
    this.lines = lines
  }
}

function lineOf({ where, expected, came }: InputFault): string {
  return `${where === '' ? 'the whole document' : where}: expected ${expected}, came ${came}`
}

const longestShown = 60

/** A value as a fault shows it: JSON on one line, cut where it gets long. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > longestShown ? `${text.slice(0, longestShown)}...` : text
}

/** A JSON pointer from its parts (RFC 6901). */
export function pointer(...parts: readonly (string | number)[]): string {
  return parts
    .map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
}
