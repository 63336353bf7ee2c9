/**
 * The rules, in the order in which they are tried. After each one that made something happen, the
 * first is tried again, so a rule acts only when all those before it have nothing left to do. Where
 * what it did can be nothing to those before it, the next one is tried instead.
 *
 * That order is behaviour. Verdicts, merges, departures and restarts settle before anything
 * starts, so that no run is put together on top of a group that is about to leave; starts come
 * before successors are noted, so that free slots count; and the wake-up is asked for last.
 */

import { advanceBisection } from './advance-bisection.ts'
import { armWake } from './arm-wake.ts'
import { expireRuns } from './expire-runs.ts'
import { formGroup } from './form-group.ts'
import { interruptForUrgent } from './interrupt-for-urgent.ts'
import { mergeDirectly } from './merge-directly.ts'
import { mergeSurvivors } from './merge-survivors.ts'
import { merge } from './merge.ts'
import type { Rule } from './rule.ts'
import { settleConflict } from './settle-conflict.ts'
import { noteSuccessors, settleFailure } from './settle-failure.ts'
import { startBisectionRuns } from './start-bisection-runs.ts'
import { startWaiting } from './start-waiting.ts'
import { switchMode } from './switch-mode.ts'

export type RuleName = keyof typeof rules

export const rules = {
  // An overdue run is a verdict like any other.
  expireRuns,
  // What is proven merges before it can be judged stale by what comes next.
  merge,
  // A conflict waits for a merge, a failure for all of them.
  settleConflict,
  settleFailure,
  // Survivors that may merge do so before their bisection can end and send them back.
  mergeSurvivors,
  advanceBisection,
  // Whoever needs no run is not put into the line for one, an urgent one included.
  mergeDirectly,
  // An urgent one restarts what is left in the line, and nothing that could have merged.
  interruptForUrgent,
  // Nothing is left to settle: an empty line can change its mode.
  switchMode,
  // Starts: bisections have slots of their own; in the line, restarts go before new groups.
  startBisectionRuns,
  startWaiting,
  formGroup,
  noteSuccessors,
  armWake,
} as const satisfies Record<string, Rule>
