/**
 * Shrinking: from a scenario that breaks to the smallest that still breaks the same way, found by
 * trying. Every draw is keyed by what it is about, so leaving something out changes nothing else.
 *
 * The order of attack goes from what makes a scenario hard to grasp to what is only untidy; it is
 * gone through until a whole round changes nothing, or the tries are used up. No clock has a say,
 * so the same scenario always shrinks to the same.
 */

import { hash } from 'node:crypto'
import type { Parts } from '../../engine/index.ts'
import type { Failure } from '../command-line/verdict.ts'
import { expand } from '../expand.ts'
import { generatedCount, type Expect, type Scenario } from '../scenario/scenario.ts'
import { breakageOf, type Breakage } from './breakage.ts'
import {
  fewerConflicts,
  fewerCulprits,
  fewerEvents,
  fewerFaults,
  fewerFlakes,
  settingsTowardDefaults,
} from './fewer.ts'
import { inOrder, type Pass, type Trying } from './pass.ts'
import { plainerLengths, smallerSettings } from './plainer.ts'
import { fewerPullRequests, plainNumbers } from './pull-requests.ts'
import { reproduce } from './reproduce.ts'
import { withOtherSeeds } from './seeds.ts'
import { nothingAfter, timesTowardZero } from './times.ts'

export type ShrinkOptions = {
  /** The engine's parts, for harnesses that inject defects. */
  readonly parts?: Parts
  readonly triesAtMost?: number
  /** Which scenarios don't count although they break. */
  readonly isExcused?: (scenario: Scenario) => boolean
}

export type Shrunk = {
  readonly scenario: Scenario
  /** How it breaks now. */
  readonly failure: Failure
  readonly tries: number
  /** Nothing more could be left out; else the tries were used up. */
  readonly isSmallest: boolean
}

/** Tries end here, and once the engine has made so many events in all: some seconds of work. */
export const defaultTries = 2_000
const eventsAtMost = 1_500_000

/** More pull requests than this take too long to run even once more, let alone to write down. */
const pullRequestsAtMost = 20_000

/** How far shrinking has come. */
export type ShrinkProgress = { readonly tries: number; readonly pullRequests: number }

/**
 * Shrinks a scenario that breaks with this failure; null when it does not do so again, or is far
 * too large for it.
 */
export function shrink(
  scenario: Scenario,
  failure: Failure,
  options: ShrinkOptions = {},
): Shrunk | null {
  const shrinking = shrinkStepwise(scenario, failure, options)
  let step = shrinking.next()
  while (step.done !== true) step = shrinking.next()
  return step.value
}

/** The same, a try at a time: says after each how far it has come. */
export function* shrinkStepwise(
  scenario: Scenario,
  original: Failure,
  { parts, triesAtMost = defaultTries, isExcused = () => false }: ShrinkOptions = {},
): Generator<ShrinkProgress, Shrunk | null, undefined> {
  if (generatedCount(scenario) > pullRequestsAtMost) return null
  const breakage = breakageOf(original)
  const about = aboutNothingElse(scenario, breakage)
  const begun = [expand(about, parts), about].find(
    (each) => reproduce(each, breakage, parts).failure !== undefined,
  )
  if (!begun) return null
  let current = begun
  let { failure = original, events } = reproduce(begun, breakage, parts)
  let tries = 1
  const seen = new Set<string>([fingerprint(begun)])
  const trying = allPasses(begun, passesFor(failure, breakage))
  let step = trying.next()
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
    step = trying.next(found !== undefined)
  }
  return { scenario: current, failure, tries, isSmallest: step.done === true }
}

const fingerprint = (scenario: Scenario): string => hash('sha1', JSON.stringify(scenario))

/** All passes over and over, until a round changes nothing. */
function* allPasses(scenario: Scenario, passes: readonly Pass[]): Trying {
  let current = scenario
  for (;;) {
    const before = current
    current = yield* inOrder(before, passes)
    if (current === before) return current
  }
}

function passesFor(failure: Failure, { way }: Breakage): Pass[] {
  // A total that falls short does so all the more with fewer pull requests: that would say nothing.
  const isAboutTotal = way === 'below'
  const late = failure.kind === 'property' ? [nothingAfter(failure.violation.atMinutes)] : []
  const removing = [
    ...late,
    ...(isAboutTotal ? [] : [fewerPullRequests]),
    ...fewerEvents,
    ...fewerFaults,
    ...fewerConflicts,
    ...fewerCulprits,
    ...fewerFlakes,
    ...settingsTowardDefaults,
  ]
  return [
    ...removing.map(withOtherSeeds),
    ...smallerSettings,
    ...timesTowardZero,
    ...plainerLengths,
    plainNumbers,
  ]
}

/** The scenario without expectations that are not what broke. */
function aboutNothingElse(scenario: Scenario, { kind, name }: Breakage): Scenario {
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
