/** Scenarios whose tests always give the true verdict. */

import { configurationWith } from '../../engine/index.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { toMillis } from '../scenario/time.ts'
import { longestMs } from './lengths.ts'

/**
 * Returns whether only pull requests can make a run fail, and the code host reports none that
 * breaks as green.
 */
export function hasHonestTests(scenario: Scenario): boolean {
  return (
    !flakes(scenario) && !losesRuns(scenario) && !mayTimeOut(scenario) && !isReportedGreen(scenario)
  )
}

function flakes({ suiteFlakes = {}, traffic = {}, pullRequests = [] }: Scenario): boolean {
  const { perRun = 0, tests = [] } = suiteFlakes
  return (
    perRun > 0 ||
    tests.some(({ rate }) => rate > 0) ||
    (traffic.flakyPullRequestRate ?? 0) > 0 ||
    pullRequests.some(({ flakeRate = 0, flakyRuns = [] }) => flakeRate > 0 || flakyRuns.length > 0)
  )
}

/** A pull request that breaks is reported as green. Merged directly, it breaks all later runs. */
function isReportedGreen({ pullRequests = [] }: Scenario): boolean {
  return pullRequests.some(({ breaks, greenOnTip }) => breaks === true && greenOnTip === true)
}

function losesRuns({ faults = {} }: Scenario): boolean {
  const { lostRunRate = 0, hangRate = 0, outages = [] } = faults
  return lostRunRate > 0 || hangRate > 0 || outages.length > 0
}

function mayTimeOut({
  queue,
  suite = {},
  pullRequests = [],
  events = [],
  faults,
}: Scenario): boolean {
  const own = pullRequests.map(({ testMinutes = 0 }) => toMillis(testMinutes))
  const longest = own.reduce((a, b) => Math.max(a, b), longestMs(suite))
  const late = toMillis(faults?.lateResultMinutes ?? 0)
  const timeouts = events.flatMap((event) =>
    event.do === 'updateQueue' ? (event.set.testingTimeoutMinutes ?? []) : [],
  )
  const shortest = Math.min(configurationWith(queue).testingTimeoutMinutes, ...timeouts)
  return longest + late >= toMillis(shortest)
}
