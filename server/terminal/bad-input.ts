/** Faults of an input as values: one line per fault, all together, without a stack trace. */

import { nearestOf, proposed } from './nearest.ts'

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

/** What is wrong with a value, with the known keys if its own is unknown. */
type ValueFault = Omit<InputFault, 'actual'> & {
  readonly actual: unknown
  readonly known?: readonly string[]
}

/** The faults of a document as lines show them. An unknown key may be misspelled. */
export function shownFaults(faults: readonly ValueFault[]): InputFault[] {
  return faults.map(({ where, expected, actual, known = [] }) => {
    const proposal = proposed(nearestOf(where.slice(where.lastIndexOf('/') + 1), known))
    const words = expected.replace(/^no such key(?=,)/, `$&${proposal}`)
    return { where, expected: words, actual: shown(actual) }
  })
}

const longestShown = 60

/** Returns a value as faults show it: JSON on one line, cut off if it is long. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > longestShown ? `${text.slice(0, longestShown)}...` : text
}
