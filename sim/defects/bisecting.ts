/** Defects of bisections: known verdicts, tested prefixes, and the outcome for members. */

import { engineParts, rules } from '../../engine/index.ts'
import type { Bisection, Event, QueueView } from '../../engine/index.ts'
import type { Defects } from './hunt.ts'
import {
  alteringAllEvents,
  alteringEventsOf,
  decidingOn,
  ofType,
  engineWithRules,
  evolving,
  misreadingQueue,
  misreadingSettings,
  none,
  puttingBack,
} from '../run/altered-engines.ts'

type BisectionView = QueueView['bisections'][number]

/** A false state of every bisection. */
const taking =
  (misread: (bisection: BisectionView) => Partial<BisectionView>) =>
  ({ bisections }: QueueView): Partial<QueueView> => ({
    bisections: bisections.map((bisection) => ({ ...bisection, ...misread(bisection) })),
  })

/** Applies a verdict to every prefix with the same last member, whatever its base is. */
function ignoreBase(bisection: Bisection): void {
  for (const [index, prefix] of bisection.prefixes.entries()) {
    const last = bisection.open[index]
    const alike = Object.values(bisection.verdicts).find(
      ({ run, ofBatch }) => !ofBatch && run.tested.at(-1) === last,
    )
    if (alike && !(prefix in bisection.verdicts)) bisection.verdicts[prefix] = alike
  }
}

/** Contradicts each prefix that failed and is shorter than one that passed. */
function contradictionsOf({ prefixes, verdicts }: BisectionView): Event[] {
  const passed = prefixes.findLastIndex((prefix) => verdicts[prefix]?.outcome === 'passed')
  return prefixes.slice(0, Math.max(passed, 0)).flatMap((prefix) => {
    const verdict = verdicts[prefix]
    if (verdict?.outcome !== 'failed') return []
    return [{ type: 'verdictContradicted', testRun: verdict.run.id, flakyTests: [] }]
  })
}

const bisectionOf = (
  { bisections }: { readonly bisections: Bisection[] },
  id: number,
): Bisection | undefined => bisections.find((each) => each.id === id)

export const bisectingDefects: Defects = {
  'bisection-slots-ignored': [
    'One more bisection run than bisectionConcurrency allows can be in progress.',
    misreadingSettings('startBisectionRuns', ({ concurrency, bisectionConcurrency }) => ({
      bisectionConcurrency: (bisectionConcurrency ?? concurrency) + 1,
    })),
  ],
  'cache-keyed-without-the-base': [
    'The verdict of a run counts for its last member on any other base.',
    evolving((queue, event) => {
      if (event.type !== 'membersProven' && event.type !== 'memberConvicted') return
      const bisection = bisectionOf(queue, event.bisection)
      if (bisection) ignoreBase(bisection)
    }),
  ],
  'cache-emptied-on-proof': [
    'When some members are proven, the verdicts about the others are forgotten.',
    evolving((queue, event) => {
      const bisection =
        event.type === 'membersProven' ? bisectionOf(queue, event.bisection) : undefined
      if (bisection) bisection.verdicts = {}
    }),
  ],
  'cache-outlives-a-departure': [
    'A verdict about a prefix still counts after one of its members has left.',
    puttingBack((queue, event) => {
      const known =
        event.type === 'memberDeparted' ? bisectionOf(queue, event.bisection) : undefined
      if (!known) return undefined
      const before = known.prefixes
      return () => {
        for (const [index, prefix] of known.prefixes.entries()) {
          const verdict = known.verdicts[before[index + 1] ?? '']
          if (verdict) known.verdicts[prefix] = verdict
        }
      }
    }),
  ],
  'bisection-wasteful': [
    'Split sizes are chosen as if failures were rare and runs cost nothing.',
    misreadingQueue('startBisectionRuns', ({ bisections }) => ({
      judged: { count: 1000, failed: 0 },
      bisections: bisections.map((bisection) => ({ ...bisection, size: 100 })),
    })),
  ],
  'convicted-one-too-early': [
    'Of two members that fail together, the first is convicted.',
    misreadingQueue(
      'advanceBisection',
      taking(({ prefixes, verdicts }) => {
        const [first = '', second = ''] = prefixes
        const known = verdicts[second]
        if (first in verdicts || known?.outcome !== 'failed') return {}
        return { verdicts: { ...verdicts, [first]: { ...known, confirmed: true } } }
      }),
    ),
  ],
  'mended-failure-is-a-flake': [
    'The failure of a prefix counts as a flake when a longer prefix has passed.',
    alteringEventsOf(
      'advanceBisection',
      ofType('membersProven', (event, { bisections }) => {
        const bisection = bisections.find(({ id }) => id === event.bisection)
        return bisection ? [...contradictionsOf(bisection), event] : event
      }),
    ),
  ],
  'restart-in-a-bisection-forgotten': [
    'A restart request for a member of a bisection is accepted and repeats no run.',
    decidingOn('restartTests', (step, command) => {
      const isMember = step.queue.bisections.some(({ open }) => open.includes(command.number))
      return isMember ? null : engineParts.decide(step, command)
    }),
  ],
  'departure-unnoticed': [
    'A bisection does not notice that a member has left.',
    alteringAllEvents(none('memberDeparted')),
  ],
  'survivors-at-the-head': [
    'Survivors of a bisection return at the head of the line.',
    alteringEventsOf(
      'advanceBisection',
      ofType('groupPlaced', (event) => ({ ...event, index: 0 })),
    ),
  ],
  'second-look-forgotten': [
    'A member is convicted by elimination although a slot is left over for a second look.',
    misreadingSettings('lookOnceMore', () => ({ bisectionConcurrency: 0 })),
  ],
  'second-look-keeps-others-waiting': [
    'A second look starts before the runs that other bisections want.',
    engineWithRules({
      advanceBisection: (step) => rules.advanceBisection(step) || rules.lookOnceMore(step),
    }),
  ],
  'known-flakes-convict': [
    'Bisections do not know which tests flake.',
    misreadingQueue(['advanceBisection', 'startBisectionRuns', 'lookOnceMore'], () => ({
      flakyTests: {},
    })),
  ],
  'bisection-kept-waiting': [
    'A bisection starts no run while another bisection is in progress.',
    engineWithRules({
      startBisectionRuns: (step) =>
        step.queue.bisections.length === 1 && rules.startBisectionRuns(step),
    }),
  ],
}
