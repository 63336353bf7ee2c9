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
]

/** The queue without a lever first, then each lever alone, then all together. */
export function combinationsOf(all: readonly Lever[]): Lever[] {
  const together = all.reduce<Queue>((set, lever) => ({ ...set, ...lever.set }), {})
  return [
    { name: 'no lever', set: {} },
    ...all,
    ...(all.length > 1 ? [{ name: 'all together', set: together }] : []),
  ]
}
