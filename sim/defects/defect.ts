import type { EngineParts } from '../../engine/index.ts'

/** A deliberate fault of the engine. */
export type Defect = {
  /** Short and stable, because the scoreboard refers to it. */
  readonly name: string
  /** What it does, in one sentence. */
  readonly sentence: string
  readonly parts: EngineParts
}
