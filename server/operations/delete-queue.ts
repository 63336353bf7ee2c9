import type * as wire from '../contract/wire.ts'
import { done, withQueue, type Operation } from './operation.ts'

/** Deletes an empty queue and its history. */
export const deleteQueue: Operation<wire.QueueRef, wire.Nothing> = (context, body) =>
  withQueue(context, body, ({ name }) => done(context.manager.send(name, { type: 'deleteQueue' })))
