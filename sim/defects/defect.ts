import type { Parts } from '../../engine/index.ts'

/** An engine with one thing wrong in it. */
export type Defect = {
  /** Short and stable: the scoreboard names it. */
  readonly name: string
  /** What it does, in one sentence. */
  readonly sentence: string
  readonly parts: Parts
}
