import { randomUUID } from 'node:crypto'
import { queueConfiguration } from '../views/queue.ts'
import type * as wire from '../wire.ts'
import { nameOfQueue, queueRefOf } from '../yard/queue-ref.ts'
import { answer, refuse, withQueue, type Operation } from './operation.ts'
import { readSettings } from './settings.ts'

/** Makes a queue for a branch. Its incarnation is drawn here, once, and logged with the command. */
export const createQueue: Operation<wire.WriteQueue, wire.QueueConfiguration> = (context, body) => {
  const { settings, rejection } = readSettings(body)
  if (rejection) return refuse(rejection)
  const incarnation = randomUUID()
  const name = nameOfQueue(queueRefOf(body))
  const { codeHost } = context.yard.register
  const command = { type: 'createQueue', incarnation, set: settings, ...codeHost } as const
  const outcome = context.yard.send(name, command)
  if (!outcome.accepted) return refuse(outcome.rejection)
  return withQueue(context, body, (queue) => answer(queueConfiguration(queue, context.stateCase)))
}
