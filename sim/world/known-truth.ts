/**
 * The truth, as it is learned: pull request by pull request, each before it is submitted.
 *
 * A cause of failure is a pull request that breaks by itself, or a pair that breaks together. Only
 * pull requests with something to tell are kept, so that a million healthy ones cost nothing.
 */

import type { PullRequestEntry } from '../scenario/scenario.ts'
import { TruthBranch, type Causes } from './branch.ts'
import type { Truth } from './truth.ts'

export class KnownTruth implements Truth, Causes {
  readonly #breaking = new Set<number>()
  readonly #partners = new Map<number, number[]>()
  readonly #fixers = new Map<number, number[]>()
  readonly #fixed = new Map<number, number[]>()
  readonly #conflicts = new Map<number, number[]>()

  /** Keeps what is true about a pull request. Pairs are known from either side. */
  learn({ number, breaks, breaksWith, fixes, conflictsWith }: PullRequestEntry): void {
    if (breaks) this.#breaking.add(number)
    for (const other of breaksWith ?? []) addBoth(this.#partners, number, other)
    for (const other of fixes ?? []) {
      add(this.#fixers, other, number)
      add(this.#fixed, number, other)
    }
    for (const other of conflictsWith ?? []) addBoth(this.#conflicts, number, other)
  }

  emptyBranch(): TruthBranch {
    return new TruthBranch(this)
  }

  conflict(a: number, b: number): boolean {
    return this.#conflicts.get(a)?.includes(b) ?? false
  }

  /** Those that do not merge as text with it. */
  conflictsOf(number: number): readonly number[] {
    return this.#conflicts.get(number) ?? none
  }

  relativesOf(number: number): readonly number[] {
    const relations = [this.#partners, this.#conflicts, this.#fixers, this.#fixed]
    return relations.flatMap((related) => related.get(number) ?? none)
  }

  breaksByItself(number: number): boolean {
    return this.#breaking.has(number)
  }

  partnersOf(number: number): readonly number[] {
    return this.#partners.get(number) ?? none
  }

  fixersOf(number: number): readonly number[] {
    return this.#fixers.get(number) ?? none
  }

  isSuspect(number: number): boolean {
    return this.#breaking.has(number) || this.#partners.has(number)
  }
}

const none: readonly number[] = []

function add(relations: Map<number, number[]>, from: number, to: number): void {
  const known = relations.get(from)
  if (!known) relations.set(from, [to])
  else if (!known.includes(to)) known.push(to)
}

function addBoth(relations: Map<number, number[]>, a: number, b: number): void {
  add(relations, a, b)
  add(relations, b, a)
}
