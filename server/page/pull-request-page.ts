/** One pull request: where it is, what happened to it, and what its runs stood on. */

import { type PullRequestView, type TestRunId, isTerminal } from '../../engine/index.ts'
import type { PastRun } from '../history/queue-history.ts'
import { type TimelineStep as Step, stepsOf } from '../history/timeline.ts'
import { testRunId } from '../identity/ids.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { PullRequestPage, PullRequestRun, RunPage, TimelineStep } from './frame.ts'
import { stackOf } from '../views/stack.ts'
import { explained } from '../views/why.ts'
import { type Runs, runRow, runsOf } from './picture.ts'
import { type Audience, titleOf, type View, type ViewParts, views } from './view.ts'

export function pullRequestPage(
  queue: ManagedQueue,
  pullRequest: PullRequestView,
  { parts, audience }: { readonly parts: ViewParts; readonly audience: Audience },
): PullRequestPage {
  const view = views[audience]
  const { number } = pullRequest
  const submissions = submissionsOf(stepsOf(queue.history.pullRequests.get(number)?.timeline ?? []))
  const steps = submissions.at(-1) ?? []
  const runs = testedIn(queue, steps[0]?.at ?? 0, number)
  return {
    row: view.row(queue, pullRequest, parts),
    why: audience === 'member' ? explained(queue, pullRequest) : null,
    timeline: steps.map((step) => timelineStep(queue, step, view)),
    runs,
    stoodOn: stoodOn(queue, pullRequest),
    stack: stackOf(queue.engine.queue, number).map((each) =>
      audience === 'member'
        ? { ...each, member: { title: titleOf(queue.history, each.number) } }
        : each,
    ),
    earlier: submissions.slice(0, -1).flatMap((each) => earlier(each, view) ?? []),
  }
}

/** The steps of each submission, oldest first. */
function submissionsOf(steps: readonly Step[]): Step[][] {
  const submissions: Step[][] = []
  for (const step of steps) {
    const last = submissions.at(-1)
    const before = last?.at(-1)
    if (!last || (before && isTerminal(before.state))) submissions.push([step])
    else last.push(step)
  }
  return submissions
}

function timelineStep({ ids }: ManagedQueue, step: Step, view: View): TimelineStep {
  return {
    at: new Date(step.at).toISOString(),
    text: view.step(step),
    run: step.testRun === null ? null : testRunId(ids, step.testRun),
  }
}

function earlier(steps: readonly Step[], view: View): PullRequestPage['earlier'][number] | null {
  const [first, last] = [steps[0], steps.at(-1)]
  if (!first || !last || !isTerminal(last.state)) return null
  return {
    submittedAt: new Date(first.at).toISOString(),
    since: new Date(last.at).toISOString(),
    state: last.state,
    why: view.step(last),
  }
}

/** So many runs are looked through: those of the last days. */
const mostRuns = 5_000

/** The runs since the submission that tested it, oldest first. */
function testedIn(queue: ManagedQueue, since: number, number: number): PullRequestRun[] {
  const { engine, history } = queue
  const usual = runsOf(queue)
  const runs: PullRequestRun[] = []
  const last = engine.queue.last.testRun
  for (let run = last; run > Math.max(0, last - mostRuns); run--) {
    const past = history.testRuns.get(run)
    if (!past || past.startedAt < since) break
    if (past.tested.includes(number)) runs.push(runOf(usual, run, past))
  }
  return runs.reverse()
}

function runOf(usual: Runs, run: TestRunId, past: PastRun): PullRequestRun {
  const { endedAt, tested, base, kind } = past
  return {
    ...runRow(usual, run),
    endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
    tested: [...tested],
    base: [...base],
    isOfBisection: kind === 'bisection',
  }
}

/** A run for members, with its page elsewhere; null for one that the queue does not know. */
export function runPage(queue: ManagedQueue, run: TestRunId): Pick<RunPage, 'run'> | null {
  const past = queue.history.testRuns.get(run)
  if (!past) return null
  const url = past.url === '' ? {} : { url: past.url }
  return { run: { ...runOf(runsOf(queue), run, past), ...url } }
}

function stoodOn({ engine }: ManagedQueue, { number, home }: PullRequestView): number[] {
  const { groups, testRuns, bisections } = engine.queue
  if (home.in === 'group') {
    const phase = groups[home.group]?.phase
    return phase && 'run' in phase && phase.run ? [...phase.run.base] : []
  }
  if (home.in !== 'bisection') return []
  const bisection = bisections.find(({ id }) => id === home.bisection)
  const run = bisection?.underWay
    .map((id) => testRuns[id])
    .find((each) => each?.tested.includes(number))
  return run ? [...run.base] : []
}
