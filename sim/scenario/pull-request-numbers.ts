/** The numbers of the pull requests of a scenario. */

import { firstGeneratedNumber, generatedCount, type Scenario } from './scenario.ts'

/** Returns whether the scenario has this pull request, listed or generated. */
export function hasPullRequest(scenario: Scenario, number: number): boolean {
  const { pullRequests = [] } = scenario
  const isGenerated =
    number >= firstGeneratedNumber && number < firstGeneratedNumber + generatedCount(scenario)
  return isGenerated || pullRequests.some((each) => each.number === number)
}

/** `1, 2, 7 or 1001 to 1400`: the numbers as text, at most a few of those that are listed. */
export function numbersOf(scenario: Scenario): string {
  const listed = (scenario.pullRequests ?? []).map(({ number }) => number)
  const count = generatedCount(scenario)
  const generated =
    count === 0 ? [] : [`${firstGeneratedNumber} to ${firstGeneratedNumber + count - 1}`]
  const shown = listed.length > mostListed ? [...listed.slice(0, mostListed), '...'] : listed
  const parts = [...(shown.length === 0 ? [] : [shown.join(', ')]), ...generated]
  return parts.length === 0 ? 'none, as it has no pull request' : parts.join(' or ')
}

const mostListed = 10
