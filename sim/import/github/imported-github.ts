/** A history from GitHub as a scenario. */

import { scenarioDefaults, type Scenario } from '../../scenario/scenario.ts'
import { usualConcurrency } from '../assumptions.ts'
import { byHour, minutesBetween, type Imported } from '../imported.ts'
import { lengthOf as lengthOfRuns, percentile, rounded } from '../lengths.ts'
import { assumedIn } from './assumed.ts'
import { lengthOf } from './contents.ts'
import { streamOf } from './entries.ts'
import type { GitHubHistory } from './history.ts'
import { measuredIn } from './measured.ts'
import { concurrencyOf, settingsOf } from './queue-settings.ts'

type Naming = {
  readonly name: string
  /** Divides all times, as if this many such teams shared the queue. */
  readonly busier: number
}

/** Returns the history as a scenario. It must have at least one submission. */
export function importedGitHub(history: GitHubHistory, { name, busier }: Naming): Imported {
  const stream = streamOf(history)
  const { entries, events } = stream
  const times = entries.map(({ atMs }) => atMs)
  const firstAtMs = times[0] ?? 0
  const rounds = history.contents.flatMap((each) => each.rounds)
  const minutes = rounds
    .filter(({ outcome }) => outcome === 'passed' || outcome === 'failed')
    .map(lengthOf)
  const length = lengthOfRuns(minutes)
  const errored = rounds.filter(({ outcome }) => outcome === 'errored').length
  const lostRunRate = rounds.length === 0 ? 0 : Math.round((1e4 * errored) / rounds.length) / 1e4
  const at = (atMs: number): number => minutesBetween(firstAtMs, atMs, busier)
  const { records, branch } = history
  const from = records.repository ? `${records.repository.full_name} on GitHub` : 'GitHub'
  const scenario: Scenario = {
    name,
    description: `Imported from the history of ${from}, branch ${branch}. The list measured says what the history tells, assumed what it does not tell.`,
    assumed: assumedIn(history, stream, busier),
    measured: measuredIn(history, stream),
    queue: {
      concurrency: concurrencyOf(history)?.most ?? usualConcurrency,
      ...settingsOf(history),
    },
    ...(length === null ? {} : { suite: { minutes: length } }),
    pullRequests: entries.map(({ entry, atMs }) => ({ ...entry, at: at(atMs) })),
    ...(events.length === 0
      ? {}
      : { events: events.map(({ atMs, ...event }) => ({ ...event, at: at(atMs) })) }),
    ...resubmitIn(history, busier),
    startsAt: new Date(firstAtMs).toISOString(),
    ...(busier === 1 ? {} : { dayMinutes: scenarioDefaults.dayMinutes / busier }),
    ...(lostRunRate === 0 ? {} : { faults: { lostRunRate } }),
  }
  const facts = {
    firstAtMs,
    lastAtMs: times.at(-1) ?? firstAtMs,
    byHour: byHour(times),
    minutes,
    flaked: entries.filter(({ entry }) => entry.flakyRuns !== undefined).length,
    habits: [],
  }
  return { scenario, facts }
}

/** Who was evicted by a flake comes back after the time after which people repeated a run. */
function resubmitIn({ contents }: GitHubHistory, busier: number): Pick<Scenario, 'resubmit'> {
  const gaps = contents.flatMap(({ repeatedAfter }) => repeatedAfter)
  if (gaps.length === 0) return {}
  // The schema knows no shorter time.
  return { resubmit: { afterMinutes: Math.max(1, rounded(percentile(gaps, 50) / busier)) } }
}
