/** Starts of test runs, for the main line, for a bisection, or of the branch by itself. */

import { extend } from '../model/composition.ts'
import { contentOf, contentsOf, memberContents } from '../model/content.ts'
import type {
  BisectionView,
  GroupView,
  Millis,
  PullRequestNumber,
  QueueView,
  TestRun,
  Tip,
} from '../model/state.ts'
import { baseOf, compositionOf } from '../bisection/knowledge.ts'
import type { Step } from '../evolve/step.ts'
import { moveAll } from '../line/moves.ts'
import { membersBelow } from '../model/predecessors.ts'

const minuteMs = 60_000

/** Starts a run of the tip, the members of all predecessors, and the members of the group. */
export function startMainRun(step: Step, group: GroupView): void {
  startRunOf(step, group, membersBelow(step.queue, group), false)
}

/** Starts a run of the tip and the members of the group, without its predecessors. */
export function startScreeningRun(step: Step, group: GroupView): void {
  startRunOf(step, group, [], true)
}

function startRunOf(
  step: Step,
  group: GroupView,
  base: PullRequestNumber[],
  isScreening: boolean,
): void {
  const { queue } = step
  const tested = [...group.members]
  const submissions = contentsOf(queue, base)
  for (const number of tested) submissions.push(contentOf(queue, number))
  const run: TestRun = {
    id: queue.last.testRun + 1,
    startedAt: step.at,
    deadline: deadlineOf(step),
    owner: { kind: 'main', group: group.id },
    tip: queue.tip.number,
    base,
    tested,
    submissions,
    composition: extend(queue.tip.composition, submissions),
    ...(isScreening ? { screening: true } : {}),
    attempt: attemptOf(queue, group, submissions),
  }
  step.emit({ type: 'testRunStarted', run })
  moveAll(step, tested, 'TESTING', null, run.id)
}

/**
 * Attempts are counted for one composition. The count starts at 0 again if a pull request in the
 * line was below the lost run and is not below the new one, or the other way round.
 */
function attemptOf(
  queue: QueueView,
  { phase, overtaken }: GroupView,
  contents: readonly number[],
): number {
  const retry = phase.kind === 'waiting' ? phase.retry : null
  if (!retry || overtaken) return 0
  const { base, submissions } = retry.of
  const isLeftOut = (number: PullRequestNumber): boolean => {
    const below = queue.pullRequests[number]
    const isThere = below?.home.in === 'group' && submissions.includes(below.submission)
    return isThere && !contents.includes(below.submission)
  }
  const isSame = contents.every((content) => submissions.includes(content)) && !base.some(isLeftOut)
  return isSame ? retry.attempt : 0
}

/**
 * Starts a bisection run of the pinned tip, the proven members, and a prefix of the open members.
 */
export function startBisectionRun(
  step: Step,
  bisection: BisectionView,
  tested: readonly PullRequestNumber[],
  attempt: number,
): void {
  const base = baseOf(bisection)
  const run: TestRun = {
    id: step.queue.last.testRun + 1,
    startedAt: step.at,
    deadline: deadlineOf(step),
    owner: { kind: 'bisection', bisection: bisection.id },
    tip: bisection.tip,
    base,
    tested: [...tested],
    submissions: memberContents(bisection, [...base, ...tested]),
    composition: compositionOf(bisection, tested),
    attempt,
  }
  step.emit({ type: 'testRunStarted', run })
  moveAll(step, tested, 'TESTING', null, run.id)
  moveAll(step, bisection.open, 'TESTING', null)
}

/** Repeats a run with the same composition. Members that were proven meanwhile are now below. */
export function repeatBisectionRun(
  step: Step,
  bisection: BisectionView,
  run: TestRun,
  attempt: number,
): void {
  const tested = run.tested.filter((number) => bisection.open.includes(number))
  startBisectionRun(step, bisection, tested, attempt)
}

/** Starts a run of the branch by itself. It takes no slot. Rule: E-229. */
export function startTipRun(step: Step, { tip, composition }: Tip, attempt: number): void {
  const run: TestRun = {
    id: step.queue.last.testRun + 1,
    startedAt: step.at,
    deadline: deadlineOf(step),
    owner: { kind: 'tip' },
    tip,
    base: [],
    tested: [],
    submissions: [],
    composition,
    attempt,
  }
  step.emit({ type: 'testRunStarted', run })
}

/** When a run that gets its whole time now times out. */
export function deadlineOf({ queue, at }: Step): Millis {
  return at + queue.configuration.testingTimeoutMinutes * minuteMs
}
