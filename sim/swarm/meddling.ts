/**
 * Meddling: much is done to few pull requests in quick succession, and without sense. What breaks
 * only where a restart meets a pause in the middle of a merge is hardly ever met otherwise.
 */

import type { PullRequestEntry, ScenarioEvent } from '../scenario/scenario.ts'
import { newSettings } from './new-settings.ts'
import { typicalMinutes, type Sketch } from './sketch.ts'
import { someTargets } from './targets.ts'

type Meddled = {
  readonly sketch: Sketch
  /** Tells one deed from another. */
  readonly key: string
  readonly at: number
  readonly number: number
}

type Deed = (meddled: Meddled) => readonly ScenarioEvent[]

const about =
  (event: Readonly<{ do: 'restart' | 'cancel' | 'push' | 'manualMerge' }>): Deed =>
  ({ at, number }) => [{ at, number, ...event }]

const submit =
  (wish: Readonly<{ priority?: 'urgent'; noBatch?: true }> = {}): Deed =>
  ({ at, number }) => [{ at, do: 'submit', number, ...wish }]

const pushToBranch: Deed = ({ at }) => [{ at, do: 'pushToBranch' }]

const upload: Deed = ({ sketch, key, at, number }) => [
  { at, do: 'setImpactedTargets', number, targets: someTargets(sketch, key) },
]

const object: Deed = ({ sketch, key, at, number }) => [
  { at, do: 'setMergeable', number, mergeable: sketch.dice.chance(`${key} after all`, 0.5) },
]

const idle =
  (state: 'PAUSED' | 'DRAINING'): Deed =>
  ({ sketch: { dice }, key, at }) => {
    const until = at + dice.between(`${key} until`, 1, 30)
    const begins: ScenarioEvent = { at, do: 'updateQueue', set: { state } }
    const ends: ScenarioEvent = { at: until, do: 'updateQueue', set: { state: 'RUNNING' } }
    return dice.chance(`${key} ends`, 0.85) ? [begins, ends] : [begins]
  }

const changeSettings: Deed = ({ sketch, key, at }) => [
  { at, do: 'updateQueue', set: newSettings(sketch, key) },
]

/** Now and then: until it is done nothing else can begin. */
const switchModes: Deed = ({ sketch: { dice }, key, at }) => {
  const mode = dice.pick(`${key} to`, ['parallel', 'single'])
  return dice.chance(`${key} really`, 0.3) ? [{ at, do: 'updateQueue', set: { mode } }] : []
}

/** What stands here twice is done twice as often. */
const deeds = [
  about({ do: 'restart' }),
  about({ do: 'restart' }),
  about({ do: 'cancel' }),
  about({ do: 'push' }),
  about({ do: 'manualMerge' }),
  submit(),
  submit(),
  submit({ priority: 'urgent' }),
  submit({ noBatch: true }),
  pushToBranch,
  upload,
  upload,
  object,
  idle('PAUSED'),
  idle('PAUSED'),
  idle('DRAINING'),
  changeSettings,
  changeSettings,
  switchModes,
] as const

/** Some instants are met again and again. */
const grain = typicalMinutes / 2

/** In no order, and about the first dozen alone: so that much happens to each. */
export function meddling(sketch: Sketch, entries: readonly PullRequestEntry[]): ScenarioEvent[] {
  const { dice, has } = sketch
  const [first, ...others] = entries.slice(0, 12).map(({ number }) => number)
  if (!has('meddling') || first === undefined) return []
  const span = dice.pick('meddling span', [60, 120, 200])
  const count = dice.between('meddling count', 10, 40)
  return Array.from({ length: count }, (_, nth) => {
    const key = `meddling ${nth}`
    const anywhere = dice.between(`${key} at`, 0, span)
    const at = dice.chance(`${key} on the dot`, 0.3) ? anywhere - (anywhere % grain) : anywhere
    const number = dice.pick(`${key} with`, [first, ...others])
    return dice.pick(`${key} does`, deeds)({ sketch, key, at, number })
  }).flat()
}
