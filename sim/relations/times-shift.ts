import { varied } from './varied.ts'

/** About two weeks, and neither whole minutes nor whole days. */
const shiftMs = 1_234_567_891

/** Fields that hold a time. */
const instants: ReadonlySet<string> = new Set([
  'at',
  'startedAt',
  'deadline',
  'notBefore',
  'heldUntil',
  'wakeAt',
  'since',
  'until',
])

/** The engine compares and adds times; their absolute values must not matter. */
export const timesShift = varied({
  name: 'times-shift',
  sentence:
    'When everything happens later by the same time, every event comes later by the same time, and nothing else is different.',
  begin: shiftMs,
  change: (name, value) =>
    instants.has(name) && typeof value === 'number' ? value + shiftMs : value,
})
