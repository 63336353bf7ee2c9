/** The judges of a mutant. Each has its own verdict. */

/** In the order in which they are asked: what shows a mistake soonest comes first. */
export const judgeNames = ['scenarios', 'swarm', 'unit tests'] as const
export type JudgeName = (typeof judgeNames)[number]

type JudgeOptions = {
  /** The folder of the repository. */
  readonly repository: string
  /** The source with the mistake; null for the engine as it is. */
  readonly file: string | null
  /** The number of seeds of the swarm. */
  readonly seeds: number
  /** The hashes of the events of these seeds without the mistake, to be the same; null: any events. */
  readonly traces: readonly string[] | null
  /** Called after each scenario, seed or test file. */
  readonly onProgress: () => void
}

/** Returns what noticed the mutant, or null if nothing did. */
export type Judge = (options: JudgeOptions) => Promise<string | null>
