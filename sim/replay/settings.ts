/**
 * Recorded changes of settings, without the settings that the user tries: these must stay in force.
 */

import type { UpdateQueue } from '../../engine/index.ts'

/** The names of the queue settings in these `path=value` texts. */
export function overriddenBy(settings: readonly string[]): ReadonlySet<string> {
  return new Set(settings.flatMap((setting) => /^queue\.(\w+)/.exec(setting)?.[1] ?? []))
}

/** The change without the overridden settings; null if nothing is left. */
export function commandSet(
  set: UpdateQueue['set'],
  overridden: ReadonlySet<string>,
): UpdateQueue['set'] | null {
  const left = Object.entries(set).filter(([name]) => !overridden.has(name))
  return left.length === 0 ? null : Object.fromEntries(left)
}
