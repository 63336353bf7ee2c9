/** What the simulator has answered so far. */

import { computed, signal } from '@preact/signals'
import type { Figures } from '../../../../sim/result/result-document.ts'
import { reelOf, type Reel } from '../film/scene.ts'
import type { Answer, OtherQueue } from '../worker/protocol.ts'

export class Results {
  readonly figures = signal<Figures | null>(null)
  /** Those of today's setting, if it was changed. */
  readonly today = signal<Figures | null>(null)
  readonly reel = signal<Reel | null>(null)
  readonly others = signal<readonly OtherQueue[]>([])
  /** How many other queues there are; null until the first has come. */
  readonly expected = signal<number | null>(null)
  readonly hash = signal<string | null>(null)
  readonly failure = signal<string | null>(null)
  /** True from a change until its figures are there. */
  readonly isStale = signal(true)
  readonly isPictureStale = signal(true)

  readonly isComplete = computed(
    () => this.expected.value !== null && this.others.value.length === this.expected.value,
  )

  /** Older answers stay in view until newer ones come, so that nothing flickers. */
  expect(): void {
    this.isStale.value = true
    this.isPictureStale.value = true
    this.hash.value = null
    this.failure.value = null
    this.expected.value = null
  }

  take(answer: Answer): void {
    switch (answer.kind) {
      case 'figures':
        this.figures.value = answer.figures
        this.isStale.value = false
        break
      case 'today':
        this.today.value = answer.figures
        break
      case 'film':
        this.reel.value = reelOf(answer.film)
        this.isPictureStale.value = false
        break
      case 'other':
        this.others.value =
          this.expected.value === null ? [answer.other] : [...this.others.value, answer.other]
        this.expected.value = answer.other.of
        break
      case 'hashed':
        this.hash.value = answer.figures.traceHash
        break
      case 'failed':
        this.failure.value = answer.why
        break
    }
  }
}
