import { isDoubtful, isWorthASecondLook } from '../bisection/confirmation.ts'
import { convict } from '../transitions/conviction.ts'
import {
  isUnexplained,
  isWaitingForRuns,
  knowledgeOf,
  type Knowledge,
} from '../bisection/knowledge.ts'
import { returnToLine } from '../bisection/survivors.ts'
import { passAll } from '../line/moves.ts'
import { isScreenedBy } from '../model/policy.ts'
import type { BisectionView } from '../model/state.ts'
import type { Step } from '../evolve/step.ts'
import type { Rule } from './rule.ts'

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
  const [first] = bisection.open
  if (first === undefined) {
    end(step, bisection)
    return true
  }
  if (failing?.length !== 1 || isDoubtful(step.queue, bisection, failing)) return false
  // A slot may be left over for a second look once all wanted runs have started.
  if (isWorthASecondLook(step.queue, bisection, failing.verdict)) return false
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
  const [group, ...others] = returnToLine(step, survivors, 'BISECTION_TEST_RUN_PASSED')
  // Its runs tested them together, so they show nothing of one that returns by itself.
  if (group === undefined || others.length > 0 || !isScreenedBy(step.queue, bisection)) return
  step.emit({ type: 'groupScreened', group })
}
