import type { EngineParts } from '../../engine/index.ts'

/** A deliberate fault of the engine. */
export type Defect = {
  /** Short and stable, because its first seed is kept under it. */
  readonly name: string
  /** What it does, in one sentence. */
  readonly sentence: string
  readonly parts: EngineParts
}

/** Faults by their names. */
export type Defects = Readonly<Record<string, readonly [sentence: string, parts: EngineParts]>>
