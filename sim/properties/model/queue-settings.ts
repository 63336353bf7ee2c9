/** The configuration and the state of the queue, as the events tell them. */

import { configurationWith, type Configuration, type QueueState } from '../../../engine/index.ts'
import type { Moment } from '../../moment.ts'
import type { Book } from './book.ts'

export type QueueSettings = Book & {
  readonly configuration: Configuration
  readonly state: QueueState
  /** To be told of each moment before its events: the first one says how the queue began. */
  begin(moment: Moment): void
}

export function queueSettings(initially: Configuration): QueueSettings {
  let configuration = configurationWith(initially)
  let state: QueueState | null = null
  return {
    get configuration() {
      return configuration
    },
    get state() {
      return state ?? 'RUNNING'
    },
    begin({ events, queue }) {
      if (state !== null) return
      const change = events.find((event) => event.type === 'queueStateChanged')
      state = change?.from ?? queue.state
    },
    on: {
      queueConfigured({ set }) {
        configuration = { ...configuration, ...set }
      },
      queueStateChanged({ to }) {
        state = to
      },
    },
  }
}
