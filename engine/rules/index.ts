/**
 * The rules, in the order in which they are tried. When a rule returns true, the rules are tried
 * from the first one again, so a rule acts only if the rules before it have nothing to do. When a
 * rule returns false, the next one is tried; it may have acted in a way that no rule before it
 * depends on.
 *
 * The order is behaviour. Verdicts, merges, departures and restarts come before starts, so that no
 * run starts on top of a group that is about to leave. The wake-up is requested last.
 */

import { advanceBisection, lookOnceMore, startBisectionRuns } from './bisect.ts'
import { armWake, expireRuns } from './deadlines.ts'
import { formGroup, interruptForUrgent, startWaiting } from './start.ts'
import { mergeDirectly, mergeSurvivors, merge } from './merge.ts'
import type { Rule } from '../evolve/step.ts'
import { settleConflict, settleFailure, startHold } from './settle.ts'
import { switchMode } from './switch-mode.ts'
import { testTip } from './test-tip.ts'

export type RuleName = keyof typeof rules

export const rules = {
  // A timeout is a verdict, and the other rules react to verdicts.
  expireRuns,
  // A group that passed merges before another rule can restart it.
  merge,
  // A conflict waits for the merge of one predecessor, a failure for the merges of all.
  settleConflict,
  // Nobody is at fault before it is known whether the branch is.
  testTip,
  settleFailure,
  // Survivors merge, if they may, before the end of their bisection sends them back to the line.
  mergeSurvivors,
  advanceBisection,
  // A pull request that needs no run does not enter the line for a run, even if it is urgent.
  mergeDirectly,
  // An urgent pull request restarts only groups that could not merge.
  interruptForUrgent,
  // Now the line may be empty, so the mode can change.
  switchMode,
  // Starts. Bisections have separate slots. In the line, restarts come before new groups.
  startBisectionRuns,
  // A second look takes only a slot that is left over. Without one a member is convicted.
  lookOnceMore,
  startWaiting,
  formGroup,
  // What could be settled has been, so a failure that is still there is held.
  startHold,
  armWake,
} as const satisfies Record<string, Rule>
