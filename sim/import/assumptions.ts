/** What every import assumes, and what it leaves out: with the value, and how to replace it. */

import type { Assumption } from '../scenario/scenario.ts'
import { count, several } from '../../server/terminal/text.ts'
import { erroredShare } from './judged.ts'
import { caveatsOf } from './landings/habits.ts'
import { usualMinutes } from './lengths.ts'
import type { Entries, ImportSources } from './sources.ts'

/** No history tells how many slots the queue has. */
export const usualConcurrency = 5

/** Returns all assumptions, the weightiest first. */
export function assumedOf(parts: Entries, sources: ImportSources): Assumption[] {
  const { log, runs, junit, busier } = sources
  return [
    {
      what: 'concurrency',
      value: `${usualConcurrency} runs at a time`,
      replace: '--set queue.concurrency=<n>',
    },
    ...parts.assumed,
    ...lengthOfRuns(parts, sources),
    ...flakes(parts, junit !== null),
    ...(log !== null || erroredShare(runs ?? []) === 0
      ? [{ what: 'lost runs', value: 'none', replace: '--set faults.lostRunRate=<rate>' }]
      : []),
    {
      what: 'text conflicts',
      value: 'none, for a history lacks them',
      replace: 'conflictsWith in pullRequests',
    },
    ...leftOut(sources),
    ...(busier === 1
      ? []
      : [{ what: 'arrivals', value: `all times divided by ${busier}`, replace: '--busier 1' }]),
  ]
}

function lengthOfRuns({ minutes }: Entries, { log }: ImportSources): Assumption[] {
  if (log !== null) return []
  const replace = 'a column durationSeconds, --junit, or --set suite.minutes=<n>'
  const isKnown = minutes.some((each) => each > 0)
  return isKnown ? [] : [{ what: 'run length', value: `${usualMinutes} min each`, replace }]
}

/** Where the sources cannot tell, nothing flakes, and that is said. */
function flakes({ flaked }: Entries, hasReports: boolean): Assumption[] {
  const replace =
    flaked === null
      ? '--runs with a column commit, --junit, or --set suiteFlakes.perRun=<rate>'
      : 'flakyRuns in pullRequests, or --set suiteFlakes.perRun=<rate>'
  if (flaked !== null) {
    const value = `${count(flaked)} pull requests, whose commit failed and then passed; others never`
    return [{ what: 'flakes', value, replace }]
  }
  const value = hasReports
    ? 'only the tests that the JUnit reports show as flaky'
    : 'none, for the history cannot tell a flake from a failure'
  return [{ what: 'flakes', value, replace }]
}

/** What the log holds and the scenario does not, and what the log cannot tell. */
function leftOut({ log }: ImportSources): Assumption[] {
  if (log === null) return []
  const { landings, releases, directPushes, botsLeftOut } = log.classified
  const bots = landings.filter(({ isOfBot }) => isOfBot).length
  return [
    ...some('releases', releases, 'left out', '--with-releases'),
    ...some(
      'direct pushes',
      directPushes,
      'left out: no pull request is named',
      'add entries to pullRequests',
    ),
    ...some(
      'bots',
      bots,
      `of ${several(landings.length, 'pull request')}, which stay`,
      '--without-bots',
    ),
    ...some('bots', botsLeftOut, 'left out', 'leave --without-bots out'),
    ...caveatsOf(landings).map((value) => ({
      what: 'landings',
      value,
      replace: 'edit pullRequests',
    })),
  ]
}

function some(what: string, howMany: number, words: string, replace: string): Assumption[] {
  return howMany === 0 ? [] : [{ what, value: `${count(howMany)} ${words}`, replace }]
}
