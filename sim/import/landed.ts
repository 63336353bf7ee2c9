/** Landings as pull requests: their numbers, sizes, impacted targets, and reverts. */

import type { ImpactedTargets } from '../../engine/index.ts'
import { numberingOf } from '../scenario/scenario.ts'
import type { Changed } from './changed-files.ts'
import type { Landing } from './landings/classify.ts'

export type LandedPullRequest = {
  readonly number: number
  /** What the history calls it, where the number is invented. */
  readonly origin: string | null
  readonly landing: Landing
  /** Lines or files changed; pull requests that landed with one commit share them. */
  readonly size: number
  /** Reverted later, and not merged again. */
  readonly isReverted: boolean
  /** The pull requests that it reverts. */
  readonly reverts: readonly number[]
  readonly targets: ImpactedTargets
}

/** `changedBy` returns what a commit changed. */
export function landedOf(
  landings: readonly Landing[],
  changedBy: (hash: string) => Changed,
): LandedPullRequest[] {
  const numbers = numbersOf(landings)
  const numbered = landings.map((landing, index) => ({
    landing,
    ...(numbers[index] ?? { number: 0, origin: null }),
  }))
  const reverts = new Map(
    numbered.map(({ landing, number }) => [number, revertedBy(landing, numbered)]),
  )
  // If a revert is itself reverted, the change is merged again, so it counts as healthy.
  const undone = new Set([...reverts.values()].flat())
  const reverted = new Set(
    [...reverts].flatMap(([number, taken]) => (undone.has(number) ? [] : taken)),
  )
  const isRevert = (number: number): boolean => (reverts.get(number) ?? []).length > 0
  return numbered.map(({ landing, number, origin }) => {
    const changed = landing.commits.map(({ hash }) => changedBy(hash))
    const size = changed.reduce((sum, each) => sum + each.size, 0)
    return {
      number,
      origin,
      landing,
      size: Math.round(size / landing.together),
      isReverted: reverted.has(number) && !isRevert(number),
      reverts: reverts.get(number) ?? [],
      targets: targetsOf(changed.flatMap(({ files }) => files)),
    }
  })
}

type Numbered = { readonly number: number; readonly landing: Landing }

/** The earlier pull requests that this landing says it reverts. */
function revertedBy({ commits, change, atMs }: Landing, all: readonly Numbered[]): number[] {
  const text = change.text ?? commits.map(({ subject, body }) => `${subject}\n${body}`).join('\n')
  const hashes = [...text.matchAll(/reverts commit ([0-9a-f]{7,40})/gi)].map(
    ([, hash = '']) => hash,
  )
  const numbers = new Set(
    [
      ...text.matchAll(/\breverts (?:merge request )?\S*[#!](\d{1,9})\b/gi),
      ...(change.branch ?? '').matchAll(/[/:]revert-(\d{1,9})-/g),
    ].map(([, number]) => Number(number)),
  )
  if (hashes.length === 0 && numbers.size === 0) return []
  return all
    .filter(({ landing }) => landing.change !== change && landing.atMs <= atMs)
    .filter(
      ({ landing }) =>
        (landing.change.number !== null && numbers.has(landing.change.number)) ||
        landing.commits.some((each) => hashes.some((hash) => each.hash.startsWith(hash))),
    )
    .map(({ number }) => number)
}

/** A change with more targets than this counts as ALL. */
const mostTargets = 20

const topLevel = '(top level)'

export function targetsOf(files: readonly string[]): ImpactedTargets {
  const folders = new Set(
    files.map((file) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : topLevel)),
  )
  return folders.size > mostTargets ? 'ALL' : [...folders].sort()
}

// The numbers of pull requests in the scenario, where each number occurs once.

type Naming = {
  readonly number: number
  /** What the history calls it, where the number is invented; else null. */
  readonly origin: string | null
}

/**
 * A pull request keeps its number. Where a number lands again, the later landing has a digit in
 * front: 7 is 1007. One without a number gets a number far above all others, or, if none has one,
 * its place in the history.
 */
function numbersOf(landings: readonly Landing[]): Naming[] {
  const own = landings.flatMap(({ change }) => change.number ?? [])
  const numberOf = numberingOf(own)
  const times = new Map<number, number>()
  let invented = own.length === 0 ? 0 : numberOf(0, 1000)
  return landings.map(({ change, commits }) => {
    if (change.number === null) {
      invented += 1
      return { number: invented, origin: originOf(change.name, commits[0].hash) }
    }
    const time = times.get(change.number) ?? 0
    times.set(change.number, time + 1)
    const origin = time === 0 ? null : `${change.number}, landed again`
    return { number: numberOf(change.number, time), origin }
  })
}

const shortHash = 10

function originOf(name: string | undefined, hash: string): string {
  return name === undefined ? `commit ${hash.slice(0, shortHash)}` : `Change-Id ${name}`
}
