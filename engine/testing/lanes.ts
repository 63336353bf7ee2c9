/** Stories in parallel mode. */

import type { Configuration } from '../model/configuration.ts'
import type { NewQueue } from '../model/queue.ts'
import type { ImpactedTargets } from '../model/targets.ts'
import { Story } from './story.ts'

/** A parallel queue with 9 slots and the impacted targets of each pull request. Submits nothing. */
export function lanes(
  touched: Readonly<Record<number, ImpactedTargets>>,
  more: Partial<Configuration> = {},
  options: NewQueue = {},
): Story {
  const story = new Story({ mode: 'parallel', concurrency: 9, ...more }, options)
  for (const [number, targets] of Object.entries(touched)) story.touches(Number(number), targets)
  return story
}
