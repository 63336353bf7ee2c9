/** The rungs of a search: how many settings run in each, and on how many seeds. */

/** How many settings reach the final, with today's besides. */
export const finalists = 6

/**
 * Returns how many settings enter each rung: all, then half of them, until the next half would be
 * the finalists. No rung is needed if no more settings exist than the final takes.
 */
export function rungsOf(settings: number): number[] {
  const sizes: number[] = []
  for (let left = settings; left > finalists; left = Math.max(finalists, Math.ceil(left / 2))) {
    sizes.push(left)
  }
  return sizes
}

/** Fewer seeds in the first rung would drop settings by luck. */
const fewestInFirst = 2

/** More seeds in one rung tell nothing that the final does not tell better. */
const mostInRung = 40

export type RungPlan = {
  /** What is left for the search, and for how many rungs. */
  readonly eventsLeft: number
  readonly rungsLeft: number
  readonly isFirst: boolean
  readonly settings: number
  /** The mean events of a run of the settings that are left. */
  readonly eventsPerRun: number
  /** Runs on seeds of earlier rungs, of settings that joined late. */
  readonly runsToCatchUp: number
}

/** Every rung gets the same share of what is left, and every setting in it the same new seeds. */
export function newSeedsOf(plan: RungPlan): number {
  const share = plan.eventsLeft / plan.rungsLeft
  const runs = share / plan.eventsPerRun - plan.runsToCatchUp
  const least = plan.isFirst ? fewestInFirst : 1
  return Math.min(mostInRung, Math.max(least, Math.floor(runs / plan.settings)))
}

export type JoiningPlan = Pick<RungPlan, 'eventsLeft' | 'rungsLeft' | 'eventsPerRun'> & {
  /** How many settings join late. */
  readonly joining: number
  /** The seeds so far. */
  readonly seeds: number
}

/** Settings that join late cost at most this share of a rung, so that it has new seeds for all. */
const joiningShare = 0.5

/** Returns on how many of the last seeds the settings run that join late. */
export function sharedSeedsOf(plan: JoiningPlan): number {
  const { eventsLeft, rungsLeft, eventsPerRun, joining, seeds } = plan
  const share = (joiningShare * eventsLeft) / rungsLeft
  return Math.min(seeds, Math.max(1, Math.floor(share / (eventsPerRun * joining))))
}

/** Half of the search may go into the first rung, so that a wide search is possible. */
const firstRungShare = 0.5

/** Returns how many settings the budget can try at all. */
export function affordable(searchEvents: number, eventsPerRun: number): number {
  const runs = (searchEvents * firstRungShare) / eventsPerRun
  return Math.max(finalists + 1, Math.floor(runs / fewestInFirst))
}
