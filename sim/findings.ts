/** What properties report, collected: how often each was checked, and what it found wrong. */

import type { Moment } from './moment.ts'
import type { QueueView } from '../engine/index.ts'
import type { Findings, Property, Setting, Violation } from './properties/property.ts'
import { toMinutes } from './time.ts'

export type PropertyResult = {
  readonly name: string
  readonly checked: number
  readonly violations: readonly Violation[]
}

/** More of one property than this teach nothing, and could fill the memory. */
const violationsKept = 20

/** A property at work in one run. */
export class Watch {
  readonly #name: string
  readonly #watcher: ReturnType<Property['watch']>
  readonly #violations: Violation[] = []
  #checked = 0

  constructor(
    property: Property,
    setting: Setting,
    onViolation: (violation: Violation) => void = () => undefined,
  ) {
    this.#name = property.name
    const findings: Findings = {
      check: () => {
        this.#checked++
      },
      violate: ({ at, sequence, story, pullRequests }) => {
        if (this.#violations.length === violationsKept) return
        const atMinutes = toMinutes(at)
        const violation = { property: property.name, atMinutes, sequence, story, pullRequests }
        this.#violations.push(violation)
        onViolation(violation)
      },
    }
    this.#watcher = property.watch(setting, findings)
  }

  get onMoment(): (moment: Moment) => void {
    return this.#watcher.onMoment
  }

  atEnd(queue: QueueView): void {
    this.#watcher.atEnd?.(queue)
  }

  get result(): PropertyResult {
    return { name: this.#name, checked: this.#checked, violations: this.#violations }
  }
}
