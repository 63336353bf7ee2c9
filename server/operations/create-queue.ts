import { randomUUID } from 'node:crypto'
import { queueConfiguration } from '../views/queue.ts'
import type * as wire from '../contract/wire.ts'
import { nameOfQueue, queueRefOf } from '../identity/queue-ref.ts'
import { answer, reject, withQueue, type Operation } from './operation.ts'
import { readSettings } from './settings.ts'

/** Creates a queue. Draws its incarnation here, so that the logged command contains it. */
export const createQueue: Operation<wire.WriteQueue, wire.QueueConfiguration> = (context, body) => {
  const { settings, rejection } = readSettings(body)
  if (rejection) return reject(rejection)
  const incarnation = randomUUID()
  const name = nameOfQueue(queueRefOf(body))
  const { codeHost } = context.manager.registry
  const set = { tipTestMode: 'policy', ...settings } as const
  const command = { type: 'createQueue', incarnation, set, ...codeHost } as const
  const outcome = context.manager.send(name, command)
  if (!outcome.accepted) return reject(outcome.rejection)
  return withQueue(context, body, (queue) => answer(queueConfiguration(queue, context.stateCase)))
}
