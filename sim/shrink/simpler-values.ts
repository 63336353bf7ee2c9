/** Passes to simpler values: small numbers, round minutes, runs of one length. */

import { BadInput } from '../../server/terminal/bad-input.ts'
import { checkScenario } from '../scenario/check.ts'
import { relationsWithin, withoutRelations, isList } from '../scenario/scenario.ts'
import type { Scenario, PullRequestEntry, ScenarioEvent, Expect } from '../scenario/scenario.ts'

// A scenario as a JSON document: locations in it by path, and copies with parts removed or
// replaced. The schema decides whether a copy is still a scenario.

export type Path = readonly (string | number)[]
export type JsonLocation = { readonly path: Path; readonly value: unknown }

/**
 * Returns the locations that a pattern like `events/*` matches, in document order. The star matches
 * every key or index.
 */
export function locationsAt(document: unknown, pattern: string): JsonLocation[] {
  let locations: JsonLocation[] = [{ path: [], value: document }]
  for (const part of pattern.split('/')) {
    locations = locations.flatMap(({ path, value }) =>
      membersOf(value)
        .filter(([key]) => part === '*' || part === String(key))
        .map(([key, member]) => ({ path: [...path, key], value: member })),
    )
  }
  return locations
}

function membersOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return value.map((member, index) => [index, member])
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

/**
 * Returns the patterns of all locations, with a star for each index. A location comes before what is in it, and
 * what stands last in the document comes first.
 */
export function patternsIn(document: unknown): string[] {
  const below = (value: unknown, pattern: string): string[] => [
    pattern,
    ...membersOf(value).flatMap(([key, member]) => {
      return below(member, `${pattern}/${typeof key === 'number' ? '*' : key}`)
    }),
  ]
  const members = membersOf(document).toReversed()
  return [...new Set(members.flatMap(([key, member]) => below(member, String(key))))]
}

/** Returns a copy without these locations, and without lists and objects that become empty. */
export function withoutLocations(document: unknown, gone: readonly Path[]): unknown {
  return gone.length === 0 ? document : copied(document, gone)
}

function copied(value: unknown, gone: readonly Path[]): unknown {
  const members = membersOf(value).flatMap(([key, member]): [string | number, unknown][] => {
    const inside = gone.filter(([first]) => first === key).map(([, ...rest]) => rest)
    if (inside.length === 0) return [[key, member]]
    if (inside.some(({ length }) => length === 0)) return []
    const left = copied(member, inside)
    return membersOf(left).length === 0 ? [] : [[key, left]]
  })
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members)
}

/** Returns a copy with another value at an existing location. */
export function withValue(document: unknown, path: Path, value: unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined) return value
  const members = membersOf(document).map(([key, member]): [string | number, unknown] =>
    key === first ? [key, withValue(member, rest, value)] : [key, member],
  )
  return Array.isArray(document) ? members.map(([, member]) => member) : Object.fromEntries(members)
}

/** Returns the document as a scenario; null if it is not a valid one. */
function validScenario(document: unknown): Scenario | null {
  try {
    return checkScenario(document, 'a smaller scenario')
  } catch (error) {
    if (error instanceof BadInput) return null
    throw error
  }
}

/**
 * Yields simpler scenarios one after the other, receives for each whether it still fails in the
 * same way, and returns the last one that did. Each candidate is simpler than the current scenario,
 * never only different, so that passes cannot repeat in a cycle.
 */
export type Pass = (scenario: Scenario) => PassRun
export type PassRun = Generator<Scenario, Scenario, boolean>

/** Runs the passes one after the other. */
export function* inOrder(scenario: Scenario, passes: readonly Pass[]): PassRun {
  let current = scenario
  for (const pass of passes) current = yield* pass(current)
  return current
}

/** Takes the first document that is a valid scenario and still fails. The simplest comes first. */
export function* firstOf(scenario: Scenario, documents: Iterable<unknown>): PassRun {
  for (const document of documents) {
    const candidate = validScenario(document)
    if (candidate && (yield candidate)) return candidate
  }
  return scenario
}

type Removal<Item> = {
  /** The items of the current scenario that may be removed. */
  readonly of: (scenario: Scenario) => readonly Item[]
  readonly without: (scenario: Scenario, gone: readonly Item[]) => unknown
}

/** Removes as much as possible: everything, then halves, quarters, and so on to single items. */
export function* leaveOut<Item>(scenario: Scenario, { of, without }: Removal<Item>): PassRun {
  let current = scenario
  for (let size = of(current).length; size >= 1; size = Math.floor(size / 2)) {
    for (let index = 0; index < of(current).length;) {
      const gone = of(current).slice(index, index + size)
      const smaller: Scenario = yield* firstOf(current, [without(current, gone)])
      if (smaller === current) index += size
      current = smaller
    }
  }
  return current
}

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
  plainerAt('faults/serverOutages/*/*', rounder),
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
  if (number === null) return []
  if (event.do !== 'submit' || event.dependsOn === undefined) return [{ ...event, number }]
  return [{ ...event, number, dependsOn: renamedAll(event.dependsOn, rename) }]
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
