/** The commits of a first-parent line as landings of pull requests, and what is left out. */

import { count } from '../../../server/terminal/text.ts'
import { groupedBy } from './grouped.ts'
import {
  isOfBot,
  isRelease,
  namelessRules,
  namingRules,
  isSameRebase,
  landsByRebase,
  rebase,
  releaseWithoutNumber,
} from './rules.ts'
import type { Change, Commit, Rule } from './rules.ts'

/** A pull request that landed. */
export type Landing = {
  readonly rule: Rule
  readonly change: Change
  /** Oldest first; several if it was rebased. */
  readonly commits: readonly [Commit, ...Commit[]]
  readonly atMs: number
  readonly isOfBot: boolean
  /** How many pull requests landed with the same commit. */
  readonly together: number
}

export type Classified = {
  /** Oldest first. */
  readonly landings: readonly Landing[]
  readonly releases: number
  readonly directPushes: number
  readonly botsLeftOut: number
}

export type ClassifyOptions = {
  /** At most this many landings, the last ones. */
  readonly last: number
  readonly withReleases: boolean
  readonly withoutBots: boolean
}

/** A commit, or the commits of one rebase, with the pull requests that a rule finds in it. */
type Reading = {
  readonly commits: readonly [Commit, ...Commit[]]
  readonly rule: Rule | null
  readonly changes: readonly Change[]
}

type Part =
  | { readonly kind: 'landings'; readonly landings: readonly Landing[]; readonly without: Without }
  | { readonly kind: 'direct push' }

/** Pull requests of a commit that are left out. */
type Without = { readonly releases: number; readonly bots: number }

/** Classifies the commits, oldest first. */
export function classify(commits: readonly Commit[], options: ClassifyOptions): Classified {
  const parts = readingsOf(commits, options.last).map((each) => partOf(each, options))
  const kept = lastParts(parts, options.last)
  const withoutOf = kept.flatMap((part) => (part.kind === 'landings' ? [part.without] : []))
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)
  const landings = kept.flatMap((part) => (part.kind === 'landings' ? part.landings : []))
  return {
    landings: landings.toSorted((a, b) => a.atMs - b.atMs).slice(-options.last),
    releases: sum(withoutOf.map(({ releases }) => releases)),
    directPushes: kept.filter(({ kind }) => kind === 'direct push').length,
    botsLeftOut: sum(withoutOf.map(({ bots }) => bots)),
  }
}

/** The newest parts that hold this many landings. */
function lastParts(parts: readonly Part[], last: number): readonly Part[] {
  let landings = 0
  const first = parts.findLastIndex((part) => {
    landings += part.kind === 'landings' ? part.landings.length : 0
    return landings >= last
  })
  return parts.slice(Math.max(0, first))
}

function readingsOf(commits: readonly Commit[], last: number): Reading[] {
  const named = commits.map((commit) => readBy(namingRules, commit))
  const recent = named.slice(-last)
  const withNumber = recent.filter(({ rule }) => rule !== null).length
  if (!landsByRebase(withNumber, recent.length)) return named
  return joinRebases(
    named.map((reading) =>
      reading.rule === null ? readBy(namelessRules, reading.commits[0]) : reading,
    ),
  )
}

function readBy(rules: readonly Rule[], commit: Commit): Reading {
  for (const rule of rules) {
    const changes = rule.read(commit)
    if (changes) return { commits: [commit], rule, changes }
  }
  return { commits: [commit], rule: null, changes: [] }
}

/** Joins the commits of one rebase; the first names the pull request. */
function joinRebases(readings: readonly Reading[]): Reading[] {
  const joined: Reading[] = []
  for (const reading of readings) {
    const before = joined.at(-1)
    const previous = before?.commits.at(-1)
    const isSame =
      before?.rule === rebase &&
      reading.rule === rebase &&
      previous !== undefined &&
      isSameRebase(previous, reading.commits[0])
    if (isSame)
      joined.splice(-1, 1, { ...before, commits: [...before.commits, ...reading.commits] })
    else joined.push(reading)
  }
  return joined
}

/** Leaves releases, bots and direct pushes out, as the options say. */
function partOf({ commits, rule, changes }: Reading, options: ClassifyOptions): Part {
  const [{ subject, author }] = commits
  const plain = { number: null, title: subject, author }
  const all = rule === null && isRelease(plain) ? [plain] : changes
  if (all.length === 0) return { kind: 'direct push' }
  const isLeft = (change: Change): boolean => !options.withReleases && isRelease(change)
  const wanted = all.filter((each) => !isLeft(each))
  const kept = wanted.filter((each) => !(options.withoutBots && isOfBot(each)))
  return {
    kind: 'landings',
    without: { releases: all.length - wanted.length, bots: wanted.length - kept.length },
    landings: kept.map((change) => ({
      rule: rule ?? releaseWithoutNumber,
      change,
      commits,
      atMs: Math.max(...commits.map(({ atMs }) => atMs)),
      isOfBot: isOfBot(change),
      together: all.length,
    })),
  }
}

// The habits of a history in words: "437 bors batches, 8 with two or more".

/** One text per habit, the commonest first. */
export function habitsInWords(landings: readonly Landing[]): string[] {
  return [...groupedBy(landings, ({ rule }) => rule)]
    .map(([rule, own]) => ({ rule, own, batches: batchesOf(rule, own) }))
    .sort((a, b) => b.own.length - a.own.length)
    .map(({ rule, own, batches }) => {
      const [one, many] = rule.names
      const isTimed = rule.batch !== 'commit'
      const all = isTimed ? own.length : batches.length
      const larger = batches.filter((size) => size > 1).length
      const groups = isTimed
        ? `${count(larger)} group${larger === 1 ? '' : 's'} of`
        : `${count(larger)} with`
      return `${count(all)} ${all === 1 ? one : many}${larger === 0 ? '' : `, ${groups} two or more`}`
    })
}

/** What the log cannot tell about the habits found, each sentence once. */
export function caveatsOf(landings: readonly Landing[]): string[] {
  const found = [...groupedBy(landings, ({ rule }) => rule).keys()].flatMap(
    ({ caveat }) => caveat ?? [],
  )
  return [...new Set(found)]
}

/** The sizes of the batches, oldest first: pull requests of one commit, or close in time. */
function batchesOf({ batch }: Rule, landings: readonly Landing[]): number[] {
  const sizes: number[] = []
  let before: Landing | null = null
  for (const landing of landings) {
    const isSame: boolean =
      before !== null &&
      (batch === 'commit'
        ? before.commits[0].hash === landing.commits[0].hash
        : landing.atMs - before.atMs <= batch.withinMs)
    if (isSame) sizes.push((sizes.pop() ?? 0) + 1)
    else sizes.push(1)
    before = landing
  }
  return sizes
}
