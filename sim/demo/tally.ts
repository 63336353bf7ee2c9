/** What the demo has been told by webhook so far. */

import type { Told } from './receiver.ts'

const counted = {
  'pull_request.merged': 'merged',
  'pull_request.failed': 'failed',
  'pull_request.canceled': 'cancelled',
} as const

export class Tally {
  readonly counts = { merged: 0, failed: 0, cancelled: 0 }
  webhooks = 0
  forged = 0

  hear({ type }: Told): void {
    this.webhooks++
    const word = Object.entries(counted).find(([name]) => name === type)?.[1]
    if (word) this.counts[word]++
  }

  /** How many have left the queue. */
  get left(): number {
    const { merged, failed, cancelled } = this.counts
    return merged + failed + cancelled
  }
}
