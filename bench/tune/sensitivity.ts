/**
 * How far the advice holds if an assumption is otherwise: each is tried at a ladder of values, with
 * the advised setting and those that may take its place on the same seeds. Where the advice changes,
 * the place is bisected. Slopes at today's value would mislead: a lead may first grow, and then turn.
 */

import { endsOf, meanOf } from '../../sim/statistics/interval.ts'
import { effectOf, limitsOf } from '../statistics/effects.ts'
import { type Assumption, assumptionsIn, ofPairs, plain } from './assumptions.ts'
import type { Candidate } from './candidates.ts'
import type { Preference } from './figures.ts'
import { type SettingRunner, type Trial, eventsIn, meanCost } from './runner.ts'
import type { Decided, TuneRequest } from './final.ts'
import { bestFirst } from './search.ts'
import { type Verdict, breaksMain, scorePairs } from './verdict.ts'

type Examined = { readonly assumption: Assumption; readonly points: readonly TriedValue[] }

export type Sensitivity = {
  /** How far each made-up assumption may move; null where nothing was decided. */
  readonly sensitivity: readonly SensitivityResult[] | null
  /** The assumptions for which the budget did not suffice. */
  readonly untried: readonly string[]
}

/** The share of the budget that is for the sensitivity of the advice. */
const sensitivityShare = 0.1

const mostSeeds = 10

/** Fewer pairs have no interval. */
const fewestSeeds = 5

const bisections = 3

/** Runs on the first seeds of the final. */
export async function sensitivityOf(decided: Decided): Promise<Sensitivity> {
  const { verdict, today, least, request } = decided
  const contest = contestOf(verdict, today, {
    rivals: bestFirst(decided.rivals, request.preference),
    least,
  })
  if (!contest || contest.rivals.length === 0 || isOfModel(contest)) {
    return { sensitivity: null, untried: [] }
  }
  const examiner = new Examiner(decided, contest)
  const assumptions = assumptionsIn(request.scenario)
  const examined: Examined[] = []
  const untried: string[] = []
  for (const [index, assumption] of assumptions.entries()) {
    const points = await examiner.ladder(assumption, assumptions.slice(index))
    if (points) examined.push({ assumption, points })
    else untried.push(assumption.name)
  }
  const found: SensitivityResult[] = []
  for (const each of examined) found.push(resultOf(await examiner.bisected(each), contest))
  // The assumption with the least distance to an end comes first.
  const nearest = found.toSorted((a, b) => (a.times ?? Infinity) - (b.times ?? Infinity))
  return { sensitivity: nearest, untried }
}

/** True if the settings themselves change what is assumed (`--set suite.minutes=5,10`). */
function isOfModel({ subject, rivals }: Contest): boolean {
  const settings = [subject, ...rivals.map(({ trial }) => trial)]
  return settings.some(({ candidate }) =>
    Object.keys(candidate.assignments).some((path) => !path.startsWith('queue.')),
  )
}

/** Returns the values from today's outwards: the greater ones, or the lesser ones. */
function outwards({ assumption, points }: Examined, to: 'low' | 'high'): TriedValue[] {
  const { today } = assumption
  return to === 'high'
    ? points.filter(({ value }) => value >= today)
    : points.filter(({ value }) => value <= today).toReversed()
}

class Examiner {
  readonly #runner: SettingRunner
  readonly #request: TuneRequest
  readonly #contest: Contest
  /** The settings of the contest, the examined one first. */
  readonly #settings: readonly Trial[]
  readonly #costPerSeed: number
  /** The cost of the runner at which the budget is spent. */
  readonly #end: number

  constructor({ runner, request }: Decided, contest: Contest) {
    this.#runner = runner
    this.#request = request
    this.#contest = contest
    this.#settings = [contest.subject, ...contest.rivals.map(({ trial }) => trial)]
    this.#costPerSeed = this.#settings.reduce((sum, trial) => sum + meanCost([trial]), 0)
    this.#end = runner.cost + eventsIn(request.budget, sensitivityShare)
  }

  get #left(): number {
    return this.#end - this.#runner.cost
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
    const { seeds } = this.#request
    const settings = values.flatMap((value) =>
      this.#settings.map(({ candidate }) => candidateAt(candidate, assumption, value)),
    )
    const title = `sensitivity to ${assumption.name}`
    const done = await this.#runner.run(settings, seeds.slice(0, count), title)
    const size = this.#settings.length
    return values.flatMap(
      (value, index) =>
        this.#pointOf(value, done.slice(index * size, (index + 1) * size), count) ?? [],
    )
  }

  /** Returns the leads at a value that was tried on the first of the seeds; null for all of them. */
  #pointOf(value: number, trials: readonly Trial[], count: number | null): TriedValue | null {
    const { preference } = this.#request
    const contest = this.#contest
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

// How far the advised setting leads over others.

/** Another setting, and by how much it may be better without being advised instead. */
export type Rival = { readonly trial: Trial; readonly slack: number }

/** The setting whose advice is examined, and those that may take its place. */
export type Contest = { readonly subject: Trial; readonly rivals: readonly Rival[] }

/**
 * Returns who is compared with whom; null where nothing was decided. Advice to change leads over
 * today's setting, and no setting of another kind is better by the least effect. Advice to keep
 * today's holds as long as no other is. Where nobody can
 * tell, any limit would be chance.
 */
export function contestOf(
  verdict: Verdict,
  today: Trial,
  { rivals, least }: { readonly rivals: readonly Trial[]; readonly least: number },
): Contest | null {
  const { choice, best } = verdict
  const fit = rivals.filter((trial) => !breaksMain(trial, today))
  const slackOf = (trial: Trial): Rival => ({ trial, slack: least })
  if (verdict.kind === 'change') {
    const other = otherKind(verdict, fit)
    const bases = verdict.because === 'better' ? [{ trial: today, slack: 0 }] : []
    return { subject: choice, rivals: [...bases, ...(other ? [slackOf(other)] : [])] }
  }
  const [other] = best === today ? fit : [best]
  return verdict.kind === 'keep' && other ? { subject: today, rivals: [slackOf(other)] } : null
}

/** The best of another kind than the advised setting; they are sorted, the best first. */
function otherKind({ choice }: Verdict, fit: readonly Trial[]): Trial | null {
  const others = fit.filter((trial) => trial !== choice)
  return others.find((trial) => kindOf(trial) !== kindOf(choice)) ?? others[0] ?? null
}

/** Settings of one kind make the same kinds of unproven merges. */
function kindOf({ candidate }: Trial): string {
  return candidate.kinds.join()
}

/** Returns the lead over a rival on the same seeds; null if nothing lands. */
export function leadOver(
  subject: Trial,
  { trial, slack }: Rival,
  preference: Preference,
): Lead | null {
  const paired = scorePairs(preference, subject.runs, trial.runs)
  const behind = effectOf({ ...paired, measure: 'difference' })
  if (!behind) return null
  const { high: limit } = limitsOf(paired, slack)
  return { mean: limit - meanOf(paired.values), surely: limit - endsOf(behind.size).high }
}

type FirstSeeds = { readonly preference: Preference; readonly count: number }

/**
 * By how much the lead on the first seeds is larger than that on all seeds of the final. At other
 * values the same seeds are as lucky, so that this much is left out: a limit beside today's value would
 * else tell the seeds apart, not the assumption.
 */
export function luckOf(subject: Trial, rival: Rival, { preference, count }: FirstSeeds): number {
  const first = (trial: Trial): Trial => ({ ...trial, runs: trial.runs.slice(0, count) })
  const all = leadOver(subject, rival, preference)
  const some = leadOver(first(subject), { ...rival, trial: first(rival.trial) }, preference)
  return (some?.mean ?? 0) - (all?.mean ?? 0)
}

// Over which values of an assumption the advice stays.

/** How far the advised setting leads at one value: above zero it stays advised. */
export type Lead = {
  readonly mean: number
  /** The lower end of the interval of the mean. */
  readonly surely: number
}

/** A value that was tried, with the lead over each other setting, always in the same order. */
export type TriedValue = { readonly value: number; readonly leads: readonly Lead[] }

/** Where the advice ends: between two values that were tried, and which other setting leads there. */
export type Limit = {
  /** Between the two, by a straight line in the logarithm of the value. */
  readonly at: number
  readonly inside: number
  readonly outside: number
  /** The position of the other setting. */
  readonly over: number
}

/** Which number of a lead counts. */
export type Measure = (lead: Lead, over: number) => number

/** The advice is still the best on average. */
export const onAverage: Measure = ({ mean }) => mean

/** The lead over the first other setting is sure, and none of the others leads on average. */
export const surely: Measure = (lead, over) => (over === 0 ? lead.surely : lead.mean)

/**
 * Returns the first value, from today's on, at which the lead over any other setting is lost; null
 * if none is lost at any value tried. The values are in order from today's outwards.
 */
export function limitOf(points: readonly TriedValue[], measure: Measure): Limit | null {
  for (const [index, { value, leads }] of points.entries()) {
    const before = points[index - 1]
    const lost = leads.flatMap((lead, over) => {
      const after = measure(lead, over)
      if (after > 0) return []
      const start = before?.leads[over]
      const from = before && start ? ([before.value, measure(start, over)] as const) : null
      return [{ over, at: from ? crossing(from, [value, after]) : value }]
    })
    const inside = before?.value ?? value
    const [nearest] = lost.toSorted((a, b) => Math.abs(a.at - inside) - Math.abs(b.at - inside))
    if (nearest) return { ...nearest, inside, outside: value }
  }
  return null
}

type Point = readonly [value: number, lead: number]

function crossing([from, start]: Point, [to, end]: Point): number {
  return between(from, to, start / (start - end))
}

/** Returns the value at a share of the way, in the logarithm; a way from or to zero is straight. */
export function between(from: number, to: number, share: number): number {
  if (from <= 0 || to <= 0) return from + share * (to - from)
  return from * (to / from) ** share
}

/** A rate of nothing counts as this many percent, so that its distance to others can be told. */
function leastRate(unit: string): number {
  if (unit === ofPairs) return 0.05
  return unit.startsWith('%') ? 0.5 : 0
}

/** How far a limit is from today's value: the logarithm of how many times as much. */
export function distanceTo(limit: number, today: number, unit: string): number {
  const floor = leastRate(unit)
  return Math.abs(Math.log((limit + floor) / (today + floor)))
}

// What the document says of it.

/** One assumption that was made up or drawn, and the range in which the advice stays. */
export type SensitivityResult = Readonly<ReturnType<typeof resultOf>>

function resultOf(examined: Examined, { rivals }: Contest) {
  const { assumption, points } = examined
  const { name, unit, today, isMadeUp } = assumption
  const limits = (measure: Measure): Limits => ({
    low: limitOf(outwards(examined, 'low'), measure),
    high: limitOf(outwards(examined, 'high'), measure),
  })
  const average = limits(onAverage)
  const sure = limits(surely)
  const nameOf = (limit: Limit | null): string | null =>
    (limit && rivals[limit.over]?.trial.candidate.name) ?? null
  const ends = [average.low, average.high].flatMap((limit) => (limit ? [limit.at] : []))
  const distances = ends.map((end) => distanceTo(end, today, unit))
  return {
    name,
    unit,
    today,
    /** The values that were tried. */
    tried: points.map(({ value }) => value),
    /** Where the lead over today's setting is sure, and no other setting leads on average. */
    surely: rangeOf(sure, unit),
    onAverage: rangeOf(average, unit),
    /** False if a history tells it. */
    isMadeUp,
    /** The settings that take over at the ends of `onAverage`; null where it has no end. */
    beyond: { low: nameOf(average.low), high: nameOf(average.high) },
    /** How many times as much or as little the nearest end of `onAverage` is; null without an end. */
    times: distances.length === 0 ? null : Math.exp(Math.min(...distances)),
  }
}

type Limits = { readonly low: Limit | null; readonly high: Limit | null }

/** An end that is null is beyond all values that were tried. */
export type AssumedRange = Readonly<ReturnType<typeof rangeOf>>

/** There is no half slot: the ends are the last whole numbers with which the advice stays. */
function rangeOf({ low, high }: Limits, unit: string) {
  const isWhole = unit === 'slots'
  const [least, most] = [low?.at ?? null, high?.at ?? null]
  return {
    low: least !== null && isWhole ? Math.ceil(least) : least,
    high: most !== null && isWhole ? Math.floor(most) : most,
  }
}
