import { isDoubtful, isWorthASecondLook } from '../bisection/confirmation.ts'
import { convict } from '../transitions/depart.ts'
import {
  isUnexplained,
  isWaitingForRuns,
  knowledgeOf,
  type Knowledge,
  type KnownFailure,
  awaitsTip,
} from '../bisection/knowledge.ts'
import { returnToLine } from '../bisection/members.ts'
import { passAll } from '../line/moves.ts'
import { isScreenedBy } from '../model/policy.ts'
import type { BisectionView, QueueView } from '../model/state.ts'
import type { Step, Rule } from '../evolve/step.ts'
import { bisectionSlots } from '../model/configuration.ts'
import { allows } from '../model/queue-state.ts'
import { failureOfTip } from '../model/tip-test.ts'
import { startBisectionRun } from '../transitions/start-run.ts'
import { nextPrefixes } from '../bisection/group-testing.ts'

/**
 * Advances a bisection by one step. The longest prefix that passed is proven, although a shorter
 * one may have failed. If a prefix of one member fails, that member is the culprit, once no run in
 * progress can change this and no confirmation is due. The bisection ends when no member is open.
 */
export const advanceBisection: Rule = (step) => {
  for (const bisection of step.queue.bisections) {
    if (advance(step, bisection)) return true
  }
  return false
}

function advance(step: Step, bisection: BisectionView): boolean {
  const { passing, failing } = knowledgeOf(bisection)
  if (passing) {
    prove(step, bisection, passing, failing)
    return true
  }
  if (isWaitingForRuns(step.queue, bisection)) return false
  if (bisection.open.length === 0) {
    end(step, bisection)
    return true
  }
  // A slot may be left over for a second look once all wanted runs have started.
  if (!failing || isWorthASecondLook(step.queue, bisection, failing.verdict)) return false
  return convictFirst(step, bisection, failing)
}

/** Convicts the first open member if the failure is that of its prefix, and shows that it is the culprit. */
function convictFirst(step: Step, bisection: BisectionView, failing: KnownFailure): boolean {
  const [first] = bisection.open
  if (first === undefined || failing.length > 1) return false
  if (isDoubtful(step.queue, bisection, failing)) return false
  if (isUnexplained(step.queue, bisection, failing)) return false
  convict(step, bisection, first, failing)
  return true
}

function prove(
  step: Step,
  bisection: BisectionView,
  { length, run }: NonNullable<Knowledge['passing']>,
  failing: Knowledge['failing'],
): void {
  const members = bisection.open.slice(0, length)
  step.emit({ type: 'membersProven', bisection: bisection.id, members, run })
  passAll(step, members, 'TEST_RUN_PASSED', run)
  if (!failing) return
  // The rest of the failing range is known to fail, so one run was saved.
  const { composition, verdict } = failing
  const testRun = verdict.run.id
  step.emit({ type: 'testRunSaved', bisection: bisection.id, composition, testRun })
}

function end(step: Step, bisection: BisectionView): void {
  const survivors = [...bisection.proven]
  // The failed run of a batch may be the fault of another member, which is tested by itself too.
  const isFlake =
    (bisection.others ?? 0) === 0 && bisection.convicted === 0 && bisection.departed === 0
  step.emit({ type: 'bisectionEnded', bisection: bisection.id, flake: isFlake })
  const group = returnToLine(step, survivors, 'BISECTION_TEST_RUN_PASSED')
  if (group !== null && isScreenedBy(step.queue, bisection))
    step.emit({ type: 'groupScreened', group })
}

/**
 * Second looks (E-141, E-142). All wanted bisection runs have started by now. In a slot that is left
 * over, the failed run of a batch is made once more, beside the search. If only that failure is left
 * to convict a member (elimination) and no slot is left over, the member is convicted without it.
 */
export const lookOnceMore: Rule = (step) => {
  const { queue } = step
  if (queue.bisections.length === 0) return false
  const leftOver = slotsLeftOver(queue)
  for (const bisection of queue.bisections) {
    const failing = unconfirmedFailureOf(queue, bisection)
    if (!failing) continue
    if (leftOver >= slotsNeeded(failing)) {
      startBisectionRun(step, bisection, bisection.open, 0)
      return true
    }
    if (convictFirst(step, bisection, failing)) return true
  }
  return false
}

/** Beside the search another slot stays free, for a bisection that begins meanwhile. */
function slotsNeeded(failing: KnownFailure): number {
  const isSearchOver = failing.length === 1
  return isSearchOver ? 1 : 2
}

/** The number of free slots that no run wants, now or when its retry is due. */
function slotsLeftOver(queue: QueueView): number {
  if (!allows(queue.state, 'startsKnown') || failureOfTip(queue)) return 0
  let wanted = 0
  for (const { retries } of queue.bisections) wanted += retries.length
  return bisectionSlots(queue.configuration) - queue.slots.bisection - wanted
}

/**
 * The failure of the batch, if it is the only failure in the bisection, all that is known of the open
 * members, and no second run of it is in progress or planned.
 */
function unconfirmedFailureOf(queue: QueueView, bisection: BisectionView): KnownFailure | null {
  const { failing } = knowledgeOf(bisection)
  if (!failing || bisection.retries.length > 0) return null
  if (!isWorthASecondLook(queue, bisection, failing.verdict)) return null
  const { composition } = failing
  const isUnderWay = bisection.underWay.some((id) => {
    return queue.testRuns[id]?.composition === composition
  })
  return isUnderWay ? null : failing
}

/** Bisections start their next runs in separate slots, the earliest bisection first. */
export const startBisectionRuns: Rule = (step) => {
  const { queue } = step
  if (!allows(queue.state, 'startsKnown') || failureOfTip(queue)) return false
  const free = bisectionSlots(queue.configuration) - queue.slots.bisection
  if (free <= 0) return false
  for (const bisection of queue.bisections) {
    if (startIn(step, bisection, free)) return true
  }
  return false
}

function startIn(step: Step, bisection: BisectionView, free: number): boolean {
  const due = bisection.retries.find((retry) => retry.notBefore <= step.at)
  if (due) {
    // Members that were proven meanwhile are now below.
    const tested = due.of.tested.filter((number) => bisection.open.includes(number))
    startBisectionRun(step, bisection, tested, due.attempt)
    return true
  }
  // Without an open member it waits for runs, because otherwise a rule before has ended it.
  if (isWaitingForRuns(step.queue, bisection)) return false
  if (isLeftToASecondLook(step.queue, bisection) || awaitsTip(step.queue, bisection)) return false
  const open = [...bisection.open]
  for (const length of nextPrefixes(step.queue, bisection, free)) {
    startBisectionRun(step, bisection, open.slice(0, length), 0)
  }
  return true
}

/** True if the search is over but for a second look, which has no claim to a slot. */
function isLeftToASecondLook(queue: QueueView, bisection: BisectionView): boolean {
  const { failing } = knowledgeOf(bisection)
  if (failing?.length !== 1 || isDoubtful(queue, bisection, failing)) return false
  return isWorthASecondLook(queue, bisection, failing.verdict)
}
