/** Stories of parallel mode. */

import type { Configuration } from '../model/configuration.ts'
import type { NewQueue } from '../model/queue.ts'
import type { ImpactedTargets } from '../model/targets.ts'
import { Story } from './story.ts'

/** A parallel queue with plenty of slots, and pull requests that touch these. */
export function lanes(
  touched: Readonly<Record<number, ImpactedTargets>>,
  more: Partial<Configuration> = {},
  wish: NewQueue = {},
): Story {
  const story = new Story({ mode: 'parallel', concurrency: 9, ...more }, wish)
  for (const [number, targets] of Object.entries(touched)) story.touches(Number(number), targets)
  return story
}
