/** Reads scenarios from text, and checks them. */

import { jsonPointer, schemaFaults } from '../../engine/index.ts'
import { BadInput, type InputFault, shown, shownFaults } from '../../server/terminal/bad-input.ts'
import { parseJson } from '../../server/terminal/json-text.ts'
import { isRealTime } from './time.ts'
import {
  isList,
  firstGeneratedNumber,
  generatedCount,
  relations as relationFields,
  scenarioDefaults,
} from './scenario.ts'
import type { Length, PullRequestEntry, Scenario, Traffic, TrafficTargets } from './scenario.ts'
import { checkOfScenarios } from './is-scenario.ts'

/** Reads a scenario from text or bytes; faults call it `source`. Throws `BadInput`. */
export function parseScenario(text: string | Uint8Array, source: string): Scenario {
  return checkScenario(parseJson(text, source), source)
}

/** The file is a JSON Schema, such as the one that describes scenarios and lies beside them. */
export class SchemaInput extends BadInput {
  readonly source: string

  constructor(source: string) {
    super(source, [{ where: '/$schema', expected: 'a scenario', actual: 'a JSON Schema' }])
    this.source = source
  }
}

/**
 * Returns the document as a scenario, or throws `BadInput` with every fault; `SchemaInput` for a
 * JSON Schema.
 */
export function checkScenario(document: unknown, source: string): Scenario {
  if (isJsonSchema(document)) throw new SchemaInput(source)
  const isScenario = checkOfScenarios()
  if (!isScenario(document)) {
    const faults = schemaFaults(isScenario.errors ?? [])
    throw new BadInput(source, shownFaults(faults))
  }
  const faults = checkMeaning(document)
  if (faults.length > 0) throw new BadInput(source, faults)
  return document
}

/** A schema names its dialect in `$schema`; a scenario names the file of its schema there. */
function isJsonSchema(document: unknown): boolean {
  if (typeof document !== 'object' || document === null || !('$schema' in document)) return false
  return /^https?:\/\/json-schema\.org\//.test(String(document.$schema))
}

type JsonPath = readonly (string | number)[]
type ReportFault = (where: JsonPath, expected: string, actual: unknown) => void

/** Checks that a schema cannot express: unique numbers, valid references, consistent ranges. */
export function checkMeaning(scenario: Scenario): InputFault[] {
  const faults: InputFault[] = []
  const report: ReportFault = (where, expected, actual) => {
    faults.push({ where: jsonPointer(...where), expected, actual: shown(actual) })
  }
  checkNumbers(scenario, report)
  checkReferences(scenario, report)
  checkCircle(scenario, report)
  checkLength(['suite', 'minutes'], scenario.suite?.minutes, report)
  checkLength(['suite', 'minutesFailing'], scenario.suite?.minutesFailing, report)
  checkLength(['suite', 'startDelay', 'minutes'], scenario.suite?.startDelay?.minutes, report)
  checkLength(['traffic', 'baseAge'], scenario.traffic?.baseAge, report)
  checkStart(scenario.startsAt, report)
  if (scenario.traffic) checkTraffic(scenario.traffic, report)
  return faults
}

/** The number after that of the last generated pull request. */
const generatedEnd = (scenario: Scenario): number => firstGeneratedNumber + generatedCount(scenario)

function checkNumbers(scenario: Scenario, report: ReportFault): void {
  const seenAt = new Map<number, number>()
  const end = generatedEnd(scenario)
  for (const [index, { number }] of (scenario.pullRequests ?? []).entries()) {
    const where = ['pullRequests', index, 'number']
    const before = seenAt.get(number)
    if (before !== undefined) {
      report(where, `a number that ${jsonPointer('pullRequests', before)} does not have`, number)
    } else if (number >= firstGeneratedNumber && number < end) {
      const taken = `${firstGeneratedNumber} to ${end - 1}`
      report(where, `a number outside ${taken}, which the traffic uses`, number)
    } else {
      seenAt.set(number, index)
    }
  }
}

function checkReferences(scenario: Scenario, report: ReportFault): void {
  const explicit = new Set((scenario.pullRequests ?? []).map(({ number }) => number))
  const end = generatedEnd(scenario)
  for (const { where, number } of references(scenario)) {
    const exists = explicit.has(number) || (number >= firstGeneratedNumber && number < end)
    if (!exists) report(where, 'the number of a pull request of this scenario', number)
  }
  for (const [index, entry] of (scenario.pullRequests ?? []).entries()) {
    for (const { where, number } of relations(entry, index)) {
      if (number === entry.number) report(where, 'a pull request other than itself', number)
    }
  }
}

/**
 * The queue refuses the one that closes a circle of dependencies, and the others then wait for it in vain. An event
 * about one of them may open the circle before, by another submission or a merge by hand.
 */
function checkCircle({ pullRequests = [], events = [] }: Scenario, report: ReportFault): void {
  const moved = new Set(events.map((event) => ('number' in event ? event.number : null)))
  const [first, ...others] = circleIn(pullRequests.filter(({ number }) => !moved.has(number)))
  if (first === undefined) return
  const index = pullRequests.findIndex(({ number }) => number === first)
  const { dependsOn } = pullRequests[index] ?? {}
  const way = others.map((number, place) => `${number} depends on ${others[place + 1] ?? first}`)
  const expected = `nobody that depends on ${first} (${way.join(', ')})`
  report(['pullRequests', index, 'dependsOn'], expected, dependsOn)
}

/** The pull requests of one circle, each depending on the next; empty if there is none. */
function circleIn(entries: readonly PullRequestEntry[]): number[] {
  const below = new Map(entries.map(({ number, dependsOn = [] }) => [number, dependsOn]))
  const next = (number: number): number | undefined =>
    below.get(number)?.find((other) => other !== number && below.has(other))
  // Who depends on nobody that is left lands, layer by layer.
  for (let count = 0; count !== below.size;) {
    count = below.size
    for (const number of [...below.keys()]) if (next(number) === undefined) below.delete(number)
  }
  const way: number[] = []
  let [at] = below.keys()
  for (; at !== undefined && !way.includes(at); at = next(at)) way.push(at)
  return at === undefined ? [] : way.slice(way.indexOf(at))
}

type Reference = { readonly where: JsonPath; readonly number: number }

/** Yields every reference to a pull request. */
function* references({ pullRequests, events, expect }: Scenario): Generator<Reference> {
  for (const [index, entry] of (pullRequests ?? []).entries()) yield* relations(entry, index)
  for (const [index, event] of (events ?? []).entries()) {
    if ('number' in event) yield { where: ['events', index, 'number'], number: event.number }
    if ('dependsOn' in event) yield* listed(['events', index, 'dependsOn'], event.dependsOn)
  }
  for (const key of ['merged', 'failed', 'cancelled', 'mergeOrder'] as const) {
    yield* listed(['expect', key], expect?.[key])
  }
  for (const [index, { number }] of (expect?.states ?? []).entries()) {
    yield { where: ['expect', 'states', index, 'number'], number }
  }
}

function* relations(entry: PullRequestEntry, index: number): Generator<Reference> {
  for (const key of relationFields) {
    yield* listed(['pullRequests', index, key], entry[key])
  }
}

function* listed(where: JsonPath, numbers: unknown): Generator<Reference> {
  if (!isList(numbers)) return
  for (const [index, number] of numbers.entries()) yield { where: [...where, index], number }
}

function checkLength(where: JsonPath, length: Length | undefined, report: ReportFault): void {
  if (typeof length !== 'object') return
  if ('uniform' in length && length.uniform[0] > length.uniform[1]) {
    report([...where, 'uniform'], 'the shortest before the longest', length.uniform)
  }
  if (!('median' in length)) return
  if (length.median === 0) report([...where, 'median'], 'more than 0', 0)
  if (length.p95 < length.median) report([...where, 'p95'], 'at least the median', length.p95)
}

/** The schema admits days that no month has. */
function checkStart(startsAt: string | undefined, report: ReportFault): void {
  if (startsAt !== undefined && !isRealTime(startsAt))
    report(['startsAt'], 'a date and time that exist, like 2026-03-01T09:30Z', startsAt)
}

function checkTraffic(traffic: Traffic, report: ReportFault): void {
  const { arrivals, breakRate, clashRate, targets } = traffic
  for (const [key, unit] of [
    ['perHour', 'hour'],
    ['perWeekday', 'day'],
  ] as const) {
    const rates = arrivals && 'perHour' in arrivals ? arrivals[key] : undefined
    if (!isList(rates) || rates.some((rate) => rate > 0)) continue
    report(['traffic', 'arrivals', key], `at least one ${unit} with arrivals`, rates)
  }
  if (typeof breakRate === 'object' && breakRate.rate * (2 - breakRate.sticky) > 1) {
    const expected = 'at least 2 - 1 / rate, because the rate cannot be reached otherwise'
    report(['traffic', 'breakRate', 'sticky'], expected, breakRate.sticky)
  }
  if (typeof clashRate === 'object' && clashRate.across > clashRate.rate) {
    report(['traffic', 'clashRate', 'across'], 'at most the rate', clashRate.across)
  }
  if (targets) checkTargets(targets, report)
}

function checkTargets(
  { names, perPullRequest, riskAuc }: TrafficTargets,
  report: ReportFault,
): void {
  const [fewest, most] = perPullRequest ?? scenarioDefaults.targetsPerPullRequest
  const where = ['traffic', 'targets', 'perPullRequest']
  if (fewest > most) report(where, 'the fewest before the most', perPullRequest)
  const [left, half] =
    riskAuc === undefined ? [names.length, ''] : [names.length >> 1, ' in a half']
  if (most > left) report(where, `at most ${left}, the number of targets${half}`, perPullRequest)
}
