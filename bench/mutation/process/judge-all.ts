/** Judges many mutants, as many at a time as there are cores. */

import { threads } from '../../../sim/campaign/worker-pool.ts'
import { tracesOf } from '../judges/swarm.ts'
import type { Mutant } from '../mutants/mutant.ts'
import { judgeMutant, type JudgeMutantOptions, type Verdicts } from './judge-mutant.ts'

export type JudgeAllOptions = Omit<JudgeMutantOptions, 'traces'> & {
  /** The mutants are said to be equivalent, so they must also give the same events. */
  readonly areEquivalent?: boolean
  readonly onJudged: (mutant: Mutant, verdicts: Verdicts) => void
  /** When aborted, no mutant starts any more; started ones finish. */
  readonly enough?: AbortSignal | undefined
}

/** Judges the mutants until none is left or a signal is aborted. */
export async function judgeAll(
  mutants: readonly Mutant[],
  { onJudged, enough, areEquivalent = false, ...others }: JudgeAllOptions,
): Promise<void> {
  const options = { ...others, traces: areEquivalent ? tracesOf(others.seeds) : null }
  const left = [...mutants]
  const isOver = (): boolean => options.signal?.aborted === true || enough?.aborted === true
  const judgeNext = async (): Promise<void> => {
    for (let mutant = left.shift(); mutant && !isOver(); mutant = left.shift()) {
      const verdicts = await judgeMutant(mutant, options)
      if (options.signal?.aborted !== true) onJudged(mutant, verdicts)
    }
  }
  await Promise.all(Array.from({ length: threads }, judgeNext))
}
