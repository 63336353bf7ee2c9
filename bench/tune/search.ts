/**
 * Finds the settings that are worth a final. All settings of a grid run on the same seeds; then the
 * best one takes steps on each axis, as long as one is better. Events decide how many seeds there are,
 * not the clock, so the same command gives the same result on any machine.
 */

import { around, candidatesOf, distinct, type Candidate, type Candidates } from './candidates.ts'
import type { BadInput } from '../../server/terminal/bad-input.ts'
import { badUsage } from '../../server/terminal/options.ts'
import type { Ladders } from './axes.ts'
import { type Preference, meanScore } from './figures.ts'
import {
  type Budget,
  type SettingRunner,
  type Trial,
  budgetOf,
  eventsIn,
  meanCost,
} from './runner.ts'

/** Where a search looks: its axes, and what makes their settings. */
export type Space = Ladders & { readonly made: Candidates }

export type SearchOptions = {
  readonly budget: Budget
  /** The first of the seeds, which are other ones than those of the final. */
  readonly firstSeed: number
  /** The preferred one first. */
  readonly preferences: readonly Preference[]
  readonly space: Space
  /** True if a setting may be advised. Today's runs in any case. */
  readonly isAllowed: (candidate: Candidate) => boolean
  /** True if a final follows: then settings that all reach it are not searched. */
  readonly hasFinal: boolean
}

export type Search = {
  /** All settings that ran, today's first; none if all reach the final. */
  readonly tried: readonly Trial[]
  /** The settings for the final, without today's. */
  readonly finalists: readonly Candidate[]
  readonly today: Candidate
  readonly seeds: number
}

const searchShare = 0.5

/** More settings would leave too few seeds for each. */
const mostSettings = 256

const seedLimits = { fewest: 2, most: 10 } as const

/** How many settings reach the final, with today's besides. */
const mostFinalists = 6

/** The best setting takes at most so many steps. */
const mostSteps = 3

export async function searched(runner: SettingRunner, options: SearchOptions): Promise<Search> {
  const { budget, firstSeed, space, isAllowed, preferences, hasFinal } = options
  const { made, steps } = space
  const { today } = made
  const probe = [firstSeed, firstSeed + 1]
  const cost = meanCost(await runner.run([today], probe, today.name))
  if (hasFinal && cost > eventsIn(budget)) throw tooMuchWork(budget, cost)
  const affordable = eventsIn(budget, searchShare) / cost
  const most = Math.min(mostSettings, Math.max(mostFinalists + 1, affordable / seedLimits.fewest))
  const grid = candidatesOf(made, space.grid, { most, isAllowed })
  const besides = (candidate: Candidate): Candidate[] =>
    steps.flatMap((axis) => around(made, candidate, axis)).filter(isAllowed)
  if (hasFinal && distinct([...grid, ...besides(today)]).length <= mostFinalists + 1) {
    return { tried: [], finalists: grid.slice(1), today, seeds: 0 }
  }
  const count = Math.floor(affordable / grid.length)
  const seeds = seedsFrom(firstSeed, Math.min(seedLimits.most, Math.max(seedLimits.fewest, count)))
  const tried = await runner.run(grid, seeds, `search, ${grid.length} settings`)
  const [preference = 'balance'] = preferences
  for (let step = 0; step < mostSteps && runner.runs < affordable; step++) {
    const [best] = bestFirst(tried, preference)
    const known = new Set(tried.map(({ candidate }) => candidate.key))
    const next = best ? distinct(besides(best.candidate)).filter(({ key }) => !known.has(key)) : []
    if (next.length === 0) break
    tried.push(...(await runner.run(next, seeds, `step ${step + 1}, ${next.length} settings`)))
    if (bestFirst(tried, preference)[0] === best) break
  }
  const rivals = tried.slice(1)
  return { tried, finalists: finalistsOf(rivals, preferences), today, seeds: seeds.length }
}

/** Where all runs flake, and everybody comes again, a simulation is the work of minutes. */
function tooMuchWork({ text }: Budget, cost: number): BadInput {
  const expected = `${budgetOf(cost)} or more, the work of one simulation of today's setting`
  return badUsage('tune', `--budget ${text}`, expected)
}

/** The seeds of a search are far from those that a command names. */
const firstOfAll = 1_000_001

/** Returns the first seed of a search whose settings then run on these seeds. */
export function firstSearchSeed(seeds: readonly number[]): number {
  return Math.max(firstOfAll, Math.max(...seeds) + 1)
}

function seedsFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index)
}

/** The best under each preference, the best of each policy, and then the best under the preferred one. */
export function finalistsOf(
  trials: readonly Trial[],
  preferences: readonly Preference[],
): Candidate[] {
  const ranked = preferences.map((preference) => bestFirst(trials, preference))
  const [preferred = []] = ranked
  const ofPolicies = ['adaptive', 'documented'].flatMap(
    (policy) => preferred.find(({ candidate }) => candidate.labels['policy'] === policy) ?? [],
  )
  const chosen = [...ranked.flatMap(([best]) => best ?? []), ...ofPolicies, ...preferred]
  return distinct(chosen.map(({ candidate }) => candidate)).slice(0, mostFinalists)
}

/** Of equal ones the first, which is nearer to today's. */
export function bestFirst(trials: readonly Trial[], preference: Preference): Trial[] {
  return trials.toSorted((a, b) => meanScore(a.runs, preference) - meanScore(b.runs, preference))
}
