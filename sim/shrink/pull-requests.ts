/** Fewer pull requests, with small numbers. A removed one is also removed from all references. */

import { isList, type Expect } from '../scenario/expect.ts'
import {
  relationsWithin,
  withoutRelations,
  type PullRequestEntry,
  type Scenario,
  type ScenarioEvent,
} from '../scenario/scenario.ts'
import { firstOf, leaveOut, type Pass } from './pass.ts'

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
