/** The budget of a tune run: work that is counted in events, so that any machine does the same. */

/**
 * Events that one core handles in a second, with a margin for slower machines and for all that is
 * not simulation. bench/README says how it was measured.
 */
const eventsPerSecond = 150_000
const cores = 2

/** A run costs this much besides its events: a message to a worker, a world, its figures. */
const eventsPerStart = 300

/** The shares of the search and of the sensitivity of the advice. The rest is left for the final. */
const searchShare = 0.65
const sensitivityShare = 0.2

/** A run that costs so many times today's is stopped: its setting does not keep up. */
const mostTimesToday = 20

export type Budget = { readonly text: string; readonly seconds: number }

export const defaultBudget = '2m'

const units = { s: 1, m: 60, h: 3600 } as const

/** Parses `90s`, `2m` or `1h`. Returns null for any other text. */
export function readBudget(text: string): Budget | null {
  const [, digits, unit] = /^(\d{1,4}(?:\.\d)?)([smh])$/.exec(text) ?? []
  if (digits === undefined || (unit !== 's' && unit !== 'm' && unit !== 'h')) return null
  const seconds = Number(digits) * units[unit]
  return seconds > 0 ? { text, seconds } : null
}

/** Returns the events that the budget stands for. */
export function eventsIn({ seconds }: Budget): number {
  return Math.round(seconds * eventsPerSecond * cores)
}

/** Returns the events of the search alone. */
export function searchEventsIn(budget: Budget): number {
  return Math.round(eventsIn(budget) * searchShare)
}

/** Returns the events of the sensitivity alone. */
export function sensitivityEventsIn(budget: Budget): number {
  return Math.round(eventsIn(budget) * sensitivityShare)
}

/** A budget from this on is enough for a second bracket of finer steps. */
const fineSeconds = 300

export function hasFineSteps({ seconds }: Budget): boolean {
  return seconds >= fineSeconds
}

/** Returns the cost of a run with so many events. */
export function costOf(events: number): number {
  return events + eventsPerStart
}

/** Returns the events after which a run is stopped, given those of today's setting. */
export function stopAfter(eventsToday: readonly number[]): number {
  return mostTimesToday * Math.max(1, ...eventsToday)
}
