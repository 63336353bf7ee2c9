import { queueWithPullRequests } from '../views/queue.ts'
import type * as wire from '../contract/wire.ts'
import { answer, withQueue, type Operation } from './operation.ts'

/** Returns a queue with its settings and its pull requests. */
export const getQueue: Operation<wire.QueueRef, wire.Queue> = (context, body) =>
  withQueue(context, body, (queue) => answer(queueWithPullRequests(queue, context.stateCase)))
