import type * as wire from '../wire.ts'
import { done, withQueue, type Operation } from './operation.ts'

/** Deletes a queue that holds nobody, and its history with it. */
export const deleteQueue: Operation<wire.QueueRef, wire.Nothing> = (context, body) =>
  withQueue(context, body, ({ name }) => done(context.yard.send(name, { type: 'deleteQueue' })))
