import { departFromBisections } from '../bisection/member-departure.ts'
import { isOnlyKnownFlakes, needsConfirmation } from '../bisection/confirmation.ts'
import {
  compositionOf,
  isWaitingForRuns,
  knowledgeOf,
  type Knowledge,
  type KnownFailure,
} from '../bisection/knowledge.ts'
import { returnSurvivors } from '../bisection/survivors.ts'
import { move, moveAll } from '../line/moves.ts'
import type { BisectionView, PullRequestNumber, TestRun } from '../model/state.ts'
import type { Step } from '../evolve/step.ts'
import type { Rule } from './rule.ts'

/**
 * Advances a bisection by one step. The longest prefix that passed is proven, although a shorter
 * one may have failed. If a prefix of one member fails, that member is the culprit, once no run in
 * progress can change this. The bisection ends when no member is open.
 */
export const advanceBisection: Rule = (step) => {
  for (const bisection of step.queue.bisections) {
    if (advance(step, bisection)) return true
  }
  return false
}

function advance(step: Step, bisection: BisectionView): boolean {
  const knowledge = knowledgeOf(bisection)
  if (knowledge.passingRun) {
    prove(step, bisection, knowledge, knowledge.passingRun)
    return true
  }
  if (isWaitingForRuns(step.queue, bisection)) return false
  const [first] = bisection.open
  if (first === undefined) {
    end(step, bisection)
    return true
  }
  const { failing } = knowledge
  const isCulpritKnown = failing?.length === 1 && !isDoubtful(step, failing)
  if (isCulpritKnown) convict(step, bisection, first, failing)
  return isCulpritKnown
}

function isDoubtful(step: Step, { verdict }: KnownFailure): boolean {
  return isOnlyKnownFlakes(step.queue, verdict) || needsConfirmation(step.queue, verdict)
}

function prove(step: Step, bisection: BisectionView, knowledge: Knowledge, run: TestRun): void {
  const members = bisection.open.slice(0, knowledge.passing)
  step.emit({ type: 'membersProven', bisection: bisection.id, members, run })
  moveAll(step, members, 'TESTS_PASSED', 'TEST_RUN_PASSED', run.id)
  const { failing } = knowledge
  if (!failing) return
  // The rest of the failing range is known to fail, so one run was saved.
  const { composition, verdict } = failing
  const testRun = verdict.run.id
  step.emit({ type: 'testRunSaved', bisection: bisection.id, composition, testRun })
}

function convict(
  step: Step,
  bisection: BisectionView,
  number: PullRequestNumber,
  { verdict }: KnownFailure,
): void {
  const isByElimination = verdict.ofBatch && verdict.reason === 'TEST_RUN_REQUIRED_STATUS_FAILED'
  const reason = isByElimination
    ? 'TEST_RUN_FAILED_BY_OPTIMIZATION'
    : (verdict.reason ?? 'TEST_RUN_REQUIRED_STATUS_FAILED')
  const without = bisection.verdicts[compositionOf(bisection, [])]
  const evidence = {
    failedIn: verdict.run.id,
    passedWithout: without?.outcome === 'passed' ? without.run.id : null,
    failedTests: verdict.failedTests,
  }
  step.emit({ type: 'memberConvicted', bisection: bisection.id, number })
  move(step, number, 'FAILED', reason, { testRun: verdict.run.id, evidence })
  // Another bisection may have proven it before and have runs on top of it.
  departFromBisections(step, number, 'PREREQUISITE_MERGE_ITEM_FAILED')
}

function end(step: Step, bisection: BisectionView): void {
  const survivors = [...bisection.proven]
  const isFlake = bisection.convicted === 0 && bisection.departed === 0
  step.emit({ type: 'bisectionEnded', bisection: bisection.id, flake: isFlake })
  returnSurvivors(step, survivors)
}
