/** Counts how often a batch passes on the first try, by its size. */

import type { GroupId } from '../../../engine/index.ts'
import type { EndedRun, ResultProjection } from '../../result/result-projection.ts'
import { Kept } from './kept.ts'

/** The first main runs of the batches of one size, by how they ended. */
export type FirstTries = {
  readonly size: number
  readonly passed: number
  readonly failed: number
  /** Cancelled, lost or timed out: the run does not say whether the batch is healthy. */
  readonly noVerdict: number
  /** The pull requests of those runs. */
  readonly members: Readonly<Record<TryOutcome, Kept>>
}

type TryOutcome = 'passed' | 'failed' | 'noVerdict'

export class BatchesProjection implements ResultProjection {
  readonly #tries = new Map<number, FirstTries>()
  readonly #tested = new Set<GroupId>()

  /** A batch counts once, with its first main run. Later runs and bisections do not count. */
  onRunEnd({ run: { owner, tested }, outcome }: EndedRun): void {
    if (owner.kind !== 'main' || this.#tested.has(owner.group)) return
    this.#tested.add(owner.group)
    const size = tested.length
    const before = this.#tries.get(size) ?? noTries(size)
    const how = outcome === 'passed' || outcome === 'failed' ? outcome : 'noVerdict'
    before.members[how].add(tested)
    this.#tries.set(size, { ...before, [how]: before[how] + 1 })
  }

  /** By size, smallest first. */
  get tries(): FirstTries[] {
    return [...this.#tries.values()].sort((a, b) => a.size - b.size)
  }
}

function noTries(size: number): FirstTries {
  const members = { passed: new Kept(), failed: new Kept(), noVerdict: new Kept() }
  return { size, passed: 0, failed: 0, noVerdict: 0, members }
}
