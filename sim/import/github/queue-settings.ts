/** What the history tells about the settings of the queue. */

import type { Configuration } from '../../../engine/index.ts'
import { several } from '../../terminal/text.ts'
import type { GitHubHistory } from './history.ts'
import type { Rule } from './records.ts'
import type { Tested } from './tested.ts'

type Concurrency = {
  readonly most: number
  readonly from: 'rule' | 'runs'
  readonly samples: string
}

/** How many runs the queue has at a time: as its rule says, else the most that were seen. */
export function concurrencyOf({ records, tested }: GitHubHistory): Concurrency | null {
  const most = ruleOf(records.rules)?.parameters?.max_entries_to_build ?? 0
  if (most > 0) return { most, from: 'rule', samples: '1 rule' }
  const ofQueue = tested.filter(({ place }) => place === 'queue')
  if (ofQueue.length === 0) return null
  return { most: peakOf(ofQueue), from: 'runs', samples: several(ofQueue.length, 'run') }
}

export function settingsOf(history: GitHubHistory): Partial<Configuration> {
  const minutes = ruleOf(history.records.rules)?.parameters?.check_response_timeout_minutes
  return minutes === undefined ? {} : { testingTimeoutMinutes: minutes }
}

function ruleOf(rules: readonly Rule[] | null): Rule | undefined {
  return (rules ?? []).find(({ type }) => type === 'merge_queue')
}

/** The most commits that were tested at the same time. */
function peakOf(tested: readonly Tested[]): number {
  const changes = tested.flatMap(({ rounds }) => [
    { atMs: rounds[0].startedAtMs, by: 1 },
    { atMs: Math.max(...rounds.map(({ endedAtMs }) => endedAtMs)), by: -1 },
  ])
  let [now, most] = [0, 0]
  for (const { by } of changes.toSorted((a, b) => a.atMs - b.atMs || a.by - b.by)) {
    now += by
    most = Math.max(most, now)
  }
  return most
}
