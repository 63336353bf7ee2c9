/** What the fields of commands, events and states hold, at any depth. */

import type { Millis } from '../../engine/index.ts'

const instants: ReadonlySet<string> = new Set([
  'at',
  'now',
  'since',
  'until',
  'wakeAt',
  'nextDeadline',
  'startedAt',
  'deadline',
  'notBefore',
  'heldUntil',
  'stateChangedAt',
  'submittedAt',
  'pendingSince',
])

/** Moves an instant; other fields stay as they are. */
export const movedBy =
  (by: Millis) =>
  (name: string, value: unknown): unknown =>
    instants.has(name) && typeof value === 'number' ? value + by : value

/** They hold the number of a pull request, or a list of them. */
export const pullRequestFields = [
  'number',
  'numbers',
  'with',
  'leftWith',
  'members',
  'base',
  'tested',
  'conflictsWith',
  'dependsOn',
  'handedOver',
  'proven',
  'open',
  'merging',
] as const

/** A copy by JSON, of which some fields are written otherwise. */
export function copyOf<T>(value: T, write?: (name: string, value: unknown) => unknown): T {
  const copy: T = JSON.parse(JSON.stringify(value, write))
  return copy
}
