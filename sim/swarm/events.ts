/** What people and operators do to the queue of a swarm scenario. */

import type { Priority, PullRequestEntry, ScenarioEvent } from '../scenario/scenario.ts'
import type { Feature } from './features.ts'
import { meddling } from './meddling.ts'
import { newSettings } from './new-settings.ts'
import { instant, typicalMinutes, type Sketch } from './sketch.ts'
import { someTargets } from './targets.ts'

/** In order of time. */
export function eventsOf(sketch: Sketch, entries: readonly PullRequestEntry[]): ScenarioEvent[] {
  // Until the last that comes without a long silence before it, and some runs beyond.
  const busyUntil = entries.at(-2)?.at ?? entries.at(-1)?.at ?? 0
  const events = [
    ...entries.flatMap((entry) => eventsOn(sketch, entry)),
    ...branchPushes(sketch, busyUntil),
    ...operations(sketch, busyUntil),
    ...meddling(sketch, entries),
  ]
  return events.sort((a, b) => (a.at ?? 0) - (b.at ?? 0))
}

/** How often each thing happens to a pull request, in scenarios that have it. */
const rates = {
  cancels: 0.25,
  pushes: 0.2,
  'cancels on the dot': 0.4,
  'second thoughts': 0.4,
  restarts: 0.25,
  resubmissions: 0.4,
  'manual merges': 0.08,
  'target uploads': 0.3,
  objections: 0.15,
} as const satisfies Partial<Record<Feature, number>>

function eventsOn(sketch: Sketch, { number, at = 0 }: PullRequestEntry): ScenarioEvent[] {
  const { dice, has } = sketch
  const happens = (feature: keyof typeof rates): boolean =>
    has(feature) && dice.chance(`${feature} ${number}`, rates[feature])
  const within = (what: string, runs: number): number =>
    instant(sketch, `${what} ${number} at`, { from: at, to: at + runs * typicalMinutes })
  const events: ScenarioEvent[] = []
  if (happens('cancels')) events.push({ at: within('cancel', 4), do: 'cancel', number })
  if (happens('cancels on the dot')) {
    // Just when a run of it is due to end, if it started at once.
    const runs = dice.between(`cancel ${number} on the dot`, 1, 3)
    events.push({ at: at + runs * typicalMinutes, do: 'cancel', number })
  }
  if (happens('second thoughts')) {
    // Better tested alone after all, from its next run on; which comes soon.
    const thought = within('second thought', 1)
    events.push({ at: thought, do: 'submit', number, noBatch: true })
    events.push({ at: thought + typicalMinutes / 2, do: 'restart', number })
  }
  if (happens('pushes')) {
    const verb = dice.pick(`push ${number}`, [
      'push',
      'push',
      'close',
      'convertToDraft',
      'changeBase',
    ])
    events.push({ at: within('push', 4), do: verb, number })
  }
  if (happens('restarts')) events.push({ at: within('restart', 4), do: 'restart', number })
  if (happens('resubmissions')) {
    const wishes = wishesAnew(sketch, number)
    events.push({ at: within('resubmission', 8), do: 'submit', number, ...wishes })
  }
  if (happens('manual merges')) {
    events.push({ at: within('manual merge', 3), do: 'manualMerge', number })
  }
  if (happens('target uploads')) {
    const targets = someTargets(sketch, `anew ${number}`)
    events.push({ at: within('upload', 3), do: 'setImpactedTargets', number, targets })
  }
  if (happens('objections')) {
    const from = within('objection', 2)
    events.push({ at: from, do: 'setMergeable', number, mergeable: false })
    if (dice.chance(`objection ${number} ends`, 0.7)) {
      const until = instant(sketch, `objection ${number} until`, { from, to: from + 30 })
      events.push({ at: until, do: 'setMergeable', number, mergeable: true })
    }
  }
  return events
}

function wishesAnew(
  { dice, has }: Sketch,
  number: number,
): { priority?: Priority; noBatch?: boolean } {
  const isUrgent = has('urgents') && dice.chance(`urgent again ${number}`, 0.4)
  const isAlone = has('noBatch') && dice.chance(`noBatch again ${number}`, 0.6)
  return { ...(isUrgent ? { priority: 'urgent' } : {}), ...(isAlone ? { noBatch: true } : {}) }
}

/** Instants at which something happens, as many as a scenario has of it. */
function instants(sketch: Sketch, feature: Feature, busyUntil: number): number[] {
  if (!sketch.has(feature)) return []
  const count = sketch.dice.between(`${feature} count`, 1, 3)
  const span = { from: 0, to: busyUntil + 3 * typicalMinutes }
  return Array.from({ length: count }, (_, nth) => instant(sketch, `${feature} ${nth}`, span))
}

function branchPushes(sketch: Sketch, busyUntil: number): ScenarioEvent[] {
  return instants(sketch, 'branch pushes', busyUntil).map((at) => ({ at, do: 'pushToBranch' }))
}

function operations(sketch: Sketch, busyUntil: number): ScenarioEvent[] {
  const { dice } = sketch
  const idle = (feature: 'pauses' | 'drains', state: 'PAUSED' | 'DRAINING'): ScenarioEvent[] =>
    instants(sketch, feature, busyUntil).flatMap((at, nth) => {
      const end = instant(sketch, `${feature} ${nth} end`, { from: at, to: at + 40 })
      const begins: ScenarioEvent = { at, do: 'updateQueue', set: { state } }
      const ends: ScenarioEvent = { at: end, do: 'updateQueue', set: { state: 'RUNNING' } }
      return dice.chance(`${feature} ${nth} ends`, 0.8) ? [begins, ends] : [begins]
    })
  const switches = instants(sketch, 'mode switches', busyUntil).map((at, nth): ScenarioEvent => {
    const mode = dice.pick(`mode ${nth}`, ['parallel', 'single'])
    return { at, do: 'updateQueue', set: { mode } }
  })
  const changes = instants(sketch, 'new settings', busyUntil).map((at, nth): ScenarioEvent => {
    return { at, do: 'updateQueue', set: newSettings(sketch, nth) }
  })
  return [...idle('pauses', 'PAUSED'), ...idle('drains', 'DRAINING'), ...switches, ...changes]
}
