/**
 * Impacted targets: the parts of a project that a pull request changes. Parallel mode uses them.
 *
 * `ALL` impacts every target. An empty list shares a target only with `ALL`. A pull request without
 * uploaded targets has no entry and is not ready in parallel mode. In single mode any two groups
 * share a target, whatever was uploaded.
 */

import type { PullRequestNumber } from './ids.ts'

export type ImpactedTargets = 'ALL' | readonly string[]

type UploadedTargets = Readonly<Record<PullRequestNumber, ImpactedTargets>>

/** True if two groups or pull requests with these targets depend on each other. */
export function sharesTarget(a: ImpactedTargets, b: ImpactedTargets): boolean {
  if (a === 'ALL' || b === 'ALL') return true
  const [few, many] = a.length < b.length ? [a, b] : [b, a]
  if (few.length === 0) return false
  const names = new Set(few)
  return many.some((name) => names.has(name))
}

/** True if the lists are equal, in the same order; that is enough to notice an upload. */
export function isSameTargets(a: ImpactedTargets, b: ImpactedTargets): boolean {
  if (a === 'ALL' || b === 'ALL') return a === b
  return a.length === b.length && a.every((name, index) => name === b[index])
}

/** Returns the union of the uploaded targets of these pull requests. */
export function targetsOf(
  uploaded: UploadedTargets,
  numbers: readonly PullRequestNumber[],
): ImpactedTargets {
  const names = new Set<string>()
  for (const number of numbers) {
    const targets = uploaded[number] ?? []
    if (targets === 'ALL') return 'ALL'
    for (const name of targets) names.add(name)
  }
  return [...names]
}

/** True if these targets have one that the others have not. */
export function isWider(targets: ImpactedTargets, others: ImpactedTargets): boolean {
  if (targets === 'ALL' || others === 'ALL') return others !== 'ALL'
  return targets.some((name) => !others.includes(name))
}

/** Returns the targets that are in one of the lists. */
export function unionOf(a: ImpactedTargets, b: ImpactedTargets): ImpactedTargets {
  return a === 'ALL' || b === 'ALL' ? 'ALL' : [...new Set([...a, ...b])]
}

/** Returns the key of a target in a record. The prefix protects names such as `__proto__`. */
export const targetKey = (name: string): string => `=${name}`
