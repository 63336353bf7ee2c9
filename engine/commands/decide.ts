import type { Rejection } from '../protocol/rejections.ts'
import type { Step } from '../step.ts'

/** What one kind of command does at once; the rules do what follows. Null: it was accepted. */
export type Decide<Body> = (step: Step, command: Body) => Rejection | null
