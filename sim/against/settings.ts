/** Settings that are tried stay as they are tried: what was changed on the way does not undo them. */

import type { UpdateQueue } from '../../engine/index.ts'

/** The settings of the queue that these `path=value` name. */
export function overriddenBy(settings: readonly string[]): ReadonlySet<string> {
  return new Set(settings.flatMap((setting) => /^queue\.(\w+)/.exec(setting)?.[1] ?? []))
}

/** What is left of a change; null for nothing. */
export function commandSet(
  set: UpdateQueue['set'],
  overridden: ReadonlySet<string>,
): UpdateQueue['set'] | null {
  const left = Object.entries(set).filter(([name]) => !overridden.has(name))
  return left.length === 0 ? null : Object.fromEntries(left)
}
