/** Judges a sample of the mutants of the engine as a part of a soak. */

import { existsSync } from 'node:fs'
import type { Shard } from '../../../sim/random/seeds.ts'
import type { SoakMutant } from '../../../sim/soak/mutants.ts'
import type { CliContext } from '../../../sim/terminal/context.ts'
import { workBar } from '../../../sim/terminal/work-bar.ts'

type SoakSample = {
  /** The number of mutants, before it is divided by the shards. */
  readonly size: number
  /** The first seed of the soak; it draws the sample. */
  readonly from: number
  readonly shard: Shard | null
  /** The time budget of the soak, or null. */
  readonly forMs: number | null
  /** How many seeds of the swarm judge each mutant (default: 150). */
  readonly seedsOfSwarm?: number
}

export type JudgeSoakMutants = (
  sample: SoakSample,
  context: Pick<CliContext, 'stderr' | 'signal'>,
) => Promise<SoakMutant[]>

/** The installed package leaves this folder out: it has no tests to judge by. */
const mutation = new URL('../../mutation/', import.meta.url)

const defaultSeedsOfSwarm = 150

/** Judges the sample. Judges none if this is not a checkout of the repository. */
export const judgeSoakMutants: JudgeSoakMutants = async (sample, { stderr, signal }) => {
  const { size, from, shard, forMs, seedsOfSwarm = defaultSeedsOfSwarm } = sample
  if (size === 0 || !existsSync(mutation)) return []
  const { chosen, engineMutants, idOf, judgeAll, judgeNames, ...others } =
    await import('../../mutation/index.ts')
  const { mistakes } = others.sorted(engineMutants(), others.readEquivalents())
  const drawn = chosen(mistakes, { only: [], sample: size, seed: from, shard })
  const refused = await others.refusedByTypes(drawn, signal)
  const mutants = drawn.filter((mutant) => !refused.has(mutant))
  const bar = workBar(stderr, 'soak', mutants.length, 'mutants')
  const judged: SoakMutant[] = []
  await judgeAll(mutants, {
    seeds: seedsOfSwarm,
    isFast: true,
    signal,
    enough: forMs === null ? undefined : AbortSignal.timeout(forMs / 4),
    onJudged(mutant, verdicts) {
      const noticedBy = judgeNames.filter((judge) => (verdicts[judge] ?? null) !== null)
      const replay = `npm run mutants -- --only ${mutant.file}:${mutant.line}`
      judged.push({ mutant: idOf(mutant), noticedBy, replay })
      bar.update(judged.length, '')
    },
  })
  bar.stop()
  return judged
}
