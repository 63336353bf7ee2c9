import type { Step } from '../evolve/step.ts'

/**
 * One thing that the queue does as soon as it can. A rule reads only the current state, so a lost
 * or duplicate message cannot block the queue. It returns true if it made a change that a rule
 * before it may depend on; then all rules are tried again.
 */
export type Rule = (step: Step) => boolean
