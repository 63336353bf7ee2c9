/**
 * Perturbations, the feature `meddling`: many random events on few pull requests in quick
 * succession. They reach rare combinations, for example a restart during a pause and a merge.
 */

import type { PullRequestEntry, ScenarioEvent } from '../scenario/scenario.ts'
import { newSettings } from './new-settings.ts'
import { typicalMinutes, type ScenarioDraft } from './scenario-draft.ts'
import { someTargets } from './targets.ts'

type PerturbationTarget = {
  readonly draft: ScenarioDraft
  /** Part of the draw keys; differs by perturbation. */
  readonly key: string
  readonly at: number
  readonly number: number
}

type Perturbation = (target: PerturbationTarget) => readonly ScenarioEvent[]

const about =
  (event: Readonly<{ do: 'restart' | 'cancel' | 'push' | 'manualMerge' }>): Perturbation =>
  ({ at, number }) => [{ at, number, ...event }]

const submit =
  (options: Readonly<{ priority?: 'urgent'; noBatch?: true }> = {}): Perturbation =>
  ({ draft: { dice }, key, at, number }) => {
    const isPushed = dice.chance(`${key} with another commit`, 0.3)
    return [{ at, do: 'submit', number, ...options, ...(isPushed ? { sha: key } : {}) }]
  }

const pushToBranch: Perturbation = ({ at }) => [{ at, do: 'pushToBranch' }]

const upload: Perturbation = ({ draft, key, at, number }) => [
  { at, do: 'setImpactedTargets', number, targets: someTargets(draft, key) },
]

const object: Perturbation = ({ draft, key, at, number }) => [
  { at, do: 'setMergeable', number, mergeable: draft.dice.chance(`${key} after all`, 0.5) },
]

const idle =
  (state: 'PAUSED' | 'DRAINING'): Perturbation =>
  ({ draft: { dice }, key, at }) => {
    const until = at + dice.between(`${key} until`, 1, 30)
    const begins: ScenarioEvent = { at, do: 'updateQueue', set: { state } }
    const ends: ScenarioEvent = { at: until, do: 'updateQueue', set: { state: 'RUNNING' } }
    return dice.chance(`${key} ends`, 0.85) ? [begins, ends] : [begins]
  }

const changeSettings: Perturbation = ({ draft, key, at }) => [
  { at, do: 'updateQueue', set: newSettings(draft, key) },
]

/** Has an effect only now and then, because a mode switch prevents all other starts. */
const switchModes: Perturbation = ({ draft: { dice }, key, at }) => {
  const mode = dice.pick(`${key} to`, ['parallel', 'single'])
  return dice.chance(`${key} really`, 0.3) ? [{ at, do: 'updateQueue', set: { mode } }] : []
}

/** An entry that is listed twice is chosen twice as often. */
const perturbationKinds = [
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

/** Some perturbations happen at multiples of this, so that they coincide. */
const stepMinutes = typicalMinutes / 2

/** Returns unordered events on the first twelve pull requests only, so that each gets many. */
export function perturbations(
  draft: ScenarioDraft,
  entries: readonly PullRequestEntry[],
): ScenarioEvent[] {
  const { dice, has } = draft
  const [first, ...others] = entries.slice(0, 12).map(({ number }) => number)
  if (!has('meddling') || first === undefined) return []
  const span = dice.pick('meddling span', [60, 120, 200])
  const count = dice.between('meddling count', 10, 40)
  return Array.from({ length: count }, (_, nth) => {
    const key = `meddling ${nth}`
    const anywhere = dice.between(`${key} at`, 0, span)
    const at = dice.chance(`${key} on the dot`, 0.3)
      ? anywhere - (anywhere % stepMinutes)
      : anywhere
    const number = dice.pick(`${key} with`, [first, ...others])
    return dice.pick(`${key} does`, perturbationKinds)({ draft, key, at, number })
  }).flat()
}
