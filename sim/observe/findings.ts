/** The findings of one property in one run: the number of checks, and the violations. */

import { toMinutes } from '../scenario/time.ts'
import type { Check, Violation } from './property.ts'

export type PropertyResult = {
  readonly name: string
  /** How many checks were made. */
  readonly checked: number
  /** The first 20 that did not hold. */
  readonly violations: readonly Violation[]
}

/** More violations of one property add nothing, and could fill the memory. */
const violationsKept = 20

export class Findings {
  readonly #property: string
  readonly #onViolation: (violation: Violation) => void
  readonly #violations: Violation[] = []
  #checked = 0

  constructor(property: string, onViolation: (violation: Violation) => void = () => undefined) {
    this.#property = property
    this.#onViolation = onViolation
  }

  readonly check: Check = (holds, { at, sequence }, describe) => {
    this.#checked++
    if (holds || this.#violations.length === violationsKept) return
    const { story, pullRequests } = describe()
    const violation = {
      property: this.#property,
      atMinutes: toMinutes(at),
      sequence,
      story: asSentence(story),
      pullRequests,
    }
    this.#violations.push(violation)
    this.#onViolation(violation)
  }

  get result(): PropertyResult {
    return { name: this.#property, checked: this.#checked, violations: this.#violations }
  }
}

/** With a capital letter at the beginning: a story may begin with `pull request 7`. */
function asSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
