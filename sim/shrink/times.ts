/** Passes that move times toward zero, and keep the order that the failure needs. */

import type { Scenario } from '../scenario/scenario.ts'
import { locationsAt, withValue, type JsonLocation } from './document.ts'
import { without } from './fewer.ts'
import { firstOf, type Pass, type PassRun } from './pass.ts'
import { rounderTimes } from './simpler-values.ts'

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

export const timesTowardZero: readonly Pass[] = [
  ...without(...patterns),
  wholeMinutes,
  shorterPauses,
  ...rounderTimes,
]

/** Removes the pull requests and events after an instant. */
export function nothingAfter(atMinutes: number): Pass {
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
