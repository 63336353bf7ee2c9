/** The levers of a queue: settings that change which runs are made, and when a failure convicts. */

import type { Scenario } from '../../sim/scenario/scenario.ts'

export type Queue = NonNullable<Scenario['queue']>

/** Settings that are tried on top of a queue's own. */
export type Lever = { readonly name: string; readonly set: Queue }

/** All levers. Another one needs a line here and nothing else. */
export const levers: readonly Lever[] = [
  { name: 'step aside', set: { failedStepAside: true } },
  { name: 'screening', set: { screening: true } },
  { name: 'odds', set: { convictionByOdds: true } },
  { name: 'take along', set: { survivorsTakeAlong: true } },
  { name: 'growing batches', set: { batchesGrow: true, batchingMinSize: 16 } },
  { name: 'hold while flaky', set: { pendingFailureDepth: 2, holdOnlyWhileFlaky: true } },
]

/** Levers that are also tried together without the others. */
export const bundles: readonly (readonly string[])[] = [['step aside', 'screening']]

/** The queue without a lever first, then each lever alone, the bundles, and all together. */
export function combinationsOf(
  all: readonly Lever[],
  together: readonly (readonly string[])[],
): Lever[] {
  return [
    { name: 'no lever', set: {} },
    ...all,
    ...together.map((names) => ({
      name: names.join(' and '),
      set: setOf(all.filter(({ name }) => names.includes(name))),
    })),
    { name: 'all together', set: setOf(all) },
  ]
}

function setOf(chosen: readonly Lever[]): Queue {
  const set: Queue = {}
  for (const lever of chosen) Object.assign(set, lever.set)
  return set
}
