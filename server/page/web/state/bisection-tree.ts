/**
 * A bisection as a tree: each tested set stands below the smallest set that failed before it and
 * contains it. So a reader sees how the search becomes narrower.
 */

import type { BisectionStep, BisectionTree } from '../../frame.ts'

export type SearchNode = {
  readonly tested: readonly number[]
  /** Null for the batch that failed. */
  readonly step: BisectionStep | null
  readonly children: readonly SearchNode[]
}

type Growing = { tested: readonly number[]; step: BisectionStep | null; children: Growing[] }

export function searchTree({ members, steps }: BisectionTree): SearchNode {
  const root: Growing = { tested: members, step: null, children: [] }
  for (const step of steps) {
    parentOf(root, step).children.push({ tested: step.tested, step, children: [] })
  }
  return root
}

function parentOf(node: Growing, step: BisectionStep): Growing {
  const narrower = node.children.find(
    ({ tested, step: earlier }) =>
      earlier?.run.outcome === 'failed' && step.tested.every((each) => tested.includes(each)),
  )
  return narrower ? parentOf(narrower, step) : node
}

/** The members about which nothing is decided yet. */
export function openMembers({ members, proven, culprits }: BisectionTree): number[] {
  return members.filter((each) => !proven.includes(each) && !culprits.includes(each))
}
