/** Test runs without a repository: each tested commit, or each run, is a pull request. */

import { count } from '../terminal/text.ts'
import type { CiRun } from './ci-runs.ts'
import { erroredShare, judgedBy, namesCommits } from './judged.ts'
import { percent } from './percent.ts'
import { lengthsOf, type Entries, type ImportSources } from './sources.ts'

export function fromRuns(runs: readonly CiRun[], { junit }: ImportSources): Entries {
  const groups = new Map<string, CiRun[]>()
  for (const [index, run] of runs.entries()) {
    const key = run.commit ?? `run ${index}`
    const group = groups.get(key)
    if (group) group.push(run)
    else groups.set(key, [run])
  }
  const all = [...groups.values()]
  const entries = all.map((group, index) => {
    const { breaks, flaked, minutes } = judgedBy(group)
    return {
      number: index + 1,
      ...(breaks ? { breaks: true } : {}),
      ...(flaked ? { flakyRuns: [1] } : {}),
      ...(minutes === null ? {} : { testMinutes: minutes }),
    }
  })
  const knowsCommits = namesCommits(runs)
  const lost = erroredShare(runs)
  const breaking = entries.filter(({ breaks }) => breaks).length
  const judged = knowsCommits ? 'the last run of its commit failed' : 'its run failed, flake or not'
  return {
    entries,
    times: all.map(([first]) => first?.startedAtMs ?? 0),
    minutes: [...runs.flatMap((run) => run.minutes ?? []), ...lengthsOf(junit)],
    flaked: knowsCommits ? entries.filter(({ flakyRuns }) => flakyRuns !== undefined).length : null,
    assumed: [
      {
        what: 'pull requests',
        value: `${count(entries.length)}: ${knowsCommits ? 'each tested commit' : 'each run'} is one, numbered in order`,
        replace: knowsCommits ? '--git' : '--git, or a column commit',
      },
      {
        what: 'submitted',
        value: `when its ${knowsCommits ? 'first ' : ''}run started`,
        replace: 'at in pullRequests',
      },
      {
        what: 'breaking',
        value: `${count(breaking)} of ${count(entries.length)}, ${percent(breaking, entries.length)}: ${judged}`,
        replace: knowsCommits ? 'breaks in pullRequests' : 'a column commit',
      },
      ...(lost > 0
        ? [
            {
              what: 'lost runs',
              value: `${percent(lost, 1)}: the runs that errored`,
              replace: '--set faults.lostRunRate=<rate>',
            },
          ]
        : []),
    ],
  }
}
