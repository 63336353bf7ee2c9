/** A day that a search makes worse: the draws of one seed as a list, what is exchanged in it, and named events. */

import { sequenceOf } from '../random/draw.ts'
import { generatedCount } from '../scenario/scenario.ts'
import type { PullRequestEntry, Scenario, ScenarioEvent } from '../scenario/scenario.ts'
import { expand } from '../shrink/expand.ts'
import { historyDays, partOf } from '../world/history.ts'

/** A day of more pull requests would be no day that a reader can follow. */
const most = 60

/** Who was evicted comes again, as in a comparison. */
const usualResubmit = { afterMinutes: 15 }

/** Returns a day of the scenario: the first pull requests of its stream, or a day of its history. */
export function dayOf(scenario: Scenario, seed: number): Scenario {
  const { expect: _expect, mustFail: _mustFail, keptApartFrom: _apart, ...rest } = scenario
  const common = { ...rest, seed, resubmit: scenario.resubmit ?? usualResubmit }
  const { traffic, pullRequests = [], events = [] } = common
  const count = generatedCount(scenario)
  if (traffic && count > 0)
    return { ...common, traffic: { ...traffic, count: Math.min(count, most) } }
  if (pullRequests.length <= most) return common
  const days = historyDays(scenario).days.filter((day) => day.length > 0)
  const own = (days[seed % days.length] ?? []).slice(0, most)
  const ofPullRequests = events.filter((event) => 'number' in event)
  return partOf({ ...common, events: ofPullRequests }, own, own[0]?.at ?? 0)
}

/** What may happen on any day, once each; where it begins, as a share of the day, or null. */
type Named = {
  /** CI is down for an hour: runs are lost. */
  readonly ciDown: number | null
  /** Somebody pushes past the queue, and the branch is broken until it is mended. */
  readonly push: number | null
  /** Eight pull requests come at once and are urgent. */
  readonly storm: number | null
  /** The first run of each of ten pull requests flakes. */
  readonly flaky: number | null
}

const names = ['ciDown', 'push', 'storm', 'flaky'] as const satisfies readonly (keyof Named)[]

export type Genome = { readonly day: Scenario; readonly named: Named }

const none: Named = { ciDown: null, push: null, storm: null, flaky: null }

export function genomeOf(day: Scenario): Genome {
  const listed = expand(day)
  const pullRequests = (listed.pullRequests ?? []).toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))
  return { day: { ...listed, pullRequests }, named: none }
}

const [downMinutes, mendMinutes, stormSize, flakySize] = [60, 60, 8, 10]

export function scenarioOf({ day, named }: Genome): Scenario {
  const { pullRequests = [], events = [], faults, mend } = day
  const indexAt = (share: number): number => Math.floor(share * pullRequests.length)
  const minutesAt = (share: number): number => Math.floor(pullRequests[indexAt(share)]?.at ?? 0)
  const isWithin = (index: number, share: number | null, size: number): boolean =>
    share !== null && index >= indexAt(share) && index < indexAt(share) + size
  const changed = pullRequests.map((entry, index): PullRequestEntry => {
    const { flakyRuns = [] } = entry
    const flakes = isWithin(index, named.flaky, flakySize) && !flakyRuns.includes(1)
    return {
      ...entry,
      ...(flakes ? { flakyRuns: [1, ...flakyRuns] } : {}),
      ...(named.storm !== null && isWithin(index, named.storm, stormSize)
        ? { at: minutesAt(named.storm), priority: 'urgent' }
        : {}),
    }
  })
  const push: ScenarioEvent[] =
    named.push === null
      ? []
      : [{ at: minutesAt(named.push), do: 'pushToBranch', breaks: ['a push past the queue'] }]
  const outages =
    named.ciDown === null ? [] : [{ from: minutesAt(named.ciDown), minutes: downMinutes }]
  return {
    ...day,
    pullRequests: changed,
    events: [...events, ...push].toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0)),
    ...(push.length === 0 ? {} : { mend: mend ?? { afterMinutes: mendMinutes } }),
    ...(outages.length === 0
      ? {}
      : { faults: { ...faults, outages: [...(faults?.outages ?? []), ...outages] } }),
  }
}

// Steps to a day nearby: as many break, flake and wait as before, but others, or at other times.

type Next = () => number

/** Draws a number for each choice of a climb. */
export const choicesOf = (seed: number): Next => sequenceOf(seed, 'worst')

export function stepFrom(genome: Genome, next: Next): Genome {
  const { day, named } = genome
  const { pullRequests = [] } = day
  const index = (): number => Math.floor(next() * pullRequests.length)
  const steps: readonly (() => Genome)[] = [
    () => ({
      ...genome,
      day: { ...day, pullRequests: withTruthExchanged(pullRequests, index(), index()) },
    }),
    () => ({
      ...genome,
      day: { ...day, pullRequests: withGapsExchanged(pullRequests, index(), index()) },
    }),
    () => ({ ...genome, day: { ...day, seed: Math.floor(next() * 1e6) } }),
    () => {
      const name = names[Math.floor(next() * names.length)] ?? 'push'
      const share = next()
      return { ...genome, named: { ...named, [name]: next() < 1 / 5 ? null : share } }
    },
  ]
  return steps[Math.floor(next() * steps.length)]?.() ?? genome
}

const truths = new Set(['breaks', 'flakyRuns', 'flakeRate', 'testMinutes', 'priority', 'noBatch'])

/** Who breaks, flakes, is urgent or takes long is somebody else; who comes when, and who clashes, stays. */
function withTruthExchanged(
  entries: readonly PullRequestEntry[],
  a: number,
  b: number,
): PullRequestEntry[] {
  const [one, other] = [entries[a], entries[b]]
  if (!one || !other) return [...entries]
  const pick = (entry: PullRequestEntry, isTruth: boolean): Partial<PullRequestEntry> =>
    Object.fromEntries(Object.entries(entry).filter(([key]) => truths.has(key) === isTruth))
  const mixed = (entry: PullRequestEntry, from: PullRequestEntry): PullRequestEntry => {
    return { number: entry.number, ...pick(entry, false), ...pick(from, true) }
  }
  return entries.map((entry, index) => {
    if (index === a) return mixed(one, other)
    return index === b ? mixed(other, one) : entry
  })
}

/** The times between arrivals are the same, in another order. */
function withGapsExchanged(
  entries: readonly PullRequestEntry[],
  a: number,
  b: number,
): PullRequestEntry[] {
  const gaps = entries.map(({ at = 0 }, index) => at - (entries[index - 1]?.at ?? 0))
  const [one = 0, other = 0] = [gaps[a], gaps[b]]
  gaps[a] = other
  gaps[b] = one
  let at = 0
  return entries.map((entry, index) => {
    at += gaps[index] ?? 0
    return { ...entry, at }
  })
}
