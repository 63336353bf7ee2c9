/** The checks that every run makes about itself, with or without properties (S-41, S-44). */

import type { Millis } from '../../engine/index.ts'
import type { JudgedShare, PropertyResult } from './findings.ts'
import type { Violation } from './property.ts'
import { toMinutes } from '../scenario/time.ts'

const names = {
  engine: 'engine-does-not-throw',
  progress: 'keeps-moving',
  rebuild: 'rebuilds-alike',
} as const

type Check = keyof typeof names

type CheckFault = {
  readonly at: Millis
  readonly sequence: number
  readonly story: string
  readonly pullRequests: readonly number[]
}

export class BuiltInChecks {
  readonly #checked: Record<Check, number> = { engine: 0, progress: 0, rebuild: 0 }
  readonly #violations: Record<Check, Violation[]> = { engine: [], progress: [], rebuild: [] }

  hold(check: Check): void {
    this.#checked[check]++
  }

  violate(check: Check, { at, ...fault }: CheckFault): void {
    this.#checked[check]++
    this.#violations[check].push({ property: names[check], atMinutes: toMinutes(at), ...fault })
  }

  /** A rebuilt engine is compared once for each crash: the events of other commands do not count. */
  judgedOf(events: number): JudgedShare[] {
    return (['engine', 'progress', 'rebuild'] as const).map((check) => {
      const checked = this.#checked[check]
      const judged = check === 'rebuild' ? Math.min(checked, events) : events
      return { name: names[check], events: judged, checked, leftOut: 0 }
    })
  }

  get results(): PropertyResult[] {
    return (['engine', 'progress', 'rebuild'] as const).map((check) => ({
      name: names[check],
      checked: this.#checked[check],
      violations: this.#violations[check],
    }))
  }
}
