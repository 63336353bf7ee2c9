import { varied } from './varied.ts'

/** Two weeks and a bit, so that neither minutes nor days fall on the same numbers. */
const shiftMs = 1_234_567_891

/** Fields that hold an instant. */
const instants: ReadonlySet<string> = new Set([
  'at',
  'startedAt',
  'deadline',
  'notBefore',
  'wakeAt',
])

/** The engine compares and adds times; what they are must not matter. */
export const timesShift = varied({
  name: 'times-shift',
  sentence: 'When everything happens so much later, everything happens just so much later.',
  begin: shiftMs,
  change: (name, value) =>
    instants.has(name) && typeof value === 'number' ? value + shiftMs : value,
})
