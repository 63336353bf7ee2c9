import type { Step } from '../step.ts'

/**
 * One thing the queue should do as soon as it can. Looks at the state afresh each time, so that a
 * lost or doubled message cannot wedge anything; answers whether it made something happen.
 */
export type Rule = (step: Step) => boolean
