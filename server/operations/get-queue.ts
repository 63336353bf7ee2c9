import type * as wire from '../contract/wire.ts'
import { inSlices } from '../files/turns.ts'
import { jsonOfQueue, listingOf } from '../views/listing.ts'
import { isShort, queueWithPullRequests } from '../views/queue.ts'
import { answer, withQueue, type LongOperation } from './operation.ts'

/** Returns a queue with its settings and its pull requests, a long one in pieces. */
export const getQueue: LongOperation<wire.QueueRef, wire.Queue> = (context, body) =>
  withQueue(context, body, (queue) => {
    const { stateCase } = context
    if (isShort(queue)) return answer(queueWithPullRequests(queue, stateCase))
    return inSlices(listingOf(queue, stateCase)).then((listing) => ({
      pieces: jsonOfQueue(listing),
    }))
  })
