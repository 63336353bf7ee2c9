import { queueConfiguration } from '../views/queue.ts'
import type * as wire from '../contract/wire.ts'
import { answer, reject, withQueue, type Operation } from './operation.ts'
import { readSettings } from './settings.ts'

/** Changes only the settings that the body contains. */
export const updateQueue: Operation<wire.WriteQueue, wire.QueueConfiguration> = (context, body) => {
  const { settings, rejection } = readSettings(body)
  return withQueue(context, body, (queue) => {
    if (rejection) return reject(rejection)
    const outcome = context.manager.send(queue.name, { type: 'updateQueue', set: settings })
    if (!outcome.accepted) return reject(outcome.rejection)
    return answer(queueConfiguration(queue, context.stateCase))
  })
}
