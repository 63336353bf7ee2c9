/** Extracts the settings of a queue from a body. */

import { closest } from 'fastest-levenshtein'
import { configurationFields, removedSettings, type RecordedSettings } from '../../engine/index.ts'
import { shown } from '../http/shortened.ts'
import type { OperationRejection } from './errors.ts'
import type * as wire from '../contract/wire.ts'

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

export function readSettings(body: wire.WriteQueue): SettingsRead {
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
