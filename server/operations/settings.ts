/** Extracts the settings of a queue from a body. */

import { configurationFields, type RecordedSettings } from '../../engine/index.ts'
import type { OperationRejection } from './errors.ts'
import type * as wire from '../contract/wire.ts'

const known = new Set(['state', ...Object.keys(configurationFields)])

type SettingsRead =
  | { readonly settings: RecordedSettings; readonly rejection: null }
  | { readonly settings: null; readonly rejection: OperationRejection }

export function readSettings(body: wire.WriteQueue): SettingsRead {
  // The schema has checked the known fields. Unknown fields are ignored.
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
