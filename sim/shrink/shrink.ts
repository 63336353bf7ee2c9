/**
 * Shrinking: reduces a failing scenario to the smallest that still fails in the same way, by trial.
 * Every draw has its own key, so removing a part changes nothing else.
 *
 * The passes first remove what makes a scenario hard to understand, and last simplify values. They
 * are repeated until a whole round changes nothing, or the tries are used up. No clock has an
 * influence, so the same scenario always shrinks to the same result.
 */

import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { EngineParts } from '../../engine/index.ts'
import type { Failure } from '../judge/verdict.ts'
import { type Expect, type Scenario, generatedCount, longestName } from '../scenario/scenario.ts'
import { drained } from '../run/simulate.ts'
import { type Breakage, breakageOf, reproduce } from './reproduce.ts'
import {
  locationsAt,
  patternsIn,
  withValue,
  withoutLocations,
  firstOf,
  inOrder,
  leaveOut,
  fewerPullRequests,
  plainerLengths,
  plainNumbers,
  rounderTimes,
  smallerSettings,
} from './simpler-values.ts'
import type { JsonLocation, Path, Pass, PassRun } from './simpler-values.ts'
import { expand } from './expand.ts'

// Passes that remove parts of a scenario.

/** Returns a pass that removes what the pattern matches; see `locationsAt`. */
function without(pattern: string): Pass {
  return (scenario) => {
    return leaveOut<Path>(scenario, {
      of: (current) => locationsAt(current, pattern).map(({ path }) => path),
      without: withoutLocations,
    })
  }
}

/** Other passes remove pull requests with all that names them, and times; and what is expected is what fails. */
const notRemoved =
  /^(?:\$schema|name|description|expect\b.*|pullRequests|pullRequests\/\*(?:\/number)?|.*\/at)$/

/**
 * Removes whatever the scenario has, kind by kind: what happens before how the team and its queue are, and the
 * whole before its parts. A removed field takes its default.
 */
const withoutAnything: Pass = (scenario) =>
  inOrder(
    scenario,
    patternsIn(scenario)
      .filter((pattern) => !notRemoved.test(pattern))
      .map(without),
  )

type ShrinkOptions = {
  /** Replaced parts of the engine, for harnesses that inject defects. */
  readonly parts?: EngineParts
  readonly triesAtMost?: number
  /** Whether a scenario does not count, although it fails. */
  readonly isExcused?: (scenario: Scenario) => boolean
}

export type Shrunk = {
  readonly scenario: Scenario
  /** The failure of the shrunk scenario. */
  readonly failure: Failure
  readonly tries: number
  /** True if nothing more can be removed; false if the tries were used up. */
  readonly isSmallest: boolean
}

/** Limits of tries and of engine events in total: some seconds of work. */
export const defaultTries = 2_000
const eventsAtMost = 1_500_000

/** A scenario with more generated pull requests is not shrunk: each run would take too long. */
const pullRequestsAtMost = 20_000

type ShrinkProgress = { readonly tries: number; readonly pullRequests: number }

/**
 * Shrinks a scenario that fails with this failure. Returns null if the failure does not occur
 * again, or if the scenario is too large.
 */
export function shrink(
  scenario: Scenario,
  failure: Failure,
  options: ShrinkOptions = {},
): Shrunk | null {
  return drained(shrinkStepwise(scenario, failure, options))
}

/** Like `shrink`, but one try at a time: yields the progress after each try. */
export function* shrinkStepwise(
  scenario: Scenario,
  original: Failure,
  { parts, triesAtMost = defaultTries, isExcused = () => false }: ShrinkOptions = {},
): Generator<ShrinkProgress, Shrunk | null, void> {
  if (generatedCount(scenario) > pullRequestsAtMost) return null
  const breakage = breakageOf(original)
  const relevant = withOnlyBrokenExpectation(scenario, breakage)
  const start = [expand(relevant, parts), relevant].find(
    (each) => reproduce(each, breakage, parts).failure !== undefined,
  )
  if (!start) return null
  let current = start
  let { failure = original, events } = reproduce(start, breakage, parts)
  let tries = 1
  const seen = new Set<string>([fingerprint(start)])
  const passRun = allPasses(start, passesFor(failure, breakage))
  let step = passRun.next()
  while (step.done !== true) {
    if (tries >= triesAtMost || events >= eventsAtMost) break
    const candidate = step.value
    const name = fingerprint(candidate)
    let found: Failure | undefined
    if (!seen.has(name)) {
      seen.add(name)
      const attempt = reproduce(candidate, breakage, parts)
      found = attempt.failure
      events += attempt.events
      tries++
    }
    if (found && isExcused(candidate)) found = undefined
    if (found) {
      current = candidate
      failure = found
    }
    yield { tries, pullRequests: (current.pullRequests ?? []).length }
    step = passRun.next(found !== undefined)
  }
  return { scenario: current, failure, tries, isSmallest: step.done === true }
}

const fingerprint = (scenario: Scenario): string => hash('sha1', JSON.stringify(scenario))

/** Repeats all passes until a round changes nothing. */
function* allPasses(scenario: Scenario, passes: readonly Pass[]): PassRun {
  let current = scenario
  for (;;) {
    const before = current
    current = yield* inOrder(before, passes)
    if (current === before) return current
  }
}

function passesFor(failure: Failure, { variant }: Breakage): Pass[] {
  // With fewer pull requests a total that is too low gets even lower, which would prove nothing.
  const isAboutTotal = variant === 'below'
  const late = failure.kind === 'property' ? [nothingAfter(failure.violation.atMinutes)] : []
  const removing = [...late, ...(isAboutTotal ? [] : [fewerPullRequests]), withoutAnything]
  return [
    ...removing.map(withOtherSeeds),
    ...smallerSettings,
    ...timesTowardZero,
    ...plainerLengths,
    plainNumbers,
  ]
}

/** Returns the scenario without expectations, except the one that broke. */
function withOnlyBrokenExpectation(scenario: Scenario, { kind, name }: Breakage): Scenario {
  const { expect, mustFail: _mustFail, ...rest } = scenario
  if (kind !== 'expectation' || !expect) return rest
  return { ...rest, expect: onlyExpected(expect, name) }
}

function onlyExpected({ states = [], ...figures }: Expect, name: string): Expect {
  const state = states.filter(({ at, number }) => name === `state of ${number} at ${at}`)
  return {
    ...Object.fromEntries(Object.entries(figures).filter(([key]) => key === name)),
    ...(state.length > 0 ? { states: state } : {}),
  }
}

// Other seeds for smaller scenarios. Draws are keyed by the contents of a run. So a scenario with
// draws may stop failing only because, with one pull request removed, other runs are hit. Then
// other seeds are tried: a new failure of the smaller scenario is as good as the old one.

const otherSeeds = [1, 2, 3, 4, 5, 6] as const

/** Returns the pass, extended to try other seeds for each of its candidates. */
function withOtherSeeds(pass: Pass): Pass {
  return function* reseeding(scenario) {
    let { seed } = scenario
    const withSeed = (offered: Scenario, wanted: number | undefined): Scenario => {
      const isSame = wanted === undefined || wanted === offered.seed
      return isSame || !hasDraws(offered) ? offered : { ...offered, seed: wanted }
    }
    const passRun = pass(scenario)
    let step = passRun.next()
    while (step.done !== true) {
      const offered = step.value
      let breaks = yield withSeed(offered, seed)
      for (const other of hasDraws(offered) ? otherSeeds : []) {
        if (breaks) break
        breaks = yield withSeed(offered, other)
        if (breaks) seed = other
      }
      step = passRun.next(breaks)
    }
    return withSeed(step.value, seed)
  }
}

/** Returns whether anything in the scenario is drawn. */
function hasDraws({ suite, traffic, suiteFlakes, faults = {}, ...rest }: Scenario): boolean {
  const { pullRequests = [], tieOrder } = rest
  return (
    [suite?.minutes, suite?.minutesFailing, suite?.startDelay].some(
      (each) => typeof each === 'object',
    ) ||
    traffic !== undefined ||
    suiteFlakes !== undefined ||
    tieOrder === 'shuffled' ||
    Object.entries(faults).some(([key, value]) => key.endsWith('Rate') && value !== 1) ||
    (faults.lateResultMinutes ?? 0) > 0 ||
    pullRequests.some(({ flakeRate = 0 }) => flakeRate > 0)
  )
}

// Passes that move times toward zero, and keep the order that the failure needs.

const patterns = ['pullRequests/*/at', 'events/*/at']

const locationsOfTimes = (scenario: Scenario): JsonLocation[] =>
  patterns.flatMap((pattern) => locationsAt(scenario, pattern))

const minutesOf = ({ value }: JsonLocation): number => (typeof value === 'number' ? value : 0)

function instantsIn(scenario: Scenario): number[] {
  const minutes = locationsOfTimes(scenario).map(minutesOf)
  return [...new Set([0, ...minutes])].sort((a, b) => a - b)
}

function shifted(scenario: Scenario, shift: (minutes: number) => number): unknown {
  let document: unknown = scenario
  for (const location of locationsOfTimes(scenario)) {
    document = withValue(document, location.path, shift(minutesOf(location)))
  }
  return document
}

/** Rounds all times down to whole minutes. */
const wholeMinutes: Pass = (scenario) =>
  firstOf(scenario, [shifted(scenario, (minutes) => Math.floor(minutes))])

/** Closes the pauses between times, or shortens them to a minute; later times move along. */
function* shorterPauses(scenario: Scenario): PassRun {
  let current = scenario
  for (let nth = 0; ;) {
    const before = current
    const instants = instantsIn(before)
    const [start, end] = instants.slice(nth)
    if (start === undefined || end === undefined) return current
    const pause = Math.floor(end - start)
    const cuts = [pause, pause - 1].filter((cut) => cut > 0)
    current = yield* firstOf(
      before,
      cuts.map((cut) => shifted(before, (minutes) => (minutes < end ? minutes : minutes - cut))),
    )
    const isClosed = instantsIn(current).length < instants.length
    if (!isClosed) nth++
  }
}

const timesTowardZero: readonly Pass[] = [
  ...patterns.map(without),
  wholeMinutes,
  shorterPauses,
  ...rounderTimes,
]

function nothingAfter(atMinutes: number): Pass {
  return (scenario) => {
    const { pullRequests = [], events = [] } = scenario
    const isLate = ({ at = 0 }: { readonly at?: number }): boolean => at > atMinutes
    const isCut = [...pullRequests, ...events].some(isLate)
    const early = {
      pullRequests: pullRequests.filter((entry) => !isLate(entry)),
      events: events.filter((event) => !isLate(event)),
    }
    return firstOf(scenario, isCut ? [{ ...scenario, ...early }] : [])
  }
}

// A shrunk scenario as a file that a developer can read, and keep as a regression test.

/** Valid from `reports/failures/` and from any folder below `scenarios/`. */
const schema = '../../scenarios/scenario.schema.json'

/** Returns the scenario with a new name and description, and its fields in the order of files. */
export function regressionOf({ scenario, failure }: Shrunk, seed: number): Scenario {
  const { $schema: _schema, name, description: _description, mustFail: _must, ...rest } = scenario
  const stated = Object.entries(rest).filter(([, value]) => !isEmpty(value))
  return {
    $schema: schema,
    name: nameOf(name, seed, failure),
    description: descriptionOf(failure),
    ...Object.fromEntries(stated),
  }
}

/** Returns whether two scenarios differ only in name, description and schema location. */
export function isSameScenario(a: Scenario, b: Scenario): boolean {
  return isDeepStrictEqual(bare(a), bare(b))
}

function bare({
  $schema: _schema,
  name: _name,
  description: _description,
  ...rest
}: Scenario): object {
  return rest
}

function nameOf(scenario: string, seed: number, failure: Failure): string {
  const end = `-${seed}-${failure.name.replaceAll(/[^A-Za-z0-9]+/g, '-')}`
  return scenario.slice(0, Math.max(0, longestName - end.length)) + end.slice(0, longestName)
}

function descriptionOf(failure: Failure): string {
  switch (failure.kind) {
    case 'property':
      return `Breaks ${failure.name}: ${failure.violation.story}`
    case 'expectation': {
      const { name, expected, actual } = failure.expectation
      return `Misses ${name}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}.`
    }
    case 'difference':
      return `Differs when it is run again, after ${failure.difference.sameLines} lines of trace.`
    case 'nothing failed':
      return `${failure.name} was expected to fail, but holds.`
  }
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
