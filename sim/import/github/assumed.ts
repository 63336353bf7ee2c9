/** What a history from GitHub does not tell. */

import type { Assumption } from '../../scenario/scenario.ts'
import { usualConcurrency } from '../assumptions.ts'
import { count, several } from '../../terminal/text.ts'
import { usualMinutes } from '../lengths.ts'
import type { Content } from './contents.ts'
import type { TimedStream } from './entries.ts'
import type { GitHubHistory } from './history.ts'
import { concurrencyOf } from './queue-settings.ts'

/** Returns what is assumed, the weightiest first. */
export function assumedIn(
  history: GitHubHistory,
  { entries }: TimedStream,
  busier: number,
): Assumption[] {
  const { records } = history
  const hasLengths = entries.some(({ entry }) => entry.testMinutes !== undefined)
  return [
    ...concurrency(history),
    ...submissions(history),
    ...breaking(history),
    ...lengths(history, hasLengths),
    ...always,
    ...targets(records.files.size, records.pulls.length),
    ...leftOut(history),
    ...(busier === 1
      ? []
      : [{ what: 'arrivals', value: `all times divided by ${busier}`, replace: '--busier 1' }]),
  ]
}

/** What no history from GitHub tells. */
const always: readonly Assumption[] = [
  {
    what: 'flakes',
    value: 'only runs that were repeated on the same commits; what nobody repeated is a failure',
    replace: 'flakyRuns in pullRequests, or --set suiteFlakes.perRun=<rate>',
  },
  {
    what: 'text conflicts',
    value: 'none: GitHub does not tell why its queue removed a pull request',
    replace: 'conflictsWith in pullRequests',
  },
  {
    what: 'priorities',
    value: 'none: the timeline does not tell who jumped the queue',
    replace: 'priority in pullRequests',
  },
]

function concurrency(history: GitHubHistory): Assumption[] {
  const known = concurrencyOf(history)
  if (known?.from === 'rule') return []
  const most = several(known?.most ?? usualConcurrency, 'run')
  const value = `${most} at a time${known ? ': the most that were seen, so a lower bound' : ''}`
  const replace = '--set queue.concurrency=<n>, or rules.json in the folder'
  return [{ what: 'concurrency', value, replace }]
}

function breaking({ contents }: GitHubHistory): Assumption[] {
  const times = (is: (content: Content) => boolean): number => contents.filter(is).length
  const replace = 'breaks in pullRequests'
  return [
    ...some(
      'breaking',
      times(({ rounds }) => rounds.length === 0),
      'without a run are healthy',
      'runs.json or check-runs/<sha>.json in the folder',
    ),
    ...some(
      'breaking',
      times(({ isMergedRed }) => isMergedRed),
      'merged although their last run failed, and are healthy',
      replace,
    ),
    ...some(
      'breaking',
      times(({ outcome, rounds }) => outcome === 'cancelled' && rounds.length > 0),
      'left the queue without a failed run, and are healthy',
      replace,
    ),
  ]
}

function lengths({ contents }: GitHubHistory, isKnown: boolean): Assumption[] {
  const what = 'run length'
  if (!isKnown) {
    const replace = 'runs.json in the folder, or --set suite.minutes=<n>'
    return [{ what, value: `${usualMinutes} min each`, replace }]
  }
  if (contents.every(({ minutes }) => minutes !== null)) return []
  const value = 'where none was measured: lognormal with the measured median and 95th percentile'
  return [{ what, value, replace: 'testMinutes in pullRequests' }]
}

function submissions({ contents }: GitHubHistory): Assumption[] {
  const times = (...kinds: readonly string[]): number =>
    contents.filter(({ attempts }) => kinds.includes(attempts[0].kind)).length
  const replace = 'timeline/<number>.json in the folder'
  return [
    ...some('submitted', times('landing'), 'when they landed, as nothing else is told', replace),
    ...some(
      'submitted',
      times('approval'),
      'when they were approved and had their last commits, as nobody queued',
      '--queue-label <name>, or at in pullRequests',
    ),
  ]
}

function targets(known: number, all: number): Assumption[] {
  if (known >= all) return []
  const value = known === 0 ? 'none' : `none for ${several(all - known, 'pull request')}`
  return [{ what: 'targets', value, replace: 'files/<number>.json in the folder' }]
}

function leftOut({ leftOut: left, bots, branch }: GitHubHistory): Assumption[] {
  return [
    ...some('releases', left.releases, 'left out', '--with-releases'),
    ...some('bots', left.bots, 'left out', 'leave --without-bots out'),
    ...some('bots', bots, 'of the pull requests, which stay', '--without-bots'),
    ...some('other branches', left.otherBranch, `left out: they are not for ${branch}`, '--branch'),
    ...some(
      'not submitted',
      left.neverSubmitted,
      'left out: closed without a submission',
      '--queue-label <name>',
    ),
    ...some('open', left.open, 'left out: they had not ended', 'a later download'),
    { what: 'direct pushes', value: 'left out', replace: '--git, which counts them' },
  ]
}

function some(what: string, howMany: number, words: string, replace: string): Assumption[] {
  return howMany === 0 ? [] : [{ what, value: `${count(howMany)} ${words}`, replace }]
}
