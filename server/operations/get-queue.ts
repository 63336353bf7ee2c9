import { queueWithPullRequests } from '../views/queue.ts'
import type * as wire from '../wire.ts'
import { answer, withQueue, type Operation } from './operation.ts'

/** A queue, its settings, and everybody in it. */
export const getQueue: Operation<wire.QueueRef, wire.Queue> = (context, body) =>
  withQueue(context, body, (queue) => answer(queueWithPullRequests(queue, context.stateCase)))
