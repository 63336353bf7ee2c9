/** Faults of an input as values: one line per fault, all together, without a stack trace. */

export type InputFault = {
  /** A JSON pointer; or `line:column` if the text is not JSON; or the given option. */
  readonly where: string
  readonly expected: string
  /** What was found instead. */
  readonly actual: string
}

/** Thrown if an input cannot be used. `lines` has one complete line per fault. */
export class BadLines extends Error {
  readonly lines: readonly string[]

  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.lines = lines
  }
}

/** One input cannot be used. */
export class BadInput extends BadLines {
  override readonly name = 'BadInput'
  readonly faults: readonly InputFault[]

  constructor(source: string, faults: readonly InputFault[]) {
    super(faults.map((fault) => `${source}: ${lineOf(fault)}`))
    this.faults = faults
  }
}

function lineOf({ where, expected, actual }: InputFault): string {
  return `${where === '' ? 'the whole document' : where}: expected ${expected}, got ${actual}`
}

const longestShown = 60

/** Returns a value as faults show it: JSON on one line, cut off if it is long. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > longestShown ? `${text.slice(0, longestShown)}...` : text
}
