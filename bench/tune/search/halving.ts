/**
 * Successive halving: all settings run on a few seeds, the better half of them on more, and so on.
 * Every rung has new seeds, the same for all, and costs about the same. Events decide how many, not
 * the clock, so the same command gives the same result on any machine.
 */

import type { TuneFigures } from '../figures/figures.ts'
import { type Preference, meanScore } from '../figures/wishes.ts'
import { type Candidate, distinct } from '../settings/candidates.ts'
import { type Budget, costOf, searchEventsIn, stopAfter } from './budget.ts'
import { type SettingRunner, type Trial, untried } from './run-settings.ts'

export type SearchOptions = {
  readonly budget: Budget
  /** All settings run in one round, from which the finalists come, and none joins late. */
  readonly isOneRound: boolean
  /** The first of the seeds, which are other ones than those of the final. */
  readonly firstSeed: number
  /** The preferred wish first. */
  readonly wishes: readonly Preference[]
  /** Returns the settings, today's first and the nearest next, at most as many as given. */
  readonly candidates: (most: number) => readonly Candidate[]
  /** True if a setting may be advised. Today's runs in any case. */
  readonly isAllowed: (candidate: Candidate) => boolean
  /** Returns the settings that more rungs try around one that is left; null for no such rungs. */
  readonly moves: ((candidate: Candidate) => readonly Candidate[]) | null
  /** How many such rungs there are: each halves those that joined. */
  readonly moreRungs: number
}

type Rung = { readonly settings: number; readonly seeds: number }

export type Search = {
  readonly rungs: readonly Rung[]
  /** All settings that ran, with the last rung that each reached, from 1. */
  readonly tried: readonly (Trial & { readonly rung: number })[]
  /** The survivors, without today's. */
  readonly finalists: readonly Candidate[]
  readonly today: Candidate
  /** The events after which a run is stopped. */
  readonly mostEvents: number
}

/** More settings would leave too few seeds for each. */
const mostSettings = 256

/** Seeds of today's setting alone, which say what a run costs. */
const probeSeeds = 2

export async function searched(runner: SettingRunner, options: SearchOptions): Promise<Search> {
  const { budget, firstSeed } = options
  const events = searchEventsIn(budget)
  const [today] = options.candidates(1)
  if (!today) throw new Error("today's setting is not among the candidates")
  const probe = [firstSeed, firstSeed + 1].slice(0, probeSeeds)
  const title = "today's setting"
  const [first = untried(today)] = await runner.run([untried(today)], probe, {
    title,
    mostEvents: null,
  })
  const mostEvents = stopAfter(first.events)
  const most = Math.min(mostSettings, affordable(events, meanCost([first])))
  const state = new Halving(runner, options, { events, mostEvents, today: first })
  return state.run(options.candidates(most).filter(({ isToday }) => !isToday))
}

type Limits = { readonly events: number; readonly mostEvents: number; readonly today: Trial }

class Halving {
  readonly #runner: SettingRunner
  readonly #options: SearchOptions
  readonly #limits: Limits
  readonly #rungs: Rung[] = []
  readonly #tried = new Map<string, Trial & { readonly rung: number }>()
  #today: Trial
  #seeds = 0
  /** The first seed that all settings have: those that join late lack the ones before. */
  #from = 0

  constructor(runner: SettingRunner, options: SearchOptions, limits: Limits) {
    this.#runner = runner
    this.#options = options
    this.#limits = limits
    this.#today = limits.today
  }

  async run(candidates: readonly Candidate[]): Promise<Search> {
    let left: readonly Trial[] = candidates.map(untried)
    const { isOneRound, moreRungs } = this.#options
    const moves = isOneRound ? null : this.#options.moves
    const sizes = isOneRound ? [left.length] : rungsOf(left.length)
    const rungs = sizes.length + (moves ? moreRungs : 0)
    for (const index of sizes.keys()) {
      const keep = sizes[index + 1] ?? finalists
      left = this.#best(await this.#rung(left, rungs - index), keep)
    }
    const joining = this.#joining(left)
    if (joining.length > 0) left = await this.#joined([...left, ...joining.map(untried)])
    return {
      rungs: this.#rungs,
      tried: [...this.#tried.values()],
      finalists: left.map(({ candidate }) => candidate),
      today: this.#today.candidate,
      mostEvents: this.#limits.mostEvents,
    }
  }

  /** Halves the survivors and those that joined them, until the finalists are left. */
  async #joined(all: readonly Trial[]): Promise<readonly Trial[]> {
    const { moreRungs } = this.#options
    let left = all
    for (let index = 0; index < moreRungs; index++) {
      const isLast = index === moreRungs - 1
      const keep = isLast ? finalists : Math.max(finalists, Math.ceil(left.length / 2))
      left = this.#best(await this.#rung(left, moreRungs - index), keep)
    }
    return left
  }

  /** Returns the settings that the last rungs try besides those that are left. */
  #joining(left: readonly Trial[]): Candidate[] {
    const { isAllowed, isOneRound, moves } = this.#options
    if (!moves || isOneRound) return []
    const known = new Set([this.#today, ...this.#tried.values(), ...left].map(keyOf))
    const around = distinct(left.flatMap(({ candidate }) => moves(candidate)))
    return around.filter((each) => !known.has(each.key) && isAllowed(each))
  }

  /**
   * Runs settings, and today's with them, on new seeds. Settings that join late also run on the last
   * of the seeds before; as many as cost no more than half of the rung.
   */
  async #rung(trials: readonly Trial[], rungsLeft: number): Promise<Trial[]> {
    const { firstSeed } = this.#options
    const { events, mostEvents } = this.#limits
    const all = [this.#today, ...trials]
    const veterans = all.filter(({ runs }) => runs.length > 0)
    const planned = {
      eventsLeft: events - this.#runner.cost,
      rungsLeft,
      eventsPerRun: meanCost(veterans),
    }
    const joining = all.length - veterans.length
    const isFirst = this.#rungs.length === 0
    if (!isFirst && joining > 0) {
      this.#from = this.#seeds - sharedSeedsOf({ ...planned, joining, seeds: this.#seeds })
    }
    const shared = this.#seeds - this.#from
    const added = newSeedsOf({
      ...planned,
      isFirst,
      settings: all.length,
      runsToCatchUp: joining * shared,
    })
    this.#seeds += added
    const first = firstSeed + this.#from
    const seeds = Array.from({ length: shared + added }, (_, index) => first + index)
    const rung = this.#rungs.length + 1
    const title = `rung ${rung} of ${rung + rungsLeft - 1}, ${all.length} settings`
    const done = await this.#runner.run(all, seeds, { title, mostEvents })
    this.#rungs.push({ settings: all.length, seeds: this.#seeds })
    for (const trial of done) this.#tried.set(keyOf(trial), { ...trial, rung })
    const [today = this.#today, ...others] = done
    this.#today = today
    return others
  }

  #best(trials: readonly Trial[], keep: number): Trial[] {
    const fast = trials.filter(({ isTooSlow }) => !isTooSlow)
    const runs = runsInCommon(fast)
    const rankings = this.#options.wishes.map((wish) =>
      ranksOf(runs.map((each) => meanScore(each, wish))),
    )
    const kept = new Set(survivors(rankings, keep))
    return fast.filter((_, index) => kept.has(index))
  }
}

/** Returns the runs of each setting on the seeds that all of them have. */
function runsInCommon(trials: readonly Trial[]): TuneFigures[][] {
  const known = trials.map(({ seeds }) => new Set(seeds))
  return trials.map(({ seeds, runs }) =>
    runs.filter((_, index) => known.every((each) => each.has(seeds[index] ?? NaN))),
  )
}

function keyOf({ candidate }: Trial): string {
  return candidate.key
}

function meanCost(trials: readonly Trial[]): number {
  const all = trials.flatMap(({ events }) => events.map(costOf))
  return all.reduce((sum, cost) => sum + cost, 0) / Math.max(1, all.length)
}

// Which settings survive a rung.

/**
 * Returns the rank of each score; the least has rank 1. Of equal scores the first has the better
 * rank, because settings are listed by their distance from today's.
 */
export function ranksOf(scores: readonly number[]): number[] {
  const order = scores.map((score, index) => ({ score, index }))
  order.sort((a, b) => (a.score === b.score ? a.index - b.index : a.score - b.score))
  const ranks: number[] = []
  for (const [position, { index }] of order.entries()) ranks[index] = position + 1
  return ranks
}

/**
 * Returns the positions of the settings that survive, in ascending order: those with the best rank
 * under any wish. The first ranking, the preferred wish, decides between equals.
 */
export function survivors(rankings: readonly (readonly number[])[], keep: number): number[] {
  const [preferred = []] = rankings
  const bestOf = (index: number): number =>
    Math.min(...rankings.map((ranks) => ranks[index] ?? Infinity))
  return preferred
    .map((rank, index) => ({ index, rank, best: bestOf(index) }))
    .toSorted((a, b) => a.best - b.best || a.rank - b.rank)
    .slice(0, keep)
    .map(({ index }) => index)
    .toSorted((a, b) => a - b)
}

// The rungs of a search: how many settings run in each, and on how many seeds.

/** How many settings reach the final, with today's besides. */
const finalists = 6

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

type RungPlan = {
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

type JoiningPlan = Pick<RungPlan, 'eventsLeft' | 'rungsLeft' | 'eventsPerRun'> & {
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
