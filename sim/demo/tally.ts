/** Counts the webhook messages that the demo has received. */

import type { WebhookMessage } from './receiver.ts'

const counted = {
  'pull_request.merged': 'merged',
  'pull_request.failed': 'failed',
  'pull_request.canceled': 'cancelled',
} as const

export class Tally {
  readonly counts = { merged: 0, failed: 0, cancelled: 0 }
  webhooks = 0
  forged = 0

  onMessage({ type }: WebhookMessage): void {
    this.webhooks++
    const outcome = Object.entries(counted).find(([name]) => name === type)?.[1]
    if (outcome) this.counts[outcome]++
  }

  /** The number of pull requests that have left the queue. */
  get left(): number {
    const { merged, failed, cancelled } = this.counts
    return merged + failed + cancelled
  }
}
