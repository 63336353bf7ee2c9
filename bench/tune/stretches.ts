/**
 * The advice in the stretches of a history. Seeds draw other weeks, but only of the whole history: they
 * cannot tell whether the advice depends on the season.
 */

import { relationsWithin, withoutRelations } from '../../sim/scenario/scenario.ts'
import type { PullRequestEntry, Scenario } from '../../sim/scenario/scenario.ts'
import { toMinutes } from '../../sim/scenario/time.ts'
import { meanOf } from '../../sim/statistics/interval.ts'
import { arrivalOf, historyDays, blockDaysOf } from '../../sim/world/history.ts'
import type { Candidate } from './candidates.ts'
import type { Preference } from './figures.ts'
import type { SettingRunner, Trial } from './runner.ts'
import { scorePairs } from './verdict.ts'

/** Consecutive days of a history, as pull requests of its own. */
type Stretch = { readonly days: number; readonly pullRequests: readonly PullRequestEntry[] }

/** How a setting compares with today's in one stretch. */
export type StretchResult = {
  readonly days: number
  readonly pullRequests: number
  readonly isBetter: boolean
}

const howMany = 4

/** Fewer pull requests in a stretch say little. */
const fewestEach = 50

const seedsEach = 10

/**
 * Returns up to four stretches with about as many pull requests each; none if the history is short.
 */
export function stretchesOf(scenario: Scenario): Stretch[] {
  const { pullRequests = [], traffic, events = [] } = scenario
  const isPlain = !traffic && events.length === 0
  if (!isPlain || blockDaysOf(scenario) === null || pullRequests.length < howMany * fewestEach) {
    return []
  }
  const { days, dayMs } = historyDays(scenario)
  const stretches: PullRequestEntry[][][] = Array.from({ length: howMany }, () => [])
  let before = 0
  for (const day of days) {
    const at = Math.floor((howMany * before) / pullRequests.length)
    stretches[Math.min(howMany - 1, at)]?.push([...day])
    before += day.length
  }
  let firstDay = 0
  // A day that is busier than a stretch leaves the next one without a day.
  const some = stretches.filter((own) => own.length > 0)
  return some.map((own) => {
    const shiftMs = firstDay * dayMs
    firstDay += own.length
    return { days: own.length, pullRequests: alone(own.flat(), shiftMs) }
  })
}

/** Without relations to others, and on the first days. */
function alone(entries: readonly PullRequestEntry[], shiftMs: number): PullRequestEntry[] {
  const numbers = new Set(entries.map(({ number }) => number))
  return entries.map((entry) => ({
    ...withoutRelations(entry),
    at: toMinutes(Math.max(0, arrivalOf(entry) - shiftMs)),
    ...relationsWithin(entry, (each) => (numbers.has(each) ? each : null)),
  }))
}

export type StretchRequest = {
  readonly scenario: Scenario
  readonly subject: Trial
  readonly today: Trial
  readonly seeds: readonly number[]
  readonly preference: Preference
}

/** Compares a setting with today's in each stretch; returns none if the history has no stretches. */
export async function inStretches(
  runner: SettingRunner,
  request: StretchRequest,
): Promise<StretchResult[]> {
  const { scenario, subject, today, seeds, preference } = request
  const stretches = stretchesOf(scenario)
  if (stretches.length === 0) return []
  const both = [subject.candidate, today.candidate]
  const settings = stretches.flatMap((stretch) => both.map((each) => within(each, stretch)))
  const done = await runner.run(settings, seeds.slice(0, seedsEach), 'stretches of the history')
  return stretches.flatMap(({ days, pullRequests }, index) => {
    const [own, base] = done.slice(2 * index, 2 * index + 2)
    if (!own || !base) return []
    const { values } = scorePairs(preference, own.runs, base.runs)
    const isBetter = values.length > 0 && meanOf(values) < 0
    return [{ days, pullRequests: pullRequests.length, isBetter }]
  })
}

function within(candidate: Candidate, { pullRequests }: Stretch): Candidate {
  return { ...candidate, scenario: { ...candidate.scenario, pullRequests } }
}

/** True if a setting is better in all stretches but one: then the advice is not that of a season. */
export function holdsIn(stretches: readonly StretchResult[]): boolean {
  return stretches.filter(({ isBetter }) => isBetter).length >= stretches.length - 1
}
