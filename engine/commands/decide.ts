import type { Rejection } from '../protocol/rejections.ts'
import type { Step } from '../evolve/step.ts'

/**
 * The direct effect of one kind of command; the rules do the rest. Returns null if the command was
 * accepted, else the rejection, and then nothing has changed.
 */
export type Decide<Body> = (step: Step, command: Body) => Rejection | null
