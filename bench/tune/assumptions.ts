/** What a scenario assumes: in sentences, and the values to try where it may be otherwise. */

import { generatedCount, scenarioDefaults } from '../../sim/scenario/scenario.ts'
import type { Length, Scenario, Suite, SuiteFlakes, Traffic } from '../../sim/scenario/scenario.ts'
import { toMinutes } from '../../sim/scenario/time.ts'
import { clashRatesOf } from '../../sim/world/clashes.ts'
import { arrivalOf, blockDaysOf } from '../../sim/world/history.ts'
import { typicalMs } from '../../sim/world/lengths.ts'
import { meanPerHour } from '../../sim/world/traffic.ts'
import { count, several } from '../../server/terminal/text.ts'
import { conflictWindowMinutes } from '../queues/fair-scenario.ts'
import { configurationOf } from './axes.ts'
import type { AssumptionName } from './model-change.ts'

// The model behind a result: traffic, run lengths, flakes, breaks and faults.

const drawnFor = {
  run: 'run; a batch takes as long as a single one',
  pullRequest: 'pull request; a batch takes as long as its slowest',
  composition: 'pull request; a run takes as long as the slowest one in it, those below included',
} as const satisfies Record<NonNullable<Suite['per']>, string>

/** Returns the assumptions of a scenario, one sentence each. `isFair`: of one that several queues get. */
export function assumptionsOf(scenario: Scenario, isFair: boolean): string[] {
  const { suite = {}, suiteFlakes = {}, traffic, faults = {} } = scenario
  const faulty = Object.keys(faults)
  return [
    ...trafficText(scenario),
    `Lengths: ${listedLengths(scenario)}${lengthText(suite.minutes ?? scenarioDefaults.suiteMinutes)}, drawn once per ${drawnFor[suite.per ?? 'run']}.`,
    ...laterText(suite),
    `Flakes: ${flakeText(suiteFlakes, traffic ?? {})}.`,
    ...(traffic ? [`Breaks: ${breakText(traffic, isFair)}.`] : []),
    faulty.length === 0
      ? 'The test runner and the code host have no faults.'
      : `The test runner and the code host have the faults of the scenario: ${faulty.join(', ')}.`,
  ]
}

/**
 * The part about pull requests with a listed length. A batch takes as long as its longest member.
 */
function listedLengths({ pullRequests = [] }: Scenario): string {
  const listed = pullRequests.filter(({ testMinutes }) => testMinutes !== undefined).length
  return listed === 0
    ? ''
    : `as listed for ${several(listed, 'pull request')}, a batch as long as its longest; else `
}

function trafficText(scenario: Scenario): string[] {
  const { traffic, pullRequests = [] } = scenario
  const own =
    pullRequests.length === 0 ? [] : [`${several(pullRequests.length, 'pull request')} as listed`]
  const generated = traffic
    ? [`${count(generatedCount(scenario))} generated, ${arrivalText(traffic)}`]
    : []
  const all = [...own, ...generated]
  return all.length === 0 ? [] : [`Traffic: ${all.join('; ')}.`]
}

function arrivalText({ arrivals = scenarioDefaults.arrivals }: Traffic): string {
  if ('everyMinutes' in arrivals) return `one every ${arrivals.everyMinutes} minutes`
  if ('bursts' in arrivals) {
    return `in bursts of ${arrivals.bursts.size}, one every ${arrivals.bursts.everyMinutes} minutes`
  }
  const { perHour, perWeekday, doublings = 0 } = arrivals
  const pace =
    typeof perHour === 'number' ? `${perHour} an hour` : 'a rate for each hour of the day'
  const days = perWeekday ? ', with a weight for each weekday' : ', day and night'
  const growth = doublings > 0 ? `, which doubles ${doublings} times over the stream` : ''
  return `Poisson at ${pace}${typeof perHour === 'number' || perWeekday ? days : ''}${growth}`
}

function lengthText(length: Length): string {
  if (typeof length === 'number') return `every run takes ${length} minutes`
  if ('uniform' in length)
    return `runs take ${length.uniform.join(' to ')} minutes, uniformly distributed`
  if ('exponential' in length) return `exponential, ${length.exponential} minutes on average`
  return `lognormal, half of the runs below ${length.median} minutes and 95 % below ${length.p95}`
}

function flakeText({ perRun = 0, per, tests = [] }: SuiteFlakes, traffic: Traffic): string {
  const scope =
    per === 'pullRequest' ? 'for each unmerged pull request in it' : 'whatever it contains'
  const { flakyPullRequestRate = 0, flakeRate = scenarioDefaults.trafficFlakeRate } = traffic
  const parts = [
    ...(perRun > 0 ? [`a run fails for no reason with chance ${perRun}, ${scope}`] : []),
    ...tests.map((test) => `the test "${test.name}" with chance ${test.rate}`),
    ...(flakyPullRequestRate > 0
      ? [
          `a share of ${flakyPullRequestRate} of the pull requests fail their runs with chance ${flakeRate}`,
        ]
      : []),
  ]
  return parts.length === 0
    ? 'only those that pull requests list'
    : `${parts.join('; ')}; each run independently`
}

/** What makes runs longer or shorter than that. */
function laterText({ minutesFailing, startDelay }: Suite): string[] {
  const failing =
    typeof minutesFailing === 'number'
      ? `take ${minutesFailing} of the time of one that passes`
      : `are ${lengthText(minutesFailing ?? 0)}`
  return [
    ...(minutesFailing === undefined ? [] : [`Runs that fail ${failing}.`]),
    ...(startDelay
      ? [
          `A run waits for a runner: ${lengthText(startDelay.minutes)}, longer by ${startDelay.perCheck ?? 0} of that for each pull request whose own checks run.`,
        ]
      : []),
  ]
}

function breakText(traffic: Traffic, isFair: boolean): string {
  const { breakRate = 0, conflictRate = 0 } = traffic
  const breaks =
    typeof breakRate === 'number'
      ? `a share of ${breakRate} of the pull requests fail in every run, each independently`
      : `a share of ${breakRate.rate} fail in every run; the next one after a failing one fails with chance ${breakRate.sticky}`
  const open = isFair ? `come within ${conflictWindowMinutes} minutes` : 'are open at the same time'
  const conflicts =
    conflictRate > 0
      ? `; any two that ${open} have a text conflict with chance ${conflictRate}`
      : ''
  const { rate: chance, across } = clashRatesOf(traffic)
  const apart = across > 0 ? `, ${across} without a common target` : ''
  const clashes =
    chance > 0
      ? `; any two of which one was written without the other break together with chance ${chance}${apart}`
      : ''
  return breaks + conflicts + clashes
}

const drawnAnew = 'drawn anew with each seed.'
const onlyTried = 'kept apart, and the advice is only tried on them.'

/** True for a sentence about which part of a history is used, and how. */
export const isOfHistory = (sentence: string): boolean =>
  sentence.endsWith(drawnAnew) || sentence.endsWith(onlyTried)

/** What the seeds draw of a history, what is kept apart, and what an import assumed, with how to replace it. */
export function importWords(scenario: Scenario, unseen: Scenario | null): string[] {
  const { assumed = [] } = scenario
  const days = blockDaysOf(scenario)
  const unit = days === 1 ? 'days' : 'weeks'
  return [
    ...(days === null ? [] : [`The ${unit} of the history are ${drawnAnew}`]),
    ...(unseen?.pullRequests
      ? [`The last ${several(unseen.pullRequests.length, 'pull request')} are ${onlyTried}`]
      : []),
    ...assumed.map(
      ({ what, value, replace }) =>
        `Assumed by the import: ${what}, ${value}; to replace: ${replace}.`,
    ),
  ]
}

// What may be otherwise, and the values to try.

export type Assumption = {
  readonly name: AssumptionName
  readonly unit: string
  /** In its unit; rates are in percent. */
  readonly today: number
  /** The values to try, with today's, in order. */
  readonly values: readonly number[]
  /** False if it is from a history that tells it. */
  readonly isMadeUp: boolean
}

/** Returns what can be scaled. A history that an import made has one more: its concurrency. */
export function assumptionsIn(scenario: Scenario): Assumption[] {
  const { suiteFlakes = {} } = scenario
  const perRun = 100 * (suiteFlakes.perRun ?? 0)
  const tests = failingTestsPercent(scenario)
  const flaky = flakyPercent(scenario)
  const hasOtherFlakes = tests > 0 || flaky > 0
  const made = (name: AssumptionName, words: readonly string[], found: Found): Assumption[] =>
    found.values.length < 2 ? [] : [{ name, ...found, isMadeUp: isMadeUp(scenario, words) }]
  const all = [
    ...(perRun > 0 || !hasOtherFlakes ? made('flakes', ['flakes'], rate(perRun, '% of runs')) : []),
    ...(tests > 0 ? made('flaky tests', ['flakes'], rate(tests, '% of runs')) : []),
    ...(flaky > 0 ? made('flaky pull requests', ['flakes'], rate(flaky, percentOfAll)) : []),
    ...made('breaks', ['breaking'], rate(breaksPercent(scenario), percentOfAll)),
    ...made('clashes', ['clashes'], rate(clashesPercent(scenario), ofPairs, ratesOfPairs)),
    ...made('run length', ['run length'], amount(typicalMinutes(scenario), 'min')),
    ...made('arrivals', ['arrivals'], perTime(arrivalsPerHour(scenario))),
    ...(scenario.assumed?.some(({ what }) => what === 'concurrency')
      ? made('concurrency', ['concurrency'], slots(configurationOf(scenario).concurrency))
      : []),
  ]
  // What a history tells comes last, if the budget does not suffice for all.
  return all.toSorted((a, b) => Number(b.isMadeUp) - Number(a.isMadeUp))
}

type Found = Pick<Assumption, 'unit' | 'today' | 'values'>

/** The author of a scenario made all of it up; an import lists what it made up. */
function isMadeUp({ assumed }: Scenario, words: readonly string[]): boolean {
  return assumed === undefined || assumed.some(({ what }) => words.includes(what))
}

const percentOfAll = '% of pull requests'
export const ofPairs = '% of pairs'

const factors = [1 / 4, 1 / 2, 1, 2, 4]

/** In percent, up to the rate above which a queue has other worries than its settings. */
const rates = [0, 1, 3, 10, 30]
const ratesOfPairs = [0, 0.1, 0.5, 2]

/** A rate of nothing has no half and no double. */
function rate(today: number, unit: string, fromNothing = rates): Found {
  if (today === 0) return { unit, today, values: fromNothing }
  const most = Math.max(today, ...fromNothing)
  const values = factors.map((factor) => Math.min(most, plain(today * factor)))
  return { unit, today, values: [0, ...new Set(values)] }
}

function amount(today: number, unit: string): Found {
  const isScalable = today > 0 && Number.isFinite(today)
  return { unit, today, values: isScalable ? factors.map((each) => plain(today * each)) : [] }
}

const leastPerHour = 1

/** Slow arrivals are told by the day. */
function perTime(perHour: number): Found {
  return perHour < leastPerHour
    ? amount(plain(24 * perHour), 'a day')
    : amount(plain(perHour), 'an hour')
}

function slots(today: number): Found {
  const values = factors.map((factor) => Math.max(1, Math.round(today * factor)))
  return { unit: 'slots', today, values: [...new Set(values)] }
}

/** Without the last digits, which are rounding errors; relative to the ladder they do not matter. */
export const plain = (value: number): number => Number(value.toPrecision(6))

/** How many of the named tests fail in a run, on average, in percent. */
function failingTestsPercent({ suiteFlakes: { tests = [] } = {} }: Scenario): number {
  const sum = tests.reduce((all, test) => all + test.rate * (1 - (test.retryPassRate ?? 0)), 0)
  return plain(100 * sum)
}

function flakyPercent(scenario: Scenario): number {
  const { traffic, pullRequests = [] } = scenario
  if (traffic && generatedCount(scenario) > 0)
    return plain(100 * (traffic.flakyPullRequestRate ?? 0))
  return shareOf(pullRequests, ({ flakyRuns }) => flakyRuns !== undefined)
}

function breaksPercent(scenario: Scenario): number {
  const { traffic, pullRequests = [] } = scenario
  if (!traffic || generatedCount(scenario) === 0)
    return shareOf(pullRequests, ({ breaks }) => breaks === true)
  const { breakRate = 0 } = traffic
  return plain(100 * (typeof breakRate === 'number' ? breakRate : breakRate.rate))
}

const clashesPercent = ({ traffic = {} }: Scenario): number =>
  plain(100 * clashRatesOf(traffic).rate)

function shareOf<Item>(items: readonly Item[], is: (item: Item) => boolean): number {
  return items.length === 0 ? 0 : (100 * items.filter(is).length) / items.length
}

/** The median of the listed lengths; where some are not listed, the typical length of the suite. */
function typicalMinutes({ suite = {}, traffic, pullRequests = [] }: Scenario): number {
  const listed = pullRequests.flatMap(({ testMinutes }) => testMinutes ?? [])
  const isAll = !traffic && listed.length === pullRequests.length
  const middle = listed.toSorted((a, b) => a - b)[Math.floor(listed.length / 2)]
  return isAll && middle !== undefined ? plain(middle) : plain(toMinutes(typicalMs(suite)))
}

const hourMinutes = 60

function arrivalsPerHour(scenario: Scenario): number {
  const { traffic, pullRequests = [] } = scenario
  if (traffic && generatedCount(scenario) > 0) {
    const isOne = generatedCount(scenario) < 2
    return isOne ? 0 : meanPerHour(traffic.arrivals ?? scenarioDefaults.arrivals)
  }
  const times = pullRequests.map(arrivalOf)
  const spanMinutes = toMinutes(times.reduce((most, at) => Math.max(most, at), 0))
  return spanMinutes === 0 ? 0 : (hourMinutes * pullRequests.length) / spanMinutes
}
