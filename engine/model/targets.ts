/**
 * Impacted targets: what a pull request touches, as far as parallel mode cares.
 *
 * `ALL` touches everything; an empty list touches nothing, and so shares with nothing but `ALL`; a
 * pull request nobody uploaded targets for has no entry at all, and is not ready in parallel mode.
 * In single mode any two groups share a target, whatever was uploaded.
 */

import type { PullRequestNumber } from './ids.ts'

export type ImpactedTargets = 'ALL' | readonly string[]

type UploadedTargets = Readonly<Record<PullRequestNumber, ImpactedTargets>>

/** Whether two groups, or pull requests, with these targets depend on each other. */
export function sharesTarget(a: ImpactedTargets, b: ImpactedTargets): boolean {
  if (a === 'ALL' || b === 'ALL') return true
  const [few, many] = a.length < b.length ? [a, b] : [b, a]
  if (few.length === 0) return false
  const names = new Set(few)
  return many.some((name) => names.has(name))
}

/** Whether the two lists name the same, in the same order; good enough to notice an upload. */
export function isSameTargets(a: ImpactedTargets, b: ImpactedTargets): boolean {
  if (a === 'ALL' || b === 'ALL') return a === b
  return a.length === b.length && a.every((name, index) => name === b[index])
}

/** What a group of these pull requests touches, of what was uploaded by now. */
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

/** The key of a target in a record: no name, not even `__proto__`, means anything to an object. */
export const targetKey = (name: string): string => `=${name}`
