/**
 * How far the advice holds if an assumption is otherwise: each is tried at a ladder of values, with
 * the advised setting and those that may take its place on the same seeds. Where the advice changes,
 * the place is bisected. Slopes at today's value would mislead: a lead may first grow, and then turn.
 */

import type { Preference } from '../figures/wishes.ts'
import { costOf } from '../search/budget.ts'
import { untried, type SettingRunner, type Trial } from '../search/run-settings.ts'
import type { Candidate } from '../settings/candidates.ts'
import { plain, type Assumption } from './assumptions.ts'
import { leadOver, luckOf, type Contest } from './leads.ts'
import { between, limitOf, onAverage, type Limit, type TriedValue } from './limits.ts'

export type SensitivityRequest = {
  readonly contest: Contest
  readonly assumptions: readonly Assumption[]
  /** The seeds of the final. */
  readonly seeds: readonly number[]
  readonly preference: Preference
  /** The work that may be spent, in the unit of the runner's cost. */
  readonly budget: number
  readonly mostEvents: number
}

/** An assumption with the values at which it was tried. */
export type Examined = { readonly assumption: Assumption; readonly points: readonly TriedValue[] }

export type Sensitivity = {
  readonly examined: readonly Examined[]
  /** Those for which the budget did not suffice. */
  readonly untried: readonly Assumption[]
}

const mostSeeds = 10

/** Fewer pairs have no interval. */
const fewestSeeds = 5

const bisections = 3

export async function sensitivityOf(
  runner: SettingRunner,
  request: SensitivityRequest,
): Promise<Sensitivity> {
  const examiner = new Examiner(runner, request)
  const examined: Examined[] = []
  const untriedOnes: Assumption[] = []
  for (const [index, assumption] of request.assumptions.entries()) {
    const left = request.assumptions.slice(index)
    const points = await examiner.ladder(assumption, left)
    if (points) examined.push({ assumption, points })
    else untriedOnes.push(assumption)
  }
  const refined: Examined[] = []
  for (const each of examined) refined.push(await examiner.bisected(each))
  return { examined: refined, untried: untriedOnes }
}

/** Returns the values from today's outwards: the greater ones, or the lesser ones. */
export function outwards({ assumption, points }: Examined, to: 'low' | 'high'): TriedValue[] {
  const { today } = assumption
  return to === 'high'
    ? points.filter(({ value }) => value >= today)
    : points.filter(({ value }) => value <= today).toReversed()
}

class Examiner {
  readonly #runner: SettingRunner
  readonly #request: SensitivityRequest
  readonly #start: number
  /** The settings of the contest, the examined one first. */
  readonly #settings: readonly Trial[]
  readonly #costPerSeed: number

  constructor(runner: SettingRunner, request: SensitivityRequest) {
    this.#runner = runner
    this.#request = request
    this.#start = runner.cost
    const { subject, rivals } = request.contest
    this.#settings = [subject, ...rivals.map(({ trial }) => trial)]
    this.#costPerSeed = this.#settings.reduce((sum, trial) => sum + meanCost(trial), 0)
  }

  get #left(): number {
    return this.#request.budget - (this.#runner.cost - this.#start)
  }

  /** Tries all values; null if what is left of the budget does not suffice. */
  async ladder(
    assumption: Assumption,
    left: readonly Assumption[],
  ): Promise<readonly TriedValue[] | null> {
    const values = left.reduce((sum, each) => sum + each.values.length - 1, 0)
    const seeds = Math.floor(this.#left / (this.#costPerSeed * values))
    const ownMost = Math.floor(this.#left / (this.#costPerSeed * (assumption.values.length - 1)))
    const count = Math.min(mostSeeds, Math.max(seeds, Math.min(ownMost, fewestSeeds)))
    if (count < fewestSeeds) return null
    const others = assumption.values.filter((value) => value !== assumption.today)
    const tried = await this.#tried(assumption, others, count)
    const today = this.#pointOf(assumption.today, this.#settings, null)
    return today && inOrder([...tried, today])
  }

  /** Halves the way to the nearest value at which the advice changes, on both sides. */
  async bisected({ assumption, points }: Examined): Promise<Examined> {
    let found: Examined = { assumption, points }
    for (const side of ['low', 'high'] as const) {
      for (let step = 0; step < bisections; step++) {
        const limit = limitOf(outwards(found, side), onAverage)
        const value = limit && middleOf(limit, assumption)
        if (value === null || this.#left < this.#costPerSeed * mostSeeds) break
        const [point] = await this.#tried(assumption, [value], mostSeeds)
        if (!point) break
        found = { assumption, points: inOrder([...found.points, point]) }
      }
    }
    return found
  }

  async #tried(
    assumption: Assumption,
    values: readonly number[],
    count: number,
  ): Promise<TriedValue[]> {
    const { seeds, mostEvents } = this.#request
    const settings = values.flatMap((value) =>
      this.#settings.map(({ candidate }) => untried(candidateAt(candidate, assumption, value))),
    )
    const title = `sensitivity to ${assumption.name}`
    const done = await this.#runner.run(settings, seeds.slice(0, count), { title, mostEvents })
    const size = this.#settings.length
    return values.flatMap(
      (value, index) =>
        this.#pointOf(value, done.slice(index * size, (index + 1) * size), count) ?? [],
    )
  }

  /** Returns the leads at a value that was tried on the first of the seeds; null for all of them. */
  #pointOf(value: number, trials: readonly Trial[], count: number | null): TriedValue | null {
    const { contest, preference } = this.#request
    const [subject, ...others] = trials
    if (!subject) return null
    const leads = contest.rivals.flatMap((rival, index) => {
      const trial = others[index]
      const lead = trial ? leadOver(subject, { ...rival, trial }, preference) : null
      if (!lead) return []
      const luck = count === null ? 0 : luckOf(contest.subject, rival, { preference, count })
      return [{ mean: lead.mean - luck, surely: lead.surely - luck }]
    })
    return leads.length === contest.rivals.length ? { value, leads } : null
  }
}

/** A setting that names its own concurrency keeps it, whatever today's is. */
function candidateAt(candidate: Candidate, assumption: Assumption, value: number): Candidate {
  const { name, today: from } = assumption
  const isOwn = name === 'concurrency' && 'queue.concurrency' in candidate.assignments
  return isOwn ? candidate : { ...candidate, change: { name, from, to: value } }
}

function middleOf({ inside, outside }: Limit, { name }: Assumption): number | null {
  const middle = plain(between(inside, outside, 1 / 2))
  const value = name === 'concurrency' ? Math.round(middle) : middle
  return value === inside || value === outside ? null : value
}

function inOrder(points: readonly TriedValue[]): TriedValue[] {
  return points.toSorted((a, b) => a.value - b.value)
}

function meanCost({ events }: Trial): number {
  return events.reduce((sum, each) => sum + costOf(each), 0) / Math.max(1, events.length)
}
