/** Chapter "Parallel mode": impacted targets (E-92). */

import type { ImpactedTargets } from '../../../engine/index.ts'
import type { Model } from './state.ts'

/** E-92: ALL shares with every list, also an empty one. In single mode all share. */
export function share(model: Model, some: ImpactedTargets, others: ImpactedTargets): boolean {
  if (model.settings.mode === 'single' || some === 'ALL' || others === 'ALL') return true
  return some.some((target) => others.includes(target))
}

export function targetsOf(model: Model, numbers: readonly number[]): ImpactedTargets {
  const all = numbers.map((number) => model.targets.get(number) ?? [])
  const lists = all.filter((each) => each !== 'ALL')
  return lists.length < all.length ? 'ALL' : [...new Set(lists.flat())]
}

export function areSame(some: ImpactedTargets, others: ImpactedTargets): boolean {
  return String(some) === String(others) && (some === 'ALL') === (others === 'ALL')
}
