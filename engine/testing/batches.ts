/** Stories with batches, mostly for tests of bisection. */

import type { Configuration } from '../model/configuration.ts'
import { Story } from './story.ts'

/** A queue with batches of `size`, one slot for main runs and one slot for bisection runs. */
export function batches(size: number, more: Partial<Configuration> = {}): Story {
  return new Story({
    batch: true,
    batchingMinSize: size,
    concurrency: 1,
    bisectionConcurrency: 1,
    ...more,
  })
}

/**
 * Lowers the failure rate of the queue to about 0.5 %, so that bisection splits near the middle.
 */
export function withGoodRecord(story: Story): Story {
  for (let number = 1001; number <= 1180; number += 4) {
    story.submit(number, number + 1, number + 2, number + 3)
    story.pass(`> ${number} ${number + 1} ${number + 2} ${number + 3}`)
  }
  return story
}
