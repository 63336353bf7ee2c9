/** What a schema cannot say: numbers that must be unique, and references that must lead somewhere. */

import { pointer, shown, type InputFault } from './bad-input.ts'
import {
  firstGeneratedNumber,
  generatedCount,
  isList,
  scenarioDefaults,
  type Length,
  type PullRequestEntry,
  type Scenario,
  type Traffic,
} from './scenario.ts'

type Place = readonly (string | number)[]
type Say = (where: Place, expected: string, came: unknown) => void

/** Everything about a scenario of valid form that makes no sense. */
export function checkMeaning(scenario: Scenario): InputFault[] {
  const faults: InputFault[] = []
  const say: Say = (where, expected, came) => {
    faults.push({ where: pointer(...where), expected, came: shown(came) })
  }
  checkNumbers(scenario, say)
  checkReferences(scenario, say)
  checkLength(scenario.suite?.minutes, say)
  if (scenario.traffic) checkTraffic(scenario.traffic, say)
  return faults
}

/** The numbers of the generated pull requests: from the first, up to this one excluded. */
const generatedEnd = (scenario: Scenario): number => firstGeneratedNumber + generatedCount(scenario)

function checkNumbers(scenario: Scenario, say: Say): void {
  const seenAt = new Map<number, number>()
  const end = generatedEnd(scenario)
  for (const [index, { number }] of (scenario.pullRequests ?? []).entries()) {
    const where = ['pullRequests', index, 'number']
    const before = seenAt.get(number)
    if (before !== undefined) {
      say(where, `a number that ${pointer('pullRequests', before)} does not have`, number)
    } else if (number >= firstGeneratedNumber && number < end) {
      const taken = `${firstGeneratedNumber} to ${end - 1}`
      say(where, `a number outside ${taken}, which the traffic uses`, number)
    } else {
      seenAt.set(number, index)
    }
  }
}

function checkReferences(scenario: Scenario, say: Say): void {
  const explicit = new Set((scenario.pullRequests ?? []).map(({ number }) => number))
  const end = generatedEnd(scenario)
  for (const { where, number } of references(scenario)) {
    const comes = explicit.has(number) || (number >= firstGeneratedNumber && number < end)
    if (!comes) say(where, 'the number of a pull request that comes', number)
  }
  for (const [index, entry] of (scenario.pullRequests ?? []).entries()) {
    for (const { where, number } of relations(entry, index)) {
      if (number === entry.number) say(where, 'another pull request than itself', number)
    }
  }
}

type Reference = { readonly where: Place; readonly number: number }

/** Every place that names a pull request. */
function* references({ pullRequests, events, expect }: Scenario): Generator<Reference> {
  for (const [index, entry] of (pullRequests ?? []).entries()) yield* relations(entry, index)
  for (const [index, event] of (events ?? []).entries()) {
    if ('number' in event) yield { where: ['events', index, 'number'], number: event.number }
  }
  for (const key of ['merged', 'failed', 'cancelled', 'mergeOrder'] as const) {
    yield* listed(['expect', key], expect?.[key])
  }
  for (const [index, { number }] of (expect?.states ?? []).entries()) {
    yield { where: ['expect', 'states', index, 'number'], number }
  }
}

function* relations(entry: PullRequestEntry, index: number): Generator<Reference> {
  for (const key of ['breaksWith', 'fixes', 'conflictsWith'] as const) {
    yield* listed(['pullRequests', index, key], entry[key])
  }
}

function* listed(where: Place, numbers: unknown): Generator<Reference> {
  if (!isList(numbers)) return
  for (const [place, number] of numbers.entries()) yield { where: [...where, place], number }
}

function checkLength(length: Length | undefined, say: Say): void {
  if (typeof length !== 'object') return
  const where = ['suite', 'minutes']
  if ('uniform' in length && length.uniform[0] > length.uniform[1]) {
    say([...where, 'uniform'], 'the shortest before the longest', length.uniform)
  }
  if (!('median' in length)) return
  if (length.median === 0) say([...where, 'median'], 'more than 0', 0)
  if (length.p95 < length.median) say([...where, 'p95'], 'at least the median', length.p95)
}

function checkTraffic(traffic: Traffic, say: Say): void {
  const { arrivals, breakRate, targets } = traffic
  if (arrivals && 'perHour' in arrivals && typeof arrivals.perHour === 'object') {
    const comes = arrivals.perHour.some((rate) => rate > 0)
    if (!comes) say(['traffic', 'arrivals', 'perHour'], 'an hour with arrivals', arrivals.perHour)
  }
  if (typeof breakRate === 'object' && breakRate.rate * (2 - breakRate.sticky) > 1) {
    const expected = 'at least 2 - 1 / rate, else that many cannot break'
    say(['traffic', 'breakRate', 'sticky'], expected, breakRate.sticky)
  }
  if (!targets) return
  const [fewest, most] = targets.perPullRequest ?? scenarioDefaults.targetsPerPullRequest
  const where = ['traffic', 'targets', 'perPullRequest']
  if (fewest > most) say(where, 'the fewest before the most', targets.perPullRequest)
  if (most > targets.names.length) {
    say(where, `at most the ${targets.names.length} there are`, targets.perPullRequest)
  }
}
