/** The settings of a queue out of a body, and nothing else that is in it. */

import { configurationFields } from '../../engine/index.ts'
import type { OperationRejection } from '../errors.ts'
import type * as wire from '../wire.ts'
import type { QueueSettings } from '../yard/commands.ts'

const known = new Set(['state', ...Object.keys(configurationFields)])

type Read =
  | { readonly settings: QueueSettings; readonly rejection: null }
  | { readonly settings: null; readonly rejection: OperationRejection }

export function readSettings(body: wire.WriteQueue): Read {
  // What the schema has let through, field by field; fields it does not know are ignored.
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
