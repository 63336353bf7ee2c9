import type { Step } from '../step.ts'

/**
 * One thing the queue should do as soon as it can. Looks at the state afresh each time, so that a
 * lost or doubled message cannot wedge anything. Answers whether it made something happen upon
 * which a rule before it might act: then all are tried again.
 */
export type Rule = (step: Step) => boolean
