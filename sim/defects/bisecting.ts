/** Wrong about bisections: what they know, what they test, and what becomes of the members. */

import { parts, rules, type Bisection, type QueueView } from '../../engine/index.ts'
import type { Defect } from './defect.ts'
import { bending, bendingAll, engineWith, evolving, misreading, mistaking } from './wrapping.ts'

type BisectionView = QueueView['bisections'][number]

/** Every bisection taken for something else. */
const taking =
  (mistake: (bisection: BisectionView) => Partial<BisectionView>) =>
  ({ bisections }: QueueView): Partial<QueueView> => ({
    bisections: bisections.map((bisection) => ({ ...bisection, ...mistake(bisection) })),
  })

/** What was said of a prefix with this last member counts, whatever is below that one now. */
function ignoreBase(bisection: Bisection): void {
  for (const [index, prefix] of bisection.prefixes.entries()) {
    const last = bisection.open[index]
    const alike = Object.values(bisection.verdicts).find(
      ({ run, ofBatch }) => !ofBatch && run.tested.at(-1) === last,
    )
    if (alike && !(prefix in bisection.verdicts)) bisection.verdicts[prefix] = alike
  }
}

const bisectionOf = (
  { bisections }: { readonly bisections: Bisection[] },
  id: number,
): Bisection | undefined => bisections.find((each) => each.id === id)

export const bisectingDefects: readonly Defect[] = [
  {
    name: 'bisection-slots-ignored',
    sentence: 'One bisection run more than bisectionConcurrency allows may be under way.',
    parts: engineWith({
      startBisectionRuns: misreading(
        rules.startBisectionRuns,
        ({ concurrency, bisectionConcurrency }) => ({
          bisectionConcurrency: (bisectionConcurrency ?? concurrency) + 1,
        }),
      ),
    }),
  },
  {
    name: 'cache-keyed-without-the-base',
    sentence: 'What a run found with a member on top counts for that member on any other base.',
    parts: evolving((queue, event) => {
      if (event.type !== 'membersProven' && event.type !== 'memberConvicted') return
      const bisection = bisectionOf(queue, event.bisection)
      if (bisection) ignoreBase(bisection)
    }),
  },
  {
    name: 'cache-emptied-on-proof',
    sentence: 'Once some members are proven, what is known of the others is forgotten.',
    parts: evolving((queue, event) => {
      const bisection =
        event.type === 'membersProven' ? bisectionOf(queue, event.bisection) : undefined
      if (bisection) bisection.verdicts = {}
    }),
  },
  {
    name: 'cache-outlives-a-departure',
    sentence: 'What was found with a member that has left since still counts for the others.',
    parts: {
      ...parts,
      evolve(queue, event) {
        const known =
          event.type === 'memberDeparted' ? bisectionOf(queue, event.bisection) : undefined
        const before = known?.prefixes ?? []
        parts.evolve(queue, event)
        if (!known) return
        for (const [index, prefix] of known.prefixes.entries()) {
          const verdict = known.verdicts[before[index + 1] ?? '']
          if (verdict) known.verdicts[prefix] = verdict
        }
      },
    },
  },
  {
    name: 'bisection-wasteful',
    sentence: 'Split sizes are chosen as if failures were rare and runs cost nothing.',
    parts: engineWith({
      startBisectionRuns: mistaking(rules.startBisectionRuns, ({ bisections }) => ({
        judged: { count: 1000, failed: 0 },
        bisections: bisections.map((bisection) => ({ ...bisection, size: 100 })),
      })),
    }),
  },
  {
    name: 'convicted-one-too-early',
    sentence: 'Of two that fail together the first is convicted.',
    parts: engineWith({
      advanceBisection: mistaking(
        rules.advanceBisection,
        taking(({ prefixes, verdicts }) => {
          const [first = '', second = ''] = prefixes
          const known = verdicts[second]
          if (first in verdicts || known?.outcome !== 'failed') return {}
          return { verdicts: { ...verdicts, [first]: known } }
        }),
      ),
    }),
  },
  {
    name: 'departure-unnoticed',
    sentence: 'A member that leaves a bisection is still looked for in it.',
    parts: bendingAll((event) => (event.type === 'memberDeparted' ? [] : [event])),
  },
  {
    name: 'survivors-at-the-head',
    sentence: 'Survivors of a bisection come back at the head of the line.',
    parts: engineWith({
      advanceBisection: bending(rules.advanceBisection, (event) => [
        event.type === 'groupPlaced' ? { ...event, index: 0 } : event,
      ]),
    }),
  },
  {
    name: 'bisection-kept-waiting',
    sentence: 'A bisection starts no run while another is going on.',
    parts: engineWith({
      startBisectionRuns: (step) =>
        step.queue.bisections.length === 1 && rules.startBisectionRuns(step),
    }),
  },
]
