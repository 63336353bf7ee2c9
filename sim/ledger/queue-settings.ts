/** The configuration and the state of the queue. */

import {
  configurationWith,
  upgraded,
  type Configuration,
  type QueueState,
} from '../../engine/index.ts'
import type { Projection } from './projection.ts'

export type SettingsProjection = Projection & {
  readonly configuration: Configuration
  readonly state: QueueState
}

export function queueSettings(
  initially: Configuration,
  initialState: QueueState,
): SettingsProjection {
  let configuration = configurationWith(initially)
  let state = initialState
  return {
    get configuration() {
      return configuration
    },
    get state() {
      return state
    },
    on: {
      queueConfigured({ set }) {
        configuration = { ...configuration, ...upgraded<object>(set) }
      },
      queueStateChanged({ to }) {
        state = to
      },
    },
  }
}
