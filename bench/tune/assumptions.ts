/** Which model of traffic, lengths and flakes an answer rests on, in sentences. */

import type { Length, Scenario, SuiteFlakes, Traffic } from '../../sim/scenario/scenario.ts'
import { generatedCount, scenarioDefaults } from '../../sim/scenario/scenario.ts'
import { count, several } from '../../sim/command-line/text.ts'

export function assumptionsOf(scenario: Scenario): string[] {
  const { suite = {}, suiteFlakes = {}, traffic, faults = {} } = scenario
  const faulty = Object.keys(faults)
  return [
    ...trafficWords(scenario),
    `Lengths: ${listedLengths(scenario)}${lengthWords(suite.minutes ?? scenarioDefaults.suiteMinutes)}, drawn once per ${
      suite.per === 'pullRequest'
        ? 'pull request; a batch takes as long as its slowest'
        : 'run; a batch takes as long as a single one'
    }.`,
    `Flakes: ${flakeWords(suiteFlakes, traffic ?? {})}.`,
    ...(traffic ? [`Breaks: ${breakWords(traffic)}.`] : []),
    faulty.length === 0
      ? 'The runner and the code host make no mistakes.'
      : `Mistakes of the runner and the code host as the scenario has them: ${faulty.join(', ')}.`,
  ]
}

/** Of a batch the longest counts. */
function listedLengths({ pullRequests = [] }: Scenario): string {
  const listed = pullRequests.filter(({ testMinutes }) => testMinutes !== undefined).length
  return listed === 0
    ? ''
    : `as listed for ${several(listed, 'pull request')}, a batch as long as its longest; else `
}

function trafficWords(scenario: Scenario): string[] {
  const { traffic, pullRequests = [] } = scenario
  const own =
    pullRequests.length === 0 ? [] : [`${several(pullRequests.length, 'pull request')} as listed`]
  const generated = traffic
    ? [`${count(generatedCount(scenario))} generated, ${arrivalWords(traffic)}`]
    : []
  const all = [...own, ...generated]
  return all.length === 0 ? [] : [`Traffic: ${all.join('; ')}.`]
}

function arrivalWords({ arrivals = scenarioDefaults.arrivals }: Traffic): string {
  if ('everyMinutes' in arrivals) return `one every ${arrivals.everyMinutes} minutes`
  if ('bursts' in arrivals) {
    return `in bursts of ${arrivals.bursts.size}, one every ${arrivals.bursts.everyMinutes} minutes`
  }
  const { perHour } = arrivals
  return typeof perHour === 'number'
    ? `Poisson at ${perHour} an hour, day and night`
    : 'Poisson at a rate for each hour of the day'
}

function lengthWords(length: Length): string {
  if (typeof length === 'number') return `every run takes ${length} minutes`
  if ('uniform' in length) return `runs take ${length.uniform.join(' to ')} minutes, evenly spread`
  if ('exponential' in length) return `exponential, ${length.exponential} minutes on average`
  return `lognormal, half of the runs below ${length.median} minutes and 95 % below ${length.p95}`
}

function flakeWords({ perRun = 0, per, tests = [] }: SuiteFlakes, traffic: Traffic): string {
  const whom = per === 'pullRequest' ? 'for each unmerged pull request in it' : 'whatever it holds'
  const { flakyPullRequestRate = 0, flakeRate = scenarioDefaults.trafficFlakeRate } = traffic
  const words = [
    ...(perRun > 0 ? [`a run fails for no reason with chance ${perRun}, ${whom}`] : []),
    ...tests.map(({ name, rate }) => `the test "${name}" with chance ${rate}`),
    ...(flakyPullRequestRate > 0
      ? [
          `a share of ${flakyPullRequestRate} of the pull requests fail their runs with chance ${flakeRate}`,
        ]
      : []),
  ]
  return words.length === 0
    ? 'none but those that pull requests list'
    : `${words.join('; ')}; each run by itself`
}

function breakWords({ breakRate = 0, conflictRate = 0 }: Traffic): string {
  const breaks =
    typeof breakRate === 'number'
      ? `a share of ${breakRate} of the pull requests fail whatever they are in, each by itself`
      : `a share of ${breakRate.rate} fail whatever they are in; one that follows such a one does with chance ${breakRate.sticky}`
  const conflicts =
    conflictRate > 0
      ? `; any two that are open at once do not merge as text with chance ${conflictRate}`
      : ''
  return breaks + conflicts
}
