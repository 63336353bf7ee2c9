/** The pull requests that landed in a repository. */

import type { Assumption } from '../scenario/scenario.ts'
import { several } from '../terminal/text.ts'
import { percent } from './percent.ts'
import { isCommit, judgedBy, namesCommits } from './judged.ts'
import { minutesBySize, percentile, rounded } from './lengths.ts'
import { lengthsOf, type Entries, type ImportSources, type LandedHistory } from './sources.ts'

export function fromLog(log: LandedHistory, sources: ImportSources): Entries {
  const { runs, junit, minutes } = sources
  const { landed } = log
  const measured = [...(runs ?? []).flatMap((run) => run.minutes ?? []), ...lengthsOf(junit)]
  const isGuessed = measured.length === 0
  const sizes = landed.map(({ size }) => size)
  const median = { size: percentile(sizes, 50), minutes }
  const all = landed.map(({ number, origin, landing, size, isReverted, reverts, targets }) => {
    const isOwn = (commit: string | null): boolean =>
      landing.commits.some(({ hash }) => isCommit(commit, hash))
    const judged = judgedBy((runs ?? []).filter(({ commit }) => isOwn(commit)))
    return {
      number,
      ...(origin === null ? {} : { origin }),
      ...(isReverted || judged.breaks ? { breaks: true } : {}),
      ...(reverts.length > 0 ? { fixes: reverts } : {}),
      ...(judged.flaked ? { flakyRuns: [1] } : {}),
      ...(isGuessed ? { testMinutes: minutesBySize(size, median) } : {}),
      ...(judged.minutes === null ? {} : { testMinutes: judged.minutes }),
      targets,
    }
  })
  const knowsCommits = namesCommits(runs ?? [])
  return {
    entries: all,
    times: landed.map(({ landing }) => landing.atMs),
    minutes: measured,
    flaked: knowsCommits ? all.filter(({ flakyRuns }) => flakyRuns !== undefined).length : null,
    assumed: [
      {
        what: 'submitted',
        value: 'when it landed, for a log has no other time',
        replace: 'at in pullRequests',
      },
      breaksAssumed(all.filter(({ breaks }) => breaks).length, all.length, knowsCommits),
      isGuessed
        ? lengthAssumed(log, minutes)
        : {
            what: 'run length',
            value: `lognormal with the measured median and 95th percentile${knowsCommits ? ', where no run names its commit' : ''}`,
            replace: 'suite.minutes',
          },
      ...sharedAssumed(log),
      ...numbersAssumed(log),
      {
        what: 'targets',
        value: 'the top-level folders that it changes; they count in parallel mode',
        replace: 'targets in pullRequests',
      },
    ],
  }
}

function breaksAssumed(breaking: number, all: number, knowsCommits: boolean): Assumption {
  const how = knowsCommits
    ? 'reverted and not merged again, or its last run failed'
    : 'reverted and not merged again; a log lacks what failed before it landed'
  return {
    what: 'breaking',
    value: `${breaking} of ${all}, ${percent(breaking, all)}: ${how}`,
    replace: knowsCommits
      ? 'breaks in pullRequests'
      : '--runs with a column commit, or breaks in pullRequests',
  }
}

const sizeUnits = { lines: 'lines', files: 'files', nothing: null }

function lengthAssumed({ sizesIn }: LandedHistory, minutes: number): Assumption {
  const unit = sizeUnits[sizesIn]
  const [least, most] = [rounded(minutes / 2), rounded(minutes * 3)]
  const missing = sizesIn === 'files' ? '; lines are unknown, because blobs are missing' : ''
  const value =
    unit === null
      ? `${minutes} min each; sizes are unknown, because trees are missing`
      : `${minutes} min for the median change, twice for ten times its ${unit}, from ${least} to ${most} min${missing}`
  return { what: 'run length', value, replace: '--runs, --junit or --minutes' }
}

/** A batch that landed as one commit tells only the size of all its members together. */
function sharedAssumed({ landed }: LandedHistory): Assumption[] {
  const shared = landed.filter(({ landing }) => landing.together > 1).length
  if (shared === 0) return []
  const value = `${several(shared, 'pull request')} of batches share the size of their commit evenly, and have all its targets`
  return [{ what: 'sizes', value, replace: 'testMinutes in pullRequests' }]
}

function numbersAssumed({ landed }: LandedHistory): Assumption[] {
  const invented = landed.filter(({ origin }) => origin !== null)
  if (invented.length === 0) return []
  const [first] = invented
  const some = `${several(invented.length, 'number')} invented, from ${first?.number ?? 0} on`
  const value = `${some}; origin says what the history calls the pull request`
  return [{ what: 'numbers', value, replace: 'number in pullRequests' }]
}
