import { queueConfiguration } from '../views/queue.ts'
import type * as wire from '../wire.ts'
import { answer, refuse, withQueue, type Operation } from './operation.ts'
import { readSettings } from './settings.ts'

/** Changes the settings that are given, and no others. */
export const updateQueue: Operation<wire.WriteQueue, wire.QueueConfiguration> = (context, body) => {
  const { settings, rejection } = readSettings(body)
  return withQueue(context, body, (queue) => {
    if (rejection) return refuse(rejection)
    const outcome = context.yard.send(queue.name, { type: 'updateQueue', set: settings })
    if (!outcome.accepted) return refuse(outcome.rejection)
    return answer(queueConfiguration(queue, context.stateCase))
  })
}
