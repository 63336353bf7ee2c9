/**
 * The impacted targets of pull requests, as uploaded. In single mode any two pull requests share a
 * target, so each of them has ALL.
 */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { Projection } from './projection.ts'
import type { SettingsProjection } from './queue-settings.ts'

export type TargetSet = 'ALL' | ReadonlySet<string>

export type Targets = Projection & {
  /** The impacted targets of a group of these pull requests, by what is uploaded now. */
  of(numbers: readonly PullRequestNumber[]): TargetSet
}

export function targets(settings: SettingsProjection): Targets {
  const uploaded = new Map<PullRequestNumber, TargetSet>()
  return {
    of(numbers) {
      if (settings.configuration.mode === 'single') return 'ALL'
      const names = new Set<string>()
      for (const number of numbers) {
        const own = uploaded.get(number) ?? new Set()
        if (own === 'ALL') return 'ALL'
        for (const name of own) names.add(name)
      }
      return names
    },
    on: {
      impactedTargetsSet: ({ number, targets: now }) =>
        void uploaded.set(number, now === 'ALL' ? now : new Set(now)),
    },
  }
}

/**
 * Whether two sets have a target in common. `ALL` shares with everything, an empty set only with
 * `ALL`.
 */
export function shareTarget(some: TargetSet, others: TargetSet): boolean {
  if (some === 'ALL' || others === 'ALL') return true
  const [few, many] = some.size < others.size ? [some, others] : [others, some]
  for (const name of few) if (many.has(name)) return true
  return false
}

/** True if they have the same targets in the same order. */
export function isSameList(some: TargetSet, others: TargetSet): boolean {
  if (some === 'ALL' || others === 'ALL') return some === others
  const names = [...others]
  return some.size === others.size && [...some].every((name, index) => name === names[index])
}

/** The targets that one of them has. */
export function union(some: TargetSet, others: TargetSet): TargetSet {
  return some === 'ALL' || others === 'ALL' ? 'ALL' : new Set([...some, ...others])
}

/** The targets that both have. */
export function inCommon(some: TargetSet, others: TargetSet): TargetSet {
  if (some === 'ALL') return others
  if (others === 'ALL') return some
  return new Set([...some].filter((name) => others.has(name)))
}
