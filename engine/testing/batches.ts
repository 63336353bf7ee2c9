/** Stories that begin with a failed batch. */

import type { Configuration } from '../model/configuration.ts'
import { Story } from './story.ts'

/** Batches of `size` on a main line of one, and a bisection that runs one at a time. */
export function batches(size: number, more: Partial<Configuration> = {}): Story {
  return new Story({
    batch: true,
    batchingMinSize: size,
    concurrency: 1,
    bisectionConcurrency: 1,
    ...more,
  })
}

/** Gives the queue a failure rate of about a half per cent: splits come out near the middle. */
export function withGoodRecord(story: Story): Story {
  for (let number = 1001; number <= 1180; number += 4) {
    story.submit(number, number + 1, number + 2, number + 3)
    story.pass(`> ${number} ${number + 1} ${number + 2} ${number + 3}`)
  }
  return story
}
