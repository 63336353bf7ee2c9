/**
 * The advice in the stretches of a history. Seeds draw other weeks, but only of the whole history: they
 * cannot tell whether the advice depends on the season.
 */

import { relationsWithin, withoutRelations } from '../../sim/scenario/scenario.ts'
import type { PullRequestEntry, Scenario } from '../../sim/scenario/scenario.ts'
import { toMinutes } from '../../sim/scenario/time.ts'
import { meanOf } from '../../sim/statistics/interval.ts'
import { arrivalOf, historyDays, blockDaysOf } from '../../sim/world/history.ts'
import { within } from './candidates.ts'
import type { Decided } from './final.ts'
import type { Trial } from './runner.ts'
import { type Effects, type Verdict, effectsOf, scorePairs } from './verdict.ts'

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

/**
 * Tries the advised setting in each stretch, or the one that may be better. What is better on the
 * whole history and not in its stretches is not advised.
 */
export async function inStretches(
  decided: Decided,
): Promise<{ readonly verdict: Verdict; readonly stretches: readonly StretchResult[] }> {
  const { verdict, today } = decided
  const isBetter = verdict.kind === 'change' && verdict.because === 'better'
  const subject = isBetter ? verdict.choice : verdict.best
  if (!(isBetter || verdict.kind === 'unsure') || subject === today) {
    return { verdict, stretches: [] }
  }
  const stretches = await inEach(stretchesOf(decided.request.scenario), subject, decided)
  if (!isBetter || holdsIn(stretches)) return { verdict, stretches }
  const kept = { choice: today, best: subject, tied: [] }
  return { verdict: { kind: 'unsure', ...kept, moreSeeds: null }, stretches }
}

/** Compares a setting with today's in each stretch. */
async function inEach(
  stretches: readonly Stretch[],
  subject: Trial,
  { today, runner, request: { seeds, preference } }: Decided,
): Promise<StretchResult[]> {
  if (stretches.length === 0) return []
  const both = [subject.candidate, today.candidate]
  const settings = stretches.flatMap(({ pullRequests }) =>
    both.map((each) => within(each, { pullRequests })),
  )
  const done = await runner.run(settings, seeds.slice(0, seedsEach), 'stretches of the history')
  return stretches.flatMap(({ days, pullRequests }, index) => {
    const [own, base] = done.slice(2 * index, 2 * index + 2)
    if (!own || !base) return []
    const { values } = scorePairs(preference, own.runs, base.runs)
    const isBetter = values.length > 0 && meanOf(values) < 0
    return [{ days, pullRequests: pullRequests.length, isBetter }]
  })
}

/** True if a setting is better in all stretches but one: then the advice is not that of a season. */
export function holdsIn(stretches: readonly StretchResult[]): boolean {
  return stretches.filter(({ isBetter }) => isBetter).length >= stretches.length - 1
}

export type UnseenResult = { readonly pullRequests: number; readonly againstToday: Effects }

/** Tries the advice on the part of the history that nothing was searched on; null without either. */
export async function onUnseen(decided: Decided): Promise<UnseenResult | null> {
  const { verdict, today, runner, request, least } = decided
  if (verdict.kind !== 'change' || !request.unseen) return null
  const { pullRequests = [], events = [] } = request.unseen
  const settings = [verdict.choice, today].map(({ candidate }) =>
    within(candidate, { pullRequests, events }),
  )
  const [own, base] = await runner.run(settings, request.seeds, 'what was kept apart')
  if (!own || !base) return null
  const [againstToday = {}] = effectsOf([own], base, least)
  return { pullRequests: pullRequests.length, againstToday }
}
