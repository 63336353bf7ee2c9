/** The queues of other products that tune can search. */

import { bors } from './bors.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { mergify } from './mergify.ts'
import type { OtherQueue, OtherQueueName } from './queue.ts'
import { zuul } from './zuul.ts'

const otherQueues: Readonly<Record<OtherQueueName, OtherQueue>> = {
  github,
  gitlab,
  mergify,
  bors,
  zuul,
}

export const otherQueueNames: readonly OtherQueueName[] = [
  'github',
  'gitlab',
  'mergify',
  'bors',
  'zuul',
]

export function otherQueue(name: OtherQueueName): OtherQueue {
  return otherQueues[name]
}
