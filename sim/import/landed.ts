/** Landings as pull requests: their numbers, their impacted targets, and their reverts. */

import type { ImpactedTargets } from '../../engine/index.ts'
import type { Landing } from './git-log.ts'

export type LandedPullRequest = {
  readonly number: number
  readonly landing: Landing
  /** Reverted later, and not merged again. */
  readonly isReverted: boolean
  /** The pull requests that it reverts. */
  readonly reverts: readonly number[]
  readonly targets: ImpactedTargets
}

export function landedOf(landings: readonly Landing[]): LandedPullRequest[] {
  const numbers = numbersOf(landings)
  const numbered = landings.map((landing, index) => ({ landing, number: numbers[index] ?? 0 }))
  const reverts = new Map(
    numbered.map(({ landing, number }) => [number, revertedBy(landing, numbered)]),
  )
  // If a revert is itself reverted, the change is merged again, so it counts as healthy.
  const undone = new Set([...reverts.values()].flat())
  const reverted = new Set(
    [...reverts].flatMap(([number, taken]) => (undone.has(number) ? [] : taken)),
  )
  const isRevert = (number: number): boolean => (reverts.get(number) ?? []).length > 0
  return numbered.map(({ landing, number }) => ({
    number,
    landing,
    isReverted: reverted.has(number) && !isRevert(number),
    reverts: reverts.get(number) ?? [],
    targets: targetsOf(landing.files),
  }))
}

/** How code hosts and queues name the pull request in a commit message. */
const namings = [
  /\(#(\d{1,9})\)\s*$/,
  /^Merge (?:pull request|PR) #(\d{1,9})\b/i,
  /^Auto merge of #(\d{1,9})\b/i,
  /^See merge request \S*!(\d{1,9})\s*$/m,
]

/** The number in the commit message if no earlier landing has it; else one above all of these. */
function numbersOf(landings: readonly Landing[]): number[] {
  const taken = new Set<number>()
  const own = landings.map(({ subject, body }) => {
    const texts = [subject, subject, subject, body]
    const found = namings.map((naming, index) => naming.exec(texts[index] ?? '')?.[1])
    const number = Number(found.find((each) => each !== undefined) ?? 0)
    if (number < 1 || taken.has(number)) return null
    taken.add(number)
    return number
  })
  let next = [...taken].reduce((most, number) => Math.max(most, number), 0)
  return own.map((number) => number ?? ++next)
}

type Numbered = { readonly number: number; readonly landing: Landing }

/** The earlier pull requests that this landing says it reverts. */
function revertedBy({ subject, body, atMs }: Landing, all: readonly Numbered[]): number[] {
  const text = `${subject}\n${body}`
  const hashes = [...text.matchAll(/reverts commit ([0-9a-f]{7,40})/gi)].map(
    ([, hash = '']) => hash,
  )
  const numbers = new Set(
    [
      ...text.matchAll(/\breverts \S*#(\d{1,9})\b/gi),
      ...text.matchAll(/^Merge pull request \S+ from \S+\/revert-(\d{1,9})-/gim),
    ].map(([, number]) => Number(number)),
  )
  return all
    .filter(({ landing }) => landing.atMs <= atMs)
    .filter(
      ({ number, landing }) =>
        numbers.has(number) || hashes.some((hash) => landing.hash.startsWith(hash)),
    )
    .map(({ number }) => number)
}

/** A change with more targets than this counts as ALL. */
const mostTargets = 20

const topLevel = '(top level)'

/** The top-level folders of the changed files. */
function targetsOf(files: readonly string[]): ImpactedTargets {
  const folders = new Set(
    files.map((file) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : topLevel)),
  )
  return folders.size > mostTargets ? 'ALL' : [...folders].sort()
}
