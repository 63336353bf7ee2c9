/** The findings of one property in one run: the number of checks, and the violations. */

import { toMinutes } from '../scenario/time.ts'
import type { Check, Property, Violation } from './property.ts'

export type PropertyResult = {
  readonly name: string
  /** How many checks were made. */
  readonly checked: number
  /** The first 20 that did not hold. */
  readonly violations: readonly Violation[]
}

/** How much of one run a property has judged. */
export type JudgedShare = {
  readonly name: string
  /** The number of events in which it was active, that is, could have been violated. */
  readonly events: number
  readonly checked: number
  /** How many checks were left out because of an exception. */
  readonly leftOut: number
}

/** More violations of one property add nothing, and could fill the memory. */
const violationsKept = 20

export class Findings {
  readonly #property: string
  readonly #onViolation: (violation: Violation) => void
  readonly #violations: Violation[] = []
  #checked = 0
  #leftOut = 0

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

  /** Counts a check that holds. */
  readonly hold = (): void => {
    this.#checked++
  }

  readonly leaveOut = (): void => {
    this.#leftOut++
  }

  /** What the property has judged, given the number of events in which it was active. */
  judgedIn(events: number): JudgedShare {
    return { name: this.#property, events, checked: this.#checked, leftOut: this.#leftOut }
  }

  get result(): PropertyResult {
    return { name: this.#property, checked: this.#checked, violations: this.#violations }
  }
}

/** With a capital letter at the beginning: a story may begin with `pull request 7`. */
function asSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const ofEveryRun = {
  engine: {
    name: 'engine-does-not-throw',
    sentence: 'The engine returns events or a rejection for every command.',
  },
  progress: {
    name: 'keeps-moving',
    sentence: 'The queue keeps making progress: pull requests keep leaving it.',
  },
  rebuild: {
    name: 'rebuilds-alike',
    sentence: 'After a crash, the engine is rebuilt from its log with the same state.',
  },
} as const

/** The checks that every run makes about itself, with or without properties (S-41, S-44). */
export const builtIn: readonly Pick<Property, 'name' | 'sentence'>[] = Object.values(ofEveryRun)

export class BuiltInChecks {
  readonly engine = new Findings(ofEveryRun.engine.name)
  readonly progress = new Findings(ofEveryRun.progress.name)
  readonly rebuild = new Findings(ofEveryRun.rebuild.name)
  readonly #all = [this.engine, this.progress, this.rebuild] as const

  get results(): PropertyResult[] {
    return this.#all.map(({ result }) => result)
  }

  /** A rebuilt engine is compared once for each crash: the events of other commands do not count. */
  judgedOf(events: number): JudgedShare[] {
    return this.#all.map((findings) => {
      const { checked } = findings.result
      return findings.judgedIn(findings === this.rebuild ? Math.min(checked, events) : events)
    })
  }
}
