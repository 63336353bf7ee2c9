/**
 * A queue as the page shows it at one instant, each part as JSON. A frame is the difference of two
 * pictures, so a page that folds all frames has the last picture.
 */

import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { QueueGlance, BisectionStep, BisectionTree, GroupRow, Line } from './frame.ts'
import { type Audience, type PublicRun, type ViewParts, firstWaiting, views } from './view.ts'
import {
  type BisectionView,
  type GroupView,
  type PullRequestView,
  type TestRunId,
  isLeftOut,
  waitsForDependency,
} from '../../engine/index.ts'
import { testRunId } from '../identity/ids.ts'
import { percentile } from '../terminal/percentile.ts'

export type Picture = {
  readonly queue: string
  readonly line: string
  readonly waiting: string
  /** By number: who left lately, the oldest first; then everybody in the line, and those who are shown waiting. */
  readonly rows: ReadonlyMap<number, string>
}

const mostEnded = 30
/** So many of the last that left are looked at. */
const mostLookedAt = 200

export function pictureOf(queue: ManagedQueue, parts: ViewParts, audience: Audience): Picture {
  const view = views[audience]
  const { pullRequests } = queue.engine.queue
  const line = lineOf(queue, audience)
  const order = firstWaiting(queue)
  const tested = [...line.groups, ...line.bisections].flatMap(({ members }) => members)
  const inQueue = [...tested, ...order]
    .flatMap((number) => pullRequests[number] ?? [])
    .filter(({ home }) => home.in !== 'nowhere')
  const left = [...concluded(queue)].slice(0, mostEnded).reverse()
  const rows = [...left, ...inQueue].map(
    (each) => [each.number, JSON.stringify(view.row(queue, each, parts))] as const,
  )
  return {
    queue: JSON.stringify(view.head(queue, parts)),
    line: JSON.stringify(line),
    waiting: JSON.stringify({ order, total: waitingIn(queue) }),
    rows: new Map(rows),
  }
}

/** Those of the last that left the queue who did not come again, newest first. */
export function* concluded({ engine, history }: ManagedQueue): Generator<PullRequestView> {
  const { conclusions, pullRequests } = history
  const { end } = conclusions
  for (let position = end - 1; position >= end - mostLookedAt; position--) {
    const number = conclusions.at(position)
    if (number === undefined) return
    const pullRequest = engine.queue.pullRequests[number]
    // Who came again and left again is told at the later position.
    if (pullRequest && pullRequests.get(number)?.concludedAs === position) yield pullRequest
  }
}

/** What the list of queues says of one. */
export function glanceOf(queue: ManagedQueue, parts: ViewParts, audience: Audience): QueueGlance {
  const { head, row } = views[audience]
  const failed = [...concluded(queue)].find(({ state }) => state === 'FAILED')
  const waits = waitingIn(queue)
  return {
    ...head(queue, parts),
    inLine: queue.positions().size - waits,
    waits,
    lastFailure: failed ? row(queue, failed, parts) : null,
  }
}

/** All but those in the line and in bisections. */
function waitingIn(queue: ManagedQueue): number {
  const { groups, bisections, pullRequests } = queue.engine.queue
  let elsewhere = 0
  for (const { members } of Object.values(groups)) elsewhere += members.length
  for (const { id, submissions } of bisections) {
    for (const number of Object.keys(submissions)) {
      const home = pullRequests[Number(number)]?.home
      if (home?.in === 'bisection' && home.bisection === id) elsewhere++
    }
  }
  return queue.positions().size - elsewhere
}

// The line as it is tested: its groups in order, and the bisections as they stand.

/** Larger lines are cut: nobody reads more, and a frame stays small. */
const mostGroups = 200

/** Names of targets are for members: they can be paths. */
const mostTargets = 5

export function lineOf(queue: ManagedQueue, audience: Audience = 'public'): Line {
  const { line, groups, bisections, configuration } = queue.engine.queue
  const isNamed = audience === 'member' && configuration.mode === 'parallel'
  const named = ({ targets }: GroupView): Pick<GroupRow, 'targets'> =>
    isNamed ? { targets: targets === 'ALL' ? ['ALL'] : targets.slice(0, mostTargets) } : {}
  const runs = runsOf(queue)
  const shown = line.slice(0, mostGroups).flatMap((id) => groups[id] ?? [])
  return {
    groups: shown.map((group) => ({ ...groupRow(runs, group), ...named(group) })),
    bisections: bisections.map((bisection) => bisectionTree(runs, bisection)),
  }
}

export type Runs = { readonly queue: ManagedQueue; readonly expectedMinutes: number | null }

/** So many of the last runs show what is usual now, and fewer show nothing. */
const mostLengths = 50
const fewestLengths = 3
const mostRunsLookedAt = 500
const msPerMinute = 60_000

/** A queue, with how long half of its last runs took that ended by themselves. */
export function runsOf(queue: ManagedQueue): Runs {
  const { engine, history } = queue
  const last = engine.queue.last.testRun
  const lengths: number[] = []
  for (let run = last; run > last - mostRunsLookedAt && lengths.length < mostLengths; run--) {
    const { startedAt = 0, endedAt = null, outcome = null } = history.testRuns.get(run) ?? {}
    const isJudged = outcome !== 'errored' && outcome !== 'cancelled'
    if (endedAt !== null && isJudged) lengths.push(endedAt - startedAt)
  }
  if (lengths.length < fewestLengths) return { queue, expectedMinutes: null }
  const median = percentile(lengths, 50)
  return { queue, expectedMinutes: Math.round((median / msPerMinute) * 10) / 10 }
}

function groupRow(runs: Runs, group: GroupView): GroupRow {
  const { groups } = runs.queue.engine.queue
  const { id, members, phase, urgent, dependsOn } = group
  const run = 'run' in phase ? phase.run : null
  return {
    id,
    members: [...members],
    phase: waitsForDependency(group) ? 'waiting' : phase.kind,
    urgent,
    run: run === null ? null : runRow(runs, run.id),
    // Some of them may have left, and nothing is tested on top of one with a conflict.
    dependsOn: dependsOn.filter((each) => groups[each] && !isLeftOut(groups[each])),
  }
}

export function runRow({ queue, expectedMinutes }: Runs, run: TestRunId): PublicRun {
  const past = queue.history.testRuns.get(run)
  return {
    id: testRunId(queue.ids, run),
    startedAt: new Date(past?.startedAt ?? 0).toISOString(),
    expectedMinutes,
    outcome: past?.outcome ?? null,
  }
}

function bisectionTree(runs: Runs, bisection: BisectionView): BisectionTree {
  const { pullRequests } = runs.queue.engine.queue
  const { id, submissions, verdicts, proven, handedOver } = bisection
  const ofBatch = Object.values(verdicts).find((verdict) => verdict.ofBatch)
  const known = Object.keys(submissions).map(Number)
  const order = ofBatch?.run.tested.filter((number) => number in submissions) ?? []
  const members = [...new Set([...order, ...known])]
  const isFailed = (number: number): boolean => {
    const pullRequest = pullRequests[number]
    return pullRequest?.state === 'FAILED' && pullRequest.submission === submissions[number]
  }
  return {
    id,
    members,
    steps: stepsOf(runs, bisection),
    proven: members.filter((each) => proven.includes(each) || handedOver.includes(each)),
    culprits: members.filter(isFailed),
  }
}

/** The runs of the bisection in the order of their start; the run of the batch is not one of them. */
function stepsOf(runs: Runs, { verdicts, underWay }: BisectionView): BisectionStep[] {
  const { testRuns } = runs.queue.engine.queue
  const judged = Object.values(verdicts)
    .filter(({ ofBatch }) => !ofBatch)
    .map(({ run }) => run)
  const going = underWay.flatMap((id) => testRuns[id] ?? [])
  return [...judged, ...going]
    .sort((one, other) => one.id - other.id)
    .map(({ id, tested, base }) => ({
      tested: [...tested],
      base: [...base],
      run: runRow(runs, id),
    }))
}
