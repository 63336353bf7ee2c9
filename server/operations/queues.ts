/** Operations about a queue: its creation, its settings, and what is in it. */

import { randomUUID } from 'node:crypto'
import { closest } from 'fastest-levenshtein'
import { configurationFields, removedSettings, type RecordedSettings } from '../../engine/index.ts'
import type * as wire from '../contract/wire.ts'
import { inSlices } from '../files/turns.ts'
import { shown } from '../http/shortened.ts'
import { nameOfQueue, queueRefOf } from '../identity/queue-ref.ts'
import { jsonOfQueue, listingOf } from '../views/listing.ts'
import { isShort, queueConfiguration, queueWithPullRequests } from '../views/queue.ts'
import type { OperationRejection } from './errors.ts'
import { answer, reject, withQueue, type LongOperation, type Operation } from './operation.ts'

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

/** Returns a queue with its settings and its pull requests, a long one in pieces. */
export const getQueue: LongOperation<wire.QueueRef, wire.Queue> = (context, body) =>
  withQueue(context, body, (queue) => {
    const { stateCase } = context
    if (isShort(queue)) return answer(queueWithPullRequests(queue, stateCase))
    return inSlices(listingOf(queue, stateCase)).then((listing) => ({
      pieces: jsonOfQueue(listing),
    }))
  })

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

// The settings in a body.

const names = ['state', ...Object.keys(configurationFields)]
const known = new Set(names)

/** What a body may have besides settings: `getQueue` returns some of it, so it may be sent back. */
const others = new Set([
  ...['repo', 'targetBranch', 'deleteRequiredStatuses'],
  ...['branch', 'requiredStatusesSource', 'enqueuedPullRequests'],
])

type SettingsRead =
  | { readonly settings: RecordedSettings; readonly rejection: null }
  | { readonly settings: null; readonly rejection: OperationRejection }

function readSettings(body: wire.WriteQueue): SettingsRead {
  const unknown = Object.keys(body).find((name) => !known.has(name) && !others.has(name))
  if (unknown !== undefined) {
    return { settings: null, rejection: { code: 'contradiction', text: wordsAbout(unknown) } }
  }
  // The schema has checked the known fields.
  const fields: [string, unknown][] = Object.entries(body).filter(([name]) => known.has(name))
  if (body.deleteRequiredStatuses === true) {
    if (body.requiredStatuses !== undefined) {
      const text = 'requiredStatuses and deleteRequiredStatuses contradict each other: give one'
      return { settings: null, rejection: { code: 'contradiction', text } }
    }
    fields.push(['requiredStatuses', null])
  }
  return { settings: Object.fromEntries(fields), rejection: null }
}

/** Says that there is no such setting, and what to write instead. A-8 */
function wordsAbout(name: string): string {
  const instead = removedSettings.get(name)
  if (instead !== undefined) return `the setting ${name} is gone: ${instead}`
  // The distance takes time in proportion to the length, and a body may have a name of 20 MiB.
  const nearest = closest(name.slice(0, 100), names)
  return `a queue has no setting ${shown(name)}: did you mean ${nearest}?`
}
