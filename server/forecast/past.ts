/** What a queue has shown of itself before the server started, as far as its history tells. */

import type { QueueView, TestRunId } from '../../engine/index.ts'
import type { PastRun, QueueHistory } from '../history/records.ts'
import { stepsOf } from '../history/timeline.ts'
import {
  mostArrivals,
  mostLengths,
  mostVerdicts,
  type Observed,
  type ObservedArrival,
  type ObservedLength,
  type ObservedVerdict,
} from './observed.ts'

type Past = { readonly queue: QueueView; readonly history: QueueHistory }

/** So many who left last tell how long runs took. */
const mostRead = 400

/** The history knows no failed tests of a run, and pull requests only by their last submission. */
export function observedIn(past: Past): Observed {
  const runs = [...past.history.testRuns.values()].slice(-2 * mostVerdicts)
  const judged = runs.filter(({ outcome }) => outcome === 'passed' || outcome === 'failed')
  const last = judged.slice(-mostVerdicts)
  const members = new Set(last.flatMap(({ base, tested }) => [...base, ...tested]))
  const known = [...members].flatMap((number) => past.queue.pullRequests[number] ?? [])
  const merged = known.filter(({ state }) => state === 'MERGED')
  return {
    verdicts: last.flatMap((run) => verdictOf(past, run) ?? []),
    lengths: lengthsIn(past),
    arrivals: arrivalsIn(past),
    merged: merged.map(({ submission }) => submission),
  }
}

function verdictOf({ queue }: Past, { base, tested, outcome }: PastRun): ObservedVerdict | null {
  if (outcome !== 'passed' && outcome !== 'failed') return null
  const contents = [...base, ...tested].flatMap(
    (number) => queue.pullRequests[number]?.submission ?? [],
  )
  return { contents, outcome, failedTests: [] }
}

/** A step that a run caused has the instant at which the run ended. */
function lengthsIn({ history }: Past): ObservedLength[] {
  const lengths = new Map<TestRunId, ObservedLength>()
  for (const number of history.conclusions.numbers.slice(-mostRead)) {
    for (const { testRun, at, state } of stepsOf(
      history.pullRequests.get(number)?.timeline ?? [],
    )) {
      const run = testRun === null ? undefined : history.testRuns.get(testRun)
      if (testRun === null || !run || state === 'TESTING') continue
      const isWhole = run.outcome === 'passed' || run.outcome === 'failed'
      // A later step may cite the run again.
      const ms = Math.min(at - run.startedAt, lengths.get(testRun)?.ms ?? Infinity)
      if (isWhole) lengths.set(testRun, { ms, isWhole })
    }
  }
  return [...lengths.values()].slice(-mostLengths)
}

function arrivalsIn({ queue, history }: Past): ObservedArrival[] {
  return [...new Set(history.conclusions.numbers.slice(-mostArrivals))]
    .flatMap((number) => queue.pullRequests[number] ?? [])
    .map(({ number, submittedAt, priority, priorityAsked, noBatch }) => ({
      at: submittedAt,
      priority: priorityAsked ? priority : null,
      noBatch,
      targets: queue.impactedTargets[number] ?? null,
    }))
    .sort((a, b) => a.at - b.at)
}
