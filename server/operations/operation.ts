/**
 * What an operation is: a body that fits its schema in, an answer or a reason out. Who may call it
 * and what its body looks like stands in the OpenAPI document.
 */

import type { AnyRejection } from '../errors.ts'
import type { StateCase } from '../views/state-case.ts'
import type * as wire from '../wire.ts'
import { nameOfQueue, queueRefOf } from '../yard/queue-ref.ts'
import type { YardOutcome } from '../yard/register.ts'
import type { Yard } from '../yard/yard.ts'
import type { YardQueue } from '../yard/yard-queue.ts'

export type Context = { readonly yard: Yard; readonly stateCase: StateCase }

export type Refused = { readonly rejection: AnyRejection }
export type Answer<Ok extends object> = { readonly body: Ok } | Refused

export type Operation<Body, Ok extends object> = (context: Context, body: Body) => Answer<Ok>

export function answer<Ok extends object>(body: Ok): Answer<Ok> {
  return { body }
}

export function refuse(rejection: AnyRejection): Refused {
  return { rejection }
}

/** There is nothing to say but that it is done, where it was. */
export function done(outcome: YardOutcome): Answer<wire.Nothing> {
  return outcome.accepted ? answer({}) : refuse(outcome.rejection)
}

/** Goes on with the queue that a body names, where there is one. */
export function withQueue<Ok extends object>(
  { yard }: Context,
  body: wire.QueueRef,
  goOn: (queue: YardQueue) => Answer<Ok>,
): Answer<Ok> {
  const ref = queueRefOf(body)
  const queue = yard.register.find(nameOfQueue(ref))
  return queue ? goOn(queue) : refuse({ code: 'no such queue', queue: ref })
}
