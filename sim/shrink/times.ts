/** Times toward zero, with whatever order among them it takes. */

import type { Scenario } from '../scenario/scenario.ts'
import { placesAt, withValue, type Place } from './document.ts'
import { without } from './fewer.ts'
import { firstOf, type Pass, type Trying } from './pass.ts'
import { rounderTimes } from './plainer.ts'

const patterns = ['pullRequests/*/at', 'events/*/at']

const placesOfTimes = (scenario: Scenario): Place[] =>
  patterns.flatMap((pattern) => placesAt(scenario, pattern))

const minutesOf = ({ value }: Place): number => (typeof value === 'number' ? value : 0)

function instantsIn(scenario: Scenario): number[] {
  const minutes = placesOfTimes(scenario).map(minutesOf)
  return [...new Set([0, ...minutes])].sort((a, b) => a - b)
}

function shifted(scenario: Scenario, shift: (minutes: number) => number): unknown {
  let document: unknown = scenario
  for (const place of placesOfTimes(scenario)) {
    document = withValue(document, place.path, shift(minutesOf(place)))
  }
  return document
}

/** All at whole minutes. */
const wholeMinutes: Pass = (scenario) =>
  firstOf(scenario, [shifted(scenario, (minutes) => Math.floor(minutes))])

/** The pauses between times closed, or cut down to a minute; what comes later moves along. */
function* shorterPauses(scenario: Scenario): Trying {
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

/** Nobody comes and nothing happens after an instant. */
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
