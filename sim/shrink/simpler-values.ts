/** Passes to simpler values: small numbers, round minutes, runs of one length. */

import { type Expect, isList } from '../scenario/expect.ts'
import {
  type PullRequestEntry,
  relationsWithin,
  type Scenario,
  type ScenarioEvent,
  withoutRelations,
} from '../scenario/scenario.ts'
import { locationsAt, withValue } from './document.ts'
import { firstOf, leaveOut, type Pass, type PassRun } from './pass.ts'

/** Returns values to replace one, the simplest first; each is simpler than that one. */
type Plainer = (value: number) => readonly number[]

/** Whole minutes are easier to read, and multiples of five and ten even more. */
const rounder: Plainer = (minutes) => {
  const below = [10, 5, 1].filter((unit) => minutes % unit !== 0)
  const floors = below.map((unit) => Math.floor(minutes / unit) * unit)
  return Number.isInteger(minutes) ? floors : [...floors, Math.ceil(minutes)]
}

const smaller: Plainer = (number) =>
  [...new Set([1, 2, 3, 4, 5, Math.floor(number / 2), number - 1])].filter(
    (each) => each >= 0 && each < number,
  )

/** A rate of 1 does not depend on the draw. */
const surer: Plainer = (rate) => [1, 0.5].filter((each) => rate > 0 && each > rate)

/** Tries simpler values at every location that a pattern matches, one location at a time. */
function plainerAt(pattern: string, plainer: Plainer): Pass {
  return function* pass(scenario) {
    let current = scenario
    for (const { path, value } of locationsAt(scenario, pattern)) {
      if (typeof value !== 'number') continue
      const before = current
      const documents = plainer(value).map((each) => withValue(before, path, each))
      current = yield* firstOf(current, documents)
    }
    return current
  }
}

/** Gives every run the same length. */
const oneLength: Pass = (scenario) => {
  const drawn = locationsAt(scenario, 'suite/minutes').filter(
    ({ value }) => typeof value === 'object',
  )
  return firstOf(
    scenario,
    drawn.flatMap(({ path }) => [10, 20, 5].map((each) => withValue(scenario, path, each))),
  )
}

/** Gives all runs of a pull request the length of one of them, or of those from one on. */
function* lengthsAlike(scenario: Scenario): PassRun {
  let current = scenario
  for (const { path, value } of locationsAt(scenario, 'pullRequests/*/testMinutes')) {
    if (!Array.isArray(value)) continue
    const before = current
    const lengths: readonly unknown[] = value
    const shorter = lengths.slice(1).map((_, at) => lengths.slice(0, at + 1))
    const documents = [...lengths, ...shorter].map((each) => withValue(before, path, each))
    current = yield* firstOf(current, documents)
  }
  return current
}

/** Reduces a flaky run to its number, because the name of the test seldom matters. */
function* unnamedFlakes(scenario: Scenario): PassRun {
  let current = scenario
  for (const { path, value } of locationsAt(scenario, 'pullRequests/*/flakyRuns/*/run')) {
    current = yield* firstOf(current, [withValue(current, path.slice(0, -1), value)])
  }
  return current
}

export const smallerSettings: readonly Pass[] = [
  plainerAt('queue/*', smaller),
  plainerAt('events/*/set/*', smaller),
  plainerAt('traffic/count', smaller),
  plainerAt('faults/*', surer),
  unnamedFlakes,
]

export const rounderTimes: readonly Pass[] = [
  plainerAt('pullRequests/*/at', rounder),
  plainerAt('events/*/at', rounder),
]

export const plainerLengths: readonly Pass[] = [
  oneLength,
  lengthsAlike,
  plainerAt('pullRequests/*/testMinutes', rounder),
  plainerAt('suite/minutes', rounder),
  plainerAt('faults/outages/*/*', rounder),
  plainerAt('resubmit/afterMinutes', rounder),
  plainerAt('mend/afterMinutes', rounder),
]

/** Fewer pull requests, with small numbers. A removed one is also removed from all references. */
export const fewerPullRequests: Pass = (scenario) =>
  leaveOut(scenario, {
    of: ({ pullRequests = [] }) => pullRequests.map(({ number }) => number),
    without: (current, gone) => {
      const isGone = new Set(gone)
      return renamed(current, (number) => (isGone.has(number) ? null : number))
    },
  })

/** Renumbers the pull requests 1, 2, 3 and so on, in the same order. */
export const plainNumbers: Pass = (scenario) => {
  const numbers = (scenario.pullRequests ?? []).map(({ number }) => number).sort((a, b) => a - b)
  const isPlain = numbers.every((number, index) => number === index + 1)
  if (isPlain) return firstOf(scenario, [])
  const newNumbers = new Map(numbers.map((number, index) => [number, index + 1]))
  return firstOf(scenario, [renamed(scenario, (number) => newNumbers.get(number) ?? null)])
}

/** Returns the new number of a pull request; null if it is removed. */
type Rename = (number: number) => number | null

function renamed(scenario: Scenario, rename: Rename): Scenario {
  const { pullRequests = [], events = [], expect } = scenario
  return {
    ...scenario,
    pullRequests: pullRequests.flatMap((entry) => renamedEntry(entry, rename)),
    events: events.flatMap((event) => renamedEvent(event, rename)),
    ...(expect ? { expect: renamedExpect(expect, rename) } : {}),
  }
}

const renamedAll = (numbers: readonly number[], rename: Rename): number[] =>
  numbers.flatMap((number) => rename(number) ?? [])

function renamedEntry(entry: PullRequestEntry, rename: Rename): PullRequestEntry[] {
  const number = rename(entry.number)
  if (number === null) return []
  return [{ ...withoutRelations(entry), number, ...relationsWithin(entry, rename) }]
}

function renamedEvent(event: ScenarioEvent, rename: Rename): ScenarioEvent[] {
  if (!('number' in event)) return [event]
  const number = rename(event.number)
  return number === null ? [] : [{ ...event, number }]
}

function renamedExpect(expect: Expect, rename: Rename): Expect {
  const lists = Object.entries(expect).filter(
    (entry): entry is [string, readonly number[]] =>
      !['states', 'refused'].includes(entry[0]) && isList(entry[1]),
  )
  const states = (expect.states ?? []).flatMap((state) => {
    const number = rename(state.number)
    return number === null ? [] : [{ ...state, number }]
  })
  return {
    ...expect,
    ...Object.fromEntries(lists.map(([key, numbers]) => [key, renamedAll(numbers, rename)])),
    ...(expect.states ? { states } : {}),
  }
}
