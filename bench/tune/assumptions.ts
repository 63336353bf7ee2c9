/** Describes the model behind a result: traffic, run lengths, flakes, breaks and faults. */

import type { Length, Scenario, SuiteFlakes, Traffic } from '../../sim/scenario/scenario.ts'
import { generatedCount, scenarioDefaults } from '../../sim/scenario/scenario.ts'
import { count, several } from '../../terminal/text.ts'

/** Returns the assumptions of a scenario, one sentence each. */
export function assumptionsOf(scenario: Scenario): string[] {
  const { suite = {}, suiteFlakes = {}, traffic, faults = {} } = scenario
  const faulty = Object.keys(faults)
  return [
    ...trafficText(scenario),
    `Lengths: ${listedLengths(scenario)}${lengthText(suite.minutes ?? scenarioDefaults.suiteMinutes)}, drawn once per ${
      suite.per === 'pullRequest'
        ? 'pull request; a batch takes as long as its slowest'
        : 'run; a batch takes as long as a single one'
    }.`,
    `Flakes: ${flakeText(suiteFlakes, traffic ?? {})}.`,
    ...(traffic ? [`Breaks: ${breakText(traffic)}.`] : []),
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
  const { perHour } = arrivals
  return typeof perHour === 'number'
    ? `Poisson at ${perHour} an hour, day and night`
    : 'Poisson at a rate for each hour of the day'
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
    ...tests.map(({ name, rate }) => `the test "${name}" with chance ${rate}`),
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

function breakText({ breakRate = 0, conflictRate = 0 }: Traffic): string {
  const breaks =
    typeof breakRate === 'number'
      ? `a share of ${breakRate} of the pull requests fail in every run, each independently`
      : `a share of ${breakRate.rate} fail in every run; the next one after a failing one fails with chance ${breakRate.sticky}`
  const conflicts =
    conflictRate > 0
      ? `; any two that are open at the same time have a text conflict with chance ${conflictRate}`
      : ''
  return breaks + conflicts
}
