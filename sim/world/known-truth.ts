/**
 * The truth as known so far: it is learned pull request by pull request, before each submission.
 *
 * A cause of failure is a pull request that breaks by itself, or a pair that breaks together.
 * Nothing is stored for a healthy pull request without relations, so that a million of them cost
 * no memory.
 */

import type { Event, Millis } from '../../engine/index.ts'
import type { PullRequestEntry, Push, QuarantinedTest } from '../scenario/scenario.ts'
import { toMillis } from '../scenario/time.ts'
import { TruthBranch, type FailureCauses } from './branch.ts'
import type { Truth } from './truth.ts'

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
