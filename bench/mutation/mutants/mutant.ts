/** A mutant: the engine with one small mistake. */

export type Mutant = {
  /** The TypeScript source, for example `engine/rules/merge.ts`. */
  readonly file: string
  /** The place in the source; both count from 1. */
  readonly line: number
  readonly column: number
  /** The whole line of the source, without its indentation. */
  readonly code: string
  /** The name of the operator. */
  readonly operator: string
  /** The original text and the mutated text, each on one line. */
  readonly from: string
  readonly to: string
  /** The place in the compiled file, and the text that replaces it. */
  readonly change: Change
  /** The same mistake in the source, for the type checker. */
  readonly changeInSource: Change
}

export type Change = { readonly start: number; readonly end: number; readonly text: string }

/** The place of a mutant: `engine/rules/merge.ts:12:5`. */
export const placeOf = ({ file, line, column }: Pick<Mutant, 'file' | 'line' | 'column'>): string =>
  `${file}:${line}:${column}`

/** Returns a key that stays the same while other lines of the file change. */
export const keyOf = ({ file, code, operator, from, to }: MutantKey): string =>
  [file, code, operator, from, to].join('\n')

export type MutantKey = Pick<Mutant, 'file' | 'code' | 'operator' | 'from' | 'to'>

/** What of a mutant is written to documents. */
export type MutantFacts = Omit<Mutant, 'change' | 'changeInSource'>

/** Returns the code with the mistake. */
export function mutated(code: string, { start, end, text }: Change): string {
  return code.slice(0, start) + text + code.slice(end)
}
