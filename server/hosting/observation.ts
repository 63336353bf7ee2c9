/** What is seen on the repository of a queue: the target branch, and the heads of pull requests. */

import type { PullRequestNumber, PullSnapshot } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import { nearestOf } from '../terminal/nearest.ts'
import type { Notes } from '../files/notes.ts'

const branchPrefix = 'refs/heads/'

/** A branch below this is a pull request that asks to merge, as soon as it is pushed. */
export const requestPrefix = 'refs/heads/queue/'

/**
 * A branch below `queue/` that is no target itself enters one queue: the one whose target branch it names, as in
 * `queue/release/fix`, or else the first queue of the repository.
 */
export function isRequestFor(
  ref: string,
  targetBranch: string,
  /** The target branches of all queues of the repository. */
  branches: readonly string[],
): boolean {
  const isTarget = branches.some((branch) => ref === `${branchPrefix}${branch}`)
  if (!ref.startsWith(requestPrefix) || isTarget) return false
  const named = branches
    .filter((branch) => ref.startsWith(`${requestPrefix}${branch}/`))
    .sort((a, b) => b.length - a.length)
  return (named[0] ?? branches[0]) === targetBranch
}

const pullPattern = /^refs\/pull\/([1-9]\d{0,8})\/head$/

export type Observation = {
  /** Null: there is no such branch. */
  readonly target: Oid | null
  /** The commit of each branch and of each `refs/pull/<n>/head`. */
  readonly heads: ReadonlyMap<string, Oid>
}

/** The patterns of one poll: a single round trip, whatever the number of refs. */
export const polledRefs = ['refs/heads/*', 'refs/pull/*/head'] as const

export function observationOf(refs: ReadonlyMap<string, Oid>, targetBranch: string): Observation {
  return { target: refs.get(`refs/heads/${targetBranch}`) ?? null, heads: refs }
}

/** The number in `refs/pull/7/head`; null for any other ref. */
export function numberIn(ref: string): PullRequestNumber | null {
  const found = pullPattern.exec(ref)?.[1]
  return found === undefined ? null : Number(found)
}

export function pullRef(number: PullRequestNumber): string {
  return `refs/pull/${number}/head`
}

// Which ref is which pull request. The number of `refs/pull/7/head` is 7. A branch gets the next free
// number when it is asked for or submitted. The snapshot in the log keeps it, and the notes until then. Rule: A-395.

/** Above what a host has given its pull requests and will give them: it goes on to count. */
const beyondHost = 1_000_000

export class PullRefs {
  readonly #refs = new Map<PullRequestNumber, string>()
  readonly #numbers = new Map<string, PullRequestNumber>()
  #highest = 0

  /** Call it for each number of the notes, then for each snapshot of the history, oldest first, and for each later one. */
  note(number: PullRequestNumber, { ref }: Pick<PullSnapshot, 'ref'>): void {
    // Notes can be older than the log.
    this.#numbers.delete(this.refOf(number))
    this.#refs.set(number, ref)
    this.#numbers.set(ref, number)
    this.taken(number)
  }

  /** The number cannot be given to a branch any more. */
  taken(number: PullRequestNumber): void {
    this.#highest = Math.max(this.#highest, number)
  }

  get numbers(): ReadonlyMap<string, PullRequestNumber> {
    return this.#numbers
  }

  get highest(): PullRequestNumber {
    return this.#highest
  }

  /** Whether the ref is or was a pull request: a branch that has merged is gone, and keeps its number. */
  has(ref: string): boolean {
    return this.#numbers.has(ref)
  }

  /** The ref of a pull request, also of one that was never submitted. */
  refOf(number: PullRequestNumber): string {
    return this.#refs.get(number) ?? pullRef(number)
  }

  /** The branch to which a number was given that the host has given to another head since; null: it did not. */
  branchBeside(number: PullRequestNumber, { heads }: Pick<Observation, 'heads'>): string | null {
    const ref = this.refOf(number)
    const ofHost = heads.get(pullRef(number))
    const isAnother = ofHost !== undefined && ofHost !== heads.get(ref)
    return isAnother && ref.startsWith(branchPrefix) ? ref.slice(branchPrefix.length) : null
  }

  /** The branch that somebody may have meant, of those that are or were there; null: none is like it. */
  branchLike(named: string, heads: Iterable<string>): string | null {
    const branches = [...heads, ...this.#numbers.keys()]
      .filter((ref) => ref.startsWith(branchPrefix))
      .map((ref) => ref.slice(branchPrefix.length))
    const isLike = (branch: string): boolean =>
      branch.endsWith(`/${named}`) || named.endsWith(`/${branch}`)
    return branches.find(isLike) ?? nearestOf(named, branches)
  }

  /** The number of a ref: a known one, or the next one. The same ref keeps its number. */
  numberOf(ref: string, { heads }: Pick<Observation, 'heads'>): PullRequestNumber {
    const known = this.#numbers.get(ref) ?? numberIn(ref)
    if (known !== null) return known
    for (const other of heads.keys()) {
      const ofHost = numberIn(other)
      if (ofHost !== null) this.taken(Math.max(ofHost, beyondHost))
    }
    const number = this.#highest + 1
    this.note(number, { ref })
    return number
  }
}

// What no command of the log says of the branches, as notes of the queue.

type Heads = ReadonlyMap<string, Oid>

type Kept = {
  /**
   * Branches below `queue/` that were there before their queue began to listen to them, because a data folder was lost, also
   * in part, or is new, or they were for another queue; and those whose pull request has left. So none of them asks to merge
   * until it holds another commit. Null: nothing is known of an earlier poll.
   */
  readonly heads: Heads | null
  /** The target branches of all queues of the repository, by which a branch is for one of them. */
  readonly branches: readonly string[] | null
  /** Of branches that nobody has submitted yet, and the last one that was given. */
  readonly numbers: ReadonlyMap<string, PullRequestNumber>
}

export class BranchNotes {
  readonly #notes: Notes
  #read: Kept | null = null
  /** The highest number that was given when the numbers were kept last. */
  #highest = 0

  constructor(notes: Notes) {
    this.#notes = notes
  }

  get #kept(): Kept {
    this.#read ??= keptIn(this.#notes.read())
    return this.#read
  }

  /** False: with these queues some branches are for another one than at the last poll, or nothing is known of that. */
  isFor(branches: readonly string[]): boolean {
    const { heads, branches: before } = this.#kept
    return heads !== null && before?.join('\n') === branches.join('\n')
  }

  /** Whether a branch was for the queue at the last poll. */
  wasFor(ref: string, targetBranch: string): boolean {
    const { heads, branches } = this.#kept
    // Older notes do not say it.
    return heads !== null && (branches === null || isRequestFor(ref, targetBranch, branches))
  }

  /** Notes branches whose commits are no request. With `branches` it is the first poll with these queues. */
  async leaveBehind(requests: Heads, branches?: readonly string[]): Promise<void> {
    if (requests.size === 0 && !branches) return
    const heads = new Map([...(this.#kept.heads ?? []), ...requests])
    await this.#keep(branches ? { heads, branches } : { heads })
  }

  /** Drops those that hold another commit now, or are gone. */
  async prune({ heads }: Observation): Promise<void> {
    const known = this.#kept.heads ?? new Map<string, Oid>()
    const still = [...known].filter(([ref, head]) => heads.get(ref) === head)
    if (still.length < known.size) await this.#keep({ heads: new Map(still) })
  }

  isLeftBehind(ref: string): boolean {
    return this.#kept.heads?.has(ref) === true
  }

  get numbers(): Kept['numbers'] {
    return this.#kept.numbers
  }

  /** Keeps what was given since the last call; `isInLog`: a submission says the number. */
  async keepNumbers(
    { numbers, highest }: PullRefs,
    { heads }: Pick<Observation, 'heads'>,
    isInLog: (number: PullRequestNumber) => boolean,
  ): Promise<void> {
    if (highest === this.#highest) return
    const kept = [...numbers].filter(
      ([ref, number]) => number === highest || (heads.has(ref) && !isInLog(number)),
    )
    await this.#keep({ numbers: new Map(kept) })
    this.#highest = highest
  }

  async #keep(changed: Partial<Kept>): Promise<void> {
    const kept = { ...this.#kept, ...changed }
    this.#read = kept
    const { heads, branches, numbers } = kept
    const found = heads === null ? {} : { heads: Object.fromEntries(heads) }
    const known = branches === null ? {} : { branches }
    const given = Object.fromEntries(numbers)
    await this.#notes.write(`${JSON.stringify({ ...found, ...known, numbers: given })}\n`)
  }
}

/** Nothing is known if there are no notes, or they are damaged. */
function keptIn(text: string | null): Kept {
  const kept = written(text)
  return {
    heads: kept.heads ? new Map(Object.entries(kept.heads)) : null,
    branches: kept.branches ?? null,
    numbers: new Map(Object.entries(kept.numbers ?? {})),
  }
}

type Written = Partial<{
  readonly heads: Readonly<Record<string, Oid>>
  readonly branches: readonly string[]
  readonly numbers: Readonly<Record<string, PullRequestNumber>>
}>

function written(text: string | null): Written {
  try {
    const found: Written | null = JSON.parse(text ?? '')
    return found ?? {}
  } catch {
    return {}
  }
}
