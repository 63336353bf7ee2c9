/**
 * The truth about pull requests, which the engine never sees: which ones break, alone or together,
 * and which ones fix others. Flakes are not part of it.
 */

import type { Event, Millis } from '../../engine/index.ts'
import type { PullRequestEntry, Push, QuarantinedTest } from '../scenario/scenario.ts'
import { toMillis } from '../scenario/time.ts'

/** A branch with the pull requests merged into it, and whether its tests would pass. */
export type Branch = {
  /** Adds a pull request as the next commit. */
  add(number: number): void
  /** Adds a commit from outside: a push. */
  addForeign(): void
  holds(number: number): boolean
  /** Whether the tests would fail on the current branch. */
  readonly isBroken: boolean
  /** Whether a push has mended what was on it, also what pull requests broke. */
  readonly wasMended: boolean
  /** Whether a push breaks its first `length` commits, with these pull requests on top. */
  isBrokenByPush(added?: readonly number[], length?: number): boolean
  /**
   * Whether the tests would fail with these pull requests on top: of the current branch, or of its
   * first `length` commits.
   */
  wouldBreak(added: readonly number[], length?: number): boolean
}

export type Truth = {
  /** Returns a branch without commits. */
  emptyBranch(): Branch
  /** Calls `listen` before anything of it changes: somebody loses clashes, or the quarantine is another one. */
  beforeChange(listen: () => void): void
  /** Calls `listen` before a pull request that comes again loses clashes that it had (S-270). */
  beforeRenewal(listen: (number: number) => void): void
  /** Whether the two conflict as text. */
  conflict(a: number, b: number): boolean
  /**
   * The pull requests that can change the outcome of its tests or of its merge: those that it
   * breaks with or conflicts with, those that fix it, and those that it fixes.
   */
  relativesOf(number: number): readonly number[]
}

/**
 * The truth as known so far: it is learned pull request by pull request, before each submission.
 * A cause of failure is a pull request that breaks by itself, or a pair that breaks together.
 * Nothing is stored for a healthy pull request without relations, so that a million of them cost
 * no memory.
 */
export class KnownTruth implements Truth, FailureCauses {
  readonly #breaking = new Set<number>()
  readonly #partners = new Map<number, number[]>()
  readonly #clashes = new Map<number, number[]>()
  readonly #listeners: ((number: number) => void)[] = []
  readonly #fixers = new Map<number, number[]>()
  readonly #fixed = new Map<number, number[]>()
  readonly #conflicts = new Map<number, number[]>()
  readonly #pushes = new Map<number, Push>()
  readonly #mending: number[] = []
  readonly #tests = new Map<number, string>()
  /** The tests in quarantine, each with the instant at which that ends. */
  readonly #quarantine = new Map<string, Millis>()
  #now: Millis = 0
  readonly #changeListeners: (() => void)[] = []
  readonly #relations = [this.#partners, this.#clashes, this.#conflicts, this.#fixers, this.#fixed]

  constructor(quarantine: readonly QuarantinedTest[] = []) {
    for (const { test, until } of quarantine) {
      this.#quarantine.set(test, until === undefined ? Infinity : toMillis(until))
    }
  }

  /** Follows who puts tests in quarantine. */
  onEvent(event: Event): void {
    if (event.type !== 'testQuarantined' && event.type !== 'testReleased') return
    this.#announceChange()
    if (event.type === 'testReleased') this.#quarantine.delete(event.test)
    else this.#quarantine.set(event.test, event.entry.until ?? Infinity)
  }

  /** It is this time now: entries of the quarantine may have ended. */
  passTo(at: Millis): void {
    if (at <= this.#now) return
    for (const until of this.#quarantine.values()) {
      if (this.#now < until && until <= at) this.#announceChange()
    }
    this.#now = at
  }

  #announceChange(): void {
    for (const listen of this.#changeListeners) listen()
  }

  beforeChange(listen: () => void): void {
    this.#changeListeners.push(listen)
  }

  /** The tests that it breaks: of a pull request one, of a push those that it names. */
  testsOf(number: number): readonly string[] {
    if (number < 0) return this.pushAt(-number)?.breaks ?? noTests
    return [this.#tests.get(number) ?? `what pull request ${number} breaks`]
  }

  isHidden(number: number): boolean {
    if (this.#quarantine.size === 0) return false
    const tests = this.testsOf(number)
    return tests.length > 0 && tests.every((test) => this.isInQuarantine(test))
  }

  isInQuarantine(test: string): boolean {
    return this.#now < (this.#quarantine.get(test) ?? 0)
  }

  /** Stores the truth about a pull request. Pairs are stored in both directions. */
  learn(entry: PullRequestEntry): void {
    const { number, breaks, breaksWith, clashesWith, fixes, conflictsWith, mendsBranch } = entry
    if (mendsBranch) this.#mending.push(number)
    if (breaks) this.#breaking.add(number)
    if (entry.breaksTest !== undefined) this.#tests.set(number, entry.breaksTest)
    for (const other of breaksWith ?? []) addBoth(this.#partners, number, other)
    for (const other of clashesWith ?? []) addBoth(this.#clashes, number, other)
    for (const other of fixes ?? []) {
      add(this.#fixers, other, number)
      add(this.#fixed, number, other)
    }
    for (const other of conflictsWith ?? []) addBoth(this.#conflicts, number, other)
  }

  /**
   * It comes again, written on the branch of this instant: it works with those on it with which it
   * clashed (S-270).
   */
  renew(number: number, isOnBranch: (other: number) => boolean): void {
    const known = this.clashesOf(number).filter(isOnBranch)
    if (known.length === 0) return
    this.#announceChange()
    for (const listen of this.#listeners) listen(number)
    for (const other of known) {
      remove(this.#clashes, number, other)
      remove(this.#clashes, other, number)
    }
  }

  beforeRenewal(listen: (number: number) => void): void {
    this.#listeners.push(listen)
  }

  /** The pull requests that it clashes with. */
  clashesOf(number: number): readonly number[] {
    return this.#clashes.get(number) ?? none
  }

  /** Stores what the push does that is commit `length` of the branch. Call it before the branch gets it. */
  learnPush(length: number, push: Push): void {
    this.#pushes.set(length, push)
  }

  pushAt(length: number): Push | undefined {
    return this.#pushes.get(length)
  }

  emptyBranch(): TruthBranch {
    return new TruthBranch(this)
  }

  conflict(a: number, b: number): boolean {
    return this.#conflicts.get(a)?.includes(b) ?? false
  }

  /** The pull requests that it conflicts with as text. */
  conflictsOf(number: number): readonly number[] {
    return this.#conflicts.get(number) ?? none
  }

  relativesOf(number: number): readonly number[] {
    let relatives = none
    for (const related of this.#relations) {
      const these = related.get(number)
      // Most pull requests have no relation.
      if (these) relatives = relatives.concat(these)
    }
    return relatives
  }

  breaksByItself(number: number): boolean {
    return number < 0 || this.#breaking.has(number)
  }

  partnersOf(number: number): readonly number[] {
    const partners = this.#partners.get(number) ?? none
    const clashes = this.#clashes.get(number)
    return clashes ? partners.concat(clashes) : partners
  }

  fixersOf(number: number): readonly number[] {
    return number < 0 ? this.#mending : (this.#fixers.get(number) ?? none)
  }

  isSuspect(number: number): boolean {
    return this.#breaking.has(number) || this.#partners.has(number) || this.#clashes.has(number)
  }
}

const none: readonly number[] = []
const noTests: readonly string[] = []

function add(relations: Map<number, number[]>, from: number, to: number): void {
  const known = relations.get(from)
  if (!known) relations.set(from, [to])
  else if (!known.includes(to)) known.push(to)
}

function remove(relations: Map<number, number[]>, from: number, to: number): void {
  const left = relations.get(from)?.filter((each) => each !== to) ?? []
  if (left.length > 0) relations.set(from, left)
  else relations.delete(from)
}

function addBoth(relations: Map<number, number[]>, a: number, b: number): void {
  add(relations, a, b)
  add(relations, b, a)
}

// A branch, and whether its tests would pass: on the current or an older state, with further pull
// requests on top. A bisection tests on such an older state.

/** The causes of failures that a branch needs to know. */
type FailureCauses = {
  breaksByItself(number: number): boolean
  /** The pull requests that it breaks together with. */
  partnersOf(number: number): readonly number[]
  /** The pull requests that fix it. */
  fixersOf(number: number): readonly number[]
  /** Whether all that it breaks is in quarantine now, so that no run fails because of it. */
  isHidden(number: number): boolean
  /** Whether it can make a run fail, alone or with others. */
  isSuspect(number: number): boolean
  /** What the push does that is commit `length`; undefined if it passes its tests. */
  pushAt(length: number): Push | undefined
}

/** A push that breaks the branch is a cause of failure like a pull request, with this number. */
const numberOfPush = (length: number): number => -length

/** The contents of a run: the first `length` commits of the branch, and `added` on top. */
type BranchComposition = {
  readonly length: number
  readonly added: readonly number[]
  /** Also causes of which all failures are in quarantine count. */
  readonly isStrict?: boolean
}

export class TruthBranch implements Branch {
  readonly #causes: FailureCauses
  /** The length of the branch after it first received the pull request. */
  readonly #heldSince = new Map<number, number>()
  /**
   * What on the branch can make a run fail: what breaks by itself, and pairs of which both are on it.
   * Of all others only partners of what is on top matter, so a long branch costs no more.
   */
  readonly #suspects = new Set<number>()
  /** The lengths of the branch after pushes that have mended it. */
  readonly #mends: number[] = []
  #length = 0

  constructor(causes: FailureCauses) {
    this.#causes = causes
  }

  /** The number of commits, including pushes from outside. */
  get length(): number {
    return this.#length
  }

  add(number: number): void {
    this.#length++
    if (this.#heldSince.has(number)) return
    this.#heldSince.set(number, this.#length)
    if (!this.#causes.isSuspect(number)) return
    if (this.#causes.breaksByItself(number)) this.#suspects.add(number)
    for (const other of this.#causes.partnersOf(number)) {
      if (this.#heldSince.has(other)) this.#suspects.add(other).add(number)
    }
  }

  /** Adds a commit from outside. */
  addForeign(): void {
    this.#length++
    const { breaks, mends } = this.#causes.pushAt(this.#length) ?? {}
    if (mends) this.#mends.push(this.#length)
    if (!breaks) return
    this.#heldSince.set(numberOfPush(this.#length), this.#length)
    this.#suspects.add(numberOfPush(this.#length))
  }

  /** Whether the branch holds it, or its first `length` commits. */
  holds(number: number, length = this.#length): boolean {
    return this.#isOnBranch(number, length)
  }

  get isBroken(): boolean {
    return this.wouldBreak([])
  }

  get wasMended(): boolean {
    return this.#mends.length > 0
  }

  isBrokenByPush(added: readonly number[] = [], length = this.#length): boolean {
    return this.culprits(added, length).some((number) => number < 0)
  }

  wouldBreak(added: readonly number[], length = this.#length): boolean {
    const composition = { length, added }
    for (const number of added) {
      if (!this.#causes.isSuspect(number)) continue
      if (this.#isToBlame(number, composition)) return true
      // What it breaks may be in quarantine, and what its partners break not.
      const isBroken = (other: number): boolean =>
        this.#isIn(other, composition) && this.#isToBlame(other, composition)
      if (this.#causes.isHidden(number) && this.#causes.partnersOf(number).some(isBroken))
        return true
    }
    for (const number of this.#suspects) {
      if (this.#isOnBranch(number, length) && this.#isToBlame(number, composition)) return true
    }
    return false
  }

  /** The causes of failure in a composition: pull requests that break, and both of each pair. */
  culprits(added: readonly number[], length = this.#length): number[] {
    return this.#culpritsIn({ length, added })
  }

  /** The same without the quarantine: all that make a test fail. */
  breakers(added: readonly number[], length = this.#length): number[] {
    return this.#culpritsIn({ length, added, isStrict: true })
  }

  #culpritsIn(composition: BranchComposition): number[] {
    const { length, added } = composition
    const isToBlame = (number: number): boolean => this.#isToBlame(number, composition)
    const onTop = added.filter((number) => this.#causes.isSuspect(number))
    if (onTop.length === 0 && this.#suspects.size === 0) return []
    const below = new Set(this.#suspects)
    for (const number of onTop) {
      for (const each of [number, ...this.#causes.partnersOf(number)]) below.add(each)
    }
    const since = (number: number): number => this.#heldSince.get(number) ?? Infinity
    const onBranch = [...below].filter((number) => since(number) <= length)
    onBranch.sort((a, b) => since(a) - since(b))
    return [...onBranch, ...onTop.filter((number) => !onBranch.includes(number))].filter(isToBlame)
  }

  #isToBlame(number: number, composition: BranchComposition): boolean {
    if (!composition.isStrict && this.#causes.isHidden(number)) return false
    if (this.#isFixed(number, composition)) return false
    if (this.#causes.breaksByItself(number)) return true
    return this.#causes
      .partnersOf(number)
      .some((other) => this.#isIn(other, composition) && !this.#isFixed(other, composition))
  }

  #isFixed(number: number, composition: BranchComposition): boolean {
    const since = this.#heldSince.get(number) ?? Infinity
    if (this.#mends.some((mend) => since < mend && mend <= composition.length)) return true
    return this.#causes.fixersOf(number).some((fixer) => {
      // A push breaks what was mended before.
      if (number < 0 && (this.#heldSince.get(fixer) ?? Infinity) < since) return false
      return this.#isIn(fixer, composition)
    })
  }

  #isIn(number: number, { length, added }: BranchComposition): boolean {
    return this.#isOnBranch(number, length) || added.includes(number)
  }

  #isOnBranch(number: number, length: number): boolean {
    return (this.#heldSince.get(number) ?? Infinity) <= length
  }
}
