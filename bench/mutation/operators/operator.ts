/** A mutation operator: one kind of small mistake that is planted in the code. */

import type { Span, VisitorObject } from 'oxc-parser'

export type Operator = {
  /** The name in tables and in the list of equivalent mutants. */
  readonly name: string
  /** What the operator does, for the README. */
  readonly sentence: string
  /** Returns the visitor that finds the places for this operator. */
  readonly visitor: (code: Code) => VisitorObject
}

/** The code that an operator reads, and where it plants its mutants. */
type Code = {
  readonly textOf: (span: Span) => string
  /** Plants a mutant that has `text` in the place of the span. */
  readonly plant: (span: Span, text: string) => void
}
