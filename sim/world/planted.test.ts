/**
 * Mistakes planted in the world and in what is counted of it. Laws judge each run of the swarm: a second,
 * plain reading of the rules, from the scenario and from what was seen. Each mistake must break its law
 * within 2,000 seeds.
 */

import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  isTerminal,
  type Event,
  type ImpactedTargets,
  type Millis,
  type TestRun,
} from '../../engine/index.ts'
import { runScenario } from '../judge/run-scenario.ts'
import type { RunContext } from '../observe/run-context.ts'
import { drawsOf, type Draw } from '../random/draw.ts'
import type { Totals } from '../result/result-document.ts'
import type { PullRequestEntry, Scenario, Suite, Traffic } from '../scenario/scenario.ts'
import { toMillis } from '../scenario/time.ts'
import type { Step } from '../steps/step.ts'
import { swarmScenario } from '../swarm/swarm.ts'
import { KnownTruth } from './known-truth.ts'
import { drawnLength, typicalMs } from './lengths.ts'
import type { PlannedRun } from './world.ts'

/** Watches one run of the scenario. Each method returns whether the law holds. */
type Watch = {
  onSubmission?(entry: PullRequestEntry, at: Millis): boolean
  onRunPlanned?(run: TestRun, planned: PlannedRun): boolean
  onEvent?(event: Event, step: Step, context: RunContext): boolean
  atEnd?(totals: Totals): boolean
}

type Law = (scenario: Scenario, draw: Draw) => Watch

// S-270: with whom the next one clashes, tried against each one before it.

type Earlier = { readonly entry: PullRequestEntry; leftAt: Millis }

const areApart = (some: ImpactedTargets = 'ALL', others: ImpactedTargets = 'ALL'): boolean =>
  some !== 'ALL' && others !== 'ALL' && !some.some((each) => others.includes(each))

/** The entry with only those clashes that were drawn. */
function drawnOf(
  { clashesWith = [], ...entry }: PullRequestEntry,
  listed: readonly PullRequestEntry[],
): PullRequestEntry {
  const own = listed.find(({ number }) => number === entry.number)?.clashesWith ?? []
  return { ...entry, clashesWith: clashesWith.slice(own.length) }
}

const clashesAsDrawn: Law = ({ traffic = {}, pullRequests = [] }, draw) => {
  const { clashRate = 0, baseAge = 0 } = traffic
  const { rate, across } =
    typeof clashRate === 'number' ? { rate: clashRate, across: 0 } : clashRate
  const earlier: Earlier[] = []
  const seen = new Set<number>()
  const drawnFor = (entry: PullRequestEntry, at: Millis): number[] => {
    const written = at - drawnLength(draw, baseAge, `base of ${entry.number}`)
    const found: number[] = []
    let left = rate === 0 ? Infinity : draw.tries('clashes', `${entry.number} 1`, rate)
    let nth = 1
    for (const { entry: other, leftAt } of earlier.toReversed()) {
      if (--left > 0) continue
      const isMet =
        !areApart(entry.targets, other.targets) ||
        draw.chance('clash across targets', `${entry.number} ${nth}`, across / rate)
      if (leftAt > written && isMet && !entry.breaks && !other.breaks) found.push(other.number)
      left = draw.tries('clashes', `${entry.number} ${++nth}`, rate)
    }
    return found
  }
  return {
    onSubmission(entry, at) {
      if (seen.has(entry.number)) return true
      const drawn = drawnFor(entry, at)
      earlier.push({ entry, leftAt: Infinity })
      return String(drawnOf(entry, pullRequests).clashesWith) === String(drawn)
    },
    onEvent(event, { command }) {
      const leavesAt =
        event.type === 'pullRequestSubmitted'
          ? Infinity
          : event.type === 'pullRequestMoved' && isTerminal(event.to)
            ? command.at
            : null
      if (leavesAt === null || !('number' in event) || event.number === null) return true
      seen.add(event.number)
      for (const each of earlier) if (each.entry.number === event.number) each.leftAt = leavesAt
      return true
    },
  }
}

// S-270: who comes again works with those of its clashes that are on the branch, and with no others.
const knowsTheBranch: Law = ({ pullRequests = [] }) => {
  const left = new Set<number>()
  const pairs = pullRequests.flatMap(pairsOf)
  return {
    onSubmission(entry) {
      pairs.push(...pairsOf(drawnOf(entry, pullRequests)))
      return true
    },
    onEvent(event, _step, { truth, main }) {
      if (event.type === 'pullRequestMoved' && isTerminal(event.to)) {
        if (event.to !== 'MERGED') left.add(event.number)
      } else if (event.type === 'pullRequestSubmitted' && left.delete(event.number)) {
        const { number } = event
        const clashes = truth.clashesOf(number)
        const holds = ([a, b]: Pair): boolean => {
          const other = a === number ? b : a
          return clashes.includes(other) !== main.holds(other)
        }
        return main.holds(number) || pairs.filter((pair) => pair.includes(number)).every(holds)
      }
      return true
    },
  }
}

type Pair = readonly [number, number]

const pairsOf = ({ number, clashesWith = [] }: PullRequestEntry): Pair[] =>
  clashesWith.map((other) => [number, other])

// S-273, S-274: the length of a run, where the suite has one length.
const lengthsAsGiven: Law = ({ suite = {}, pullRequests = [] }, draw) => {
  const { minutes, minutesFailing = 1, startDelay } = suite
  const isPlain =
    typeof minutes === 'number' && pullRequests.every((each) => each.testMinutes === undefined)
  const submitted: Millis[] = []
  const waitOf = (at: Millis, key: string | number): Millis => {
    if (!startDelay) return 0
    const own = submitted.filter((each) => at - each < typicalMs(suite)).length
    const wait = drawnLength(draw, startDelay.minutes, `wait of ${key}`)
    return Math.round(wait * (1 + (startDelay.perCheck ?? 0) * own))
  }
  return {
    onEvent(event, { command }) {
      if (event.type === 'pullRequestSubmitted') submitted.push(command.at)
      return true
    },
    onRunPlanned({ startedAt }, { key, lengthMs, outcome }) {
      if (!isPlain) return true
      const length = lengthMs - waitOf(startedAt, key)
      if (outcome === 'passed') return length === toMillis(minutes)
      if (typeof minutesFailing === 'number') {
        return length === Math.round(toMillis(minutes) * minutesFailing)
      }
      return length === drawnLength(draw, minutesFailing, `failing ${key}`)
    },
  }
}

const minuteMs = toMillis(1)

// S-24: the rate, summed minute by minute since the last arrival, is the work drawn for this one.
const arrivalsAsPaced: Law = ({ traffic: { count = 0, arrivals } = {} }, draw) => {
  let last: Millis = 0
  return {
    onSubmission({ number }, at) {
      const nth = number - 1001
      if (nth < 0 || !arrivals || !('perHour' in arrivals)) return true
      const { perHour, perWeekday = [1, 1, 1, 1, 1, 1, 1], doublings = 0 } = arrivals
      const mean = perWeekday.reduce((sum, each) => sum + each, 0) / 7
      const ofHour = (hour: number): number =>
        typeof perHour === 'number' ? perHour : (perHour[hour % 24] ?? 0)
      let work = 0
      for (; last < at;) {
        const hour = Math.floor(last / toMillis(60))
        const weight = (perWeekday[Math.floor(hour / 24) % 7] ?? 0) / mean
        const until = Math.min(at, (Math.floor(last / minuteMs) + 1) * minuteMs)
        work += ofHour(hour) * weight * (until - last)
        last = until
      }
      const drawn = draw.exponentialMs('arrivals', number, toMillis(60))
      // An arrival is rounded to a millisecond, of which each counts as often as the rate.
      return Math.abs(work - drawn / 2 ** ((doublings * nth) / count)) < 100
    },
  }
}

// S-58: what no run saw is among what no run has proven.
const badIsUnproven: Law = () => {
  let bad = 0
  return {
    onEvent(event, _step, { main }) {
      const isMerge = event.type === 'tipMoved' && event.number !== null
      if (isMerge && main.culprits([], event.tip).includes(event.number)) bad++
      return true
    },
    atEnd: ({ unprovenMerges }) =>
      bad <= Object.values(unprovenMerges).reduce((sum, each) => sum + each, 0),
  }
}

// S-57, S-272: of those whom their tests made leave, who breaks on the branch together with one that is on
// it has clashed, and who has no relation to anybody was healthy. Of others it depends on the order.
const evictionsAsJudged: Law = () => {
  const count = { clashed: 0, healthy: 0, either: 0 }
  return {
    onEvent(event, _step, { truth, main }) {
      if (event.type !== 'pullRequestMoved' || event.to !== 'FAILED') return true
      const { number, reason } = event
      const isAboutTests = reason !== null && /^TEST_RUN|RETRY_EXHAUSTED$/.test(reason)
      const isAlone = truth.breaksByItself(number)
      const breaksNow = main.culprits([number]).includes(number)
      if (isAboutTests && !isAlone && breaksNow) count.clashed++
      else if (isAboutTests && truth.relativesOf(number).length === 0 && !isAlone) count.healthy++
      else if (!isAlone || !breaksNow) count.either++
      return true
    },
    atEnd: ({ clashed, healthyEvicted }) =>
      clashed >= count.clashed &&
      clashed <= count.clashed + count.either &&
      healthyEvicted >= count.healthy &&
      healthyEvicted <= count.healthy + count.either,
  }
}

const laws = [
  ...[clashesAsDrawn, knowsTheBranch, lengthsAsGiven],
  ...[arrivalsAsPaced, badIsUnproven, evictionsAsJudged],
]

/** The laws that a run of this seed of the swarm breaks. */
function brokenIn(
  seed: number,
  { plant = (scenario) => scenario, miscount = (totals) => totals }: Partial<Defect> = {},
): string[] {
  const scenario = swarmScenario(seed)
  const watches = laws.map((law) => ({ law, watch: law(scenario, drawsOf(seed)) }))
  const broken = new Set<string>()
  const ask = (holds: (watch: Watch) => boolean | undefined): void => {
    for (const { law, watch } of watches) if (holds(watch) === false) broken.add(law.name)
  }
  const { result } = runScenario(plant(scenario), {
    isUnhashed: true,
    onSubmission: (entry) => ask((watch) => watch.onSubmission?.(entry, toMillis(entry.at ?? 0))),
    onRunPlanned: (run, planned) => ask((watch) => watch.onRunPlanned?.(run, planned)),
    observers: [
      (context) => (step) => {
        for (const event of step.events) ask((watch) => watch.onEvent?.(event, step, context))
      },
    ],
  })
  const totals = miscount(result.figures.totals)
  ask((watch) => watch.atEnd?.(totals))
  return [...broken]
}

type Plant = (scenario: Scenario) => Scenario

const inTraffic =
  (change: (traffic: Traffic) => Traffic): Plant =>
  ({ traffic, ...rest }) => ({ ...rest, ...(traffic ? { traffic: change(traffic) } : {}) })

const inSuite =
  (change: (suite: Suite) => Suite): Plant =>
  ({ suite = {}, ...rest }) => ({ ...rest, suite: change(suite) })

const atBaseAge = (baseAge: number): Plant => inTraffic((traffic) => ({ ...traffic, baseAge }))

const atRates = (change: (rate: number, across: number) => [number, number]): Plant =>
  inTraffic(({ clashRate = 0, ...traffic }) => {
    const now = typeof clashRate === 'number' ? { rate: clashRate, across: 0 } : clashRate
    const [rate, across] = change(now.rate, now.across)
    return { ...traffic, clashRate: { rate, across } }
  })

const atPace = (change: (pace: Paced) => Paced): Plant =>
  inTraffic(({ arrivals, ...traffic }) => ({
    ...traffic,
    ...(arrivals ? { arrivals: 'perHour' in arrivals ? change(arrivals) : arrivals } : {}),
  }))

type Paced = Extract<NonNullable<Traffic['arrivals']>, { perHour: unknown }>

type Miscount = (totals: Totals) => Totals

type Defect = {
  readonly name: string
  readonly breaks: Law
  readonly plant?: Plant
  /** What is counted instead. */
  readonly miscount?: Miscount
}

const planted = (breaks: Law, plants: Readonly<Record<string, Plant>>): Defect[] =>
  Object.entries(plants).map(([name, plant]) => ({ name, breaks, plant }))

const miscounted = (breaks: Law, counts: Readonly<Record<string, Miscount>>): Defect[] =>
  Object.entries(counts).map(([name, miscount]) => ({ name, breaks, miscount }))

const defects: readonly Defect[] = [
  ...planted(clashesAsDrawn, {
    'every base is fresh': atBaseAge(0),
    'bases are older than they are said to be': atBaseAge(1000),
    'pairs clash half as often': atRates((rate, across) => [rate / 2, across / 2]),
    'nobody clashes across targets': atRates((rate) => [rate, 0]),
    'targets make no difference': atRates((rate) => [rate, rate]),
  }),
  ...planted(knowsTheBranch, {
    'who comes again is written on the old branch': (scenario) => (
      vi.spyOn(KnownTruth.prototype, 'renew').mockReturnValue(),
      scenario
    ),
  }),
  ...planted(lengthsAsGiven, {
    'a run that fails takes as long as one that passes': inSuite(
      ({ minutesFailing: _failing, ...suite }) => suite,
    ),
    'no run waits for a runner': inSuite(({ startDelay: _delay, ...suite }) => suite),
    'the checks of pull requests use no runner': inSuite(
      ({ startDelay: { minutes } = { minutes: 0 }, ...suite }) => ({
        ...suite,
        startDelay: { minutes },
      }),
    ),
  }),
  ...planted(arrivalsAsPaced, {
    'all hours are alike': atPace(({ perHour, ...pace }) => ({
      ...pace,
      perHour: typeof perHour === 'number' ? perHour : 6,
    })),
    'all weekdays are alike': atPace(({ perWeekday: _weights, ...pace }) => pace),
    'traffic does not grow': atPace(({ doublings: _doublings, ...pace }) => pace),
  }),
  ...miscounted(badIsUnproven, {
    'a clash across lanes that no run sees is not counted as unproven': ({
      unprovenMerges,
      ...totals
    }) => ({
      ...totals,
      unprovenMerges: { ...unprovenMerges, disjointTargets: 0 },
    }),
  }),
  ...miscounted(evictionsAsJudged, {
    'who clashed is not counted': (totals) => ({ ...totals, clashed: 0 }),
    'who clashed counts as healthy': ({ healthyEvicted, ...totals }) => ({
      ...totals,
      healthyEvicted: healthyEvicted + totals.clashed,
    }),
    'nobody healthy was evicted': (totals) => ({ ...totals, healthyEvicted: 0 }),
  }),
]

afterEach(() => void vi.restoreAllMocks())

// S-277
describe('a run of the swarm', () => {
  test.each(defects)('shows that $name', (defect) => {
    for (let seed = 1; seed <= 2000; seed++) {
      if (brokenIn(seed, defect).includes(defect.breaks.name)) return
      vi.restoreAllMocks()
    }
    expect.unreachable('nobody has noticed it')
  })

  test('breaks no law of the world', () => {
    for (let seed = 1; seed <= 150; seed++) {
      expect({ seed, broken: brokenIn(seed) }).toEqual({ seed, broken: [] })
    }
  })
})
