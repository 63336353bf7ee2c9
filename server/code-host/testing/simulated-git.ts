/**
 * A repository without git, as its host has it and as the server mirrors it. A commit has one parent and brings one pull
 * request at one head, so its files are the heads of all commits below it.
 */

import { createHash } from 'node:crypto'
import type { SnapshotToCommit, MergeMethod } from '../../git/snapshot.ts'
import type { Composed } from '../../git/compose.ts'
import { GitFailed, type Oid } from '../../git/git.ts'
import type { Landed, Landing } from '../../git/land.ts'
import { Mirror, type Changes, type Described } from '../../git/mirror.ts'
import { TestRepository, type ButtonMerge } from '../../hosting/testing/test-repository.ts'

export const oidOf = (text: string): Oid => createHash('sha1').update(text).digest('hex')

const main = 'refs/heads/main'
const start = oidOf('main')

type Made = {
  readonly below: Oid
  readonly head: Oid
  /** The pull request that its message names; 0: none. */
  readonly number: number
  /** A merge commit has the head in its history, a squashed one only in its files. */
  readonly isMerge: boolean
}

/** All commits that were made, and the branch. */
export class Commits {
  tip = start
  /** Heads of forks that the host shows and has not taken over. */
  readonly missing = new Set<Oid>()
  readonly #made = new Map<Oid, Made>()
  readonly #onLanded: (head: Oid, commit: Oid) => void

  /** `onLanded`: called for each commit that comes on the branch. */
  constructor(onLanded: (head: Oid, commit: Oid) => void) {
    this.#onLanded = onLanded
  }

  make(made: Made, by: string): Oid {
    const commit = oidOf(`${by} ${made.below} ${made.head}`)
    this.#made.set(commit, made)
    return commit
  }

  land(commit: Oid): void {
    const landed = this.since(this.tip, commit)
    this.tip = commit
    for (const each of landed ?? []) this.#onLanded(this.madeAt(each).head, each)
  }

  madeAt(commit: Oid): Made {
    const made = this.#made.get(commit)
    if (!made) throw new Error(`nobody has made ${commit}`)
    return made
  }

  /** Those above the one, oldest first; null: it is not below the other. */
  since(below: Oid, commit: Oid): Oid[] | null {
    const found: Oid[] = []
    for (let at = commit; at !== below;) {
      const made = this.#made.get(at)
      if (!made) return null
      found.unshift(at)
      at = made.below
    }
    return found
  }

  /** The heads that a commit has in its files. */
  headsIn(commit: Oid): ReadonlySet<Oid> {
    const all = this.since(start, commit) ?? []
    return new Set(all.map((each) => this.madeAt(each).head))
  }

  /** The commits above the one and the heads that they merge. */
  historyOf(commit: Oid, above = start): ReadonlySet<Oid> {
    const all = this.since(above, commit) ?? []
    return new Set(
      all.flatMap((each) => {
        const { head, isMerge } = this.madeAt(each)
        return isMerge ? [each, head] : each
      }),
    )
  }
}

/** What the host does with its repository. Its button merges with merge commits, so heads are reachable. */
export class SimulatedRepository extends TestRepository {
  readonly #commits: Commits

  constructor(commits: Commits) {
    super('')
    this.#commits = commits
  }

  override oidOf(): Promise<Oid> {
    return Promise.resolve(this.#commits.tip)
  }

  override set(ref: string, commit: Oid): Promise<void> {
    if (ref === main) this.#commits.land(commit)
    return Promise.resolve()
  }

  override mergeByButton({ method, head, tip, text }: ButtonMerge): Promise<Oid> {
    const number = Number(/^Mergeyard-Pull: (\d+)$/m.exec(text)?.[1] ?? 0)
    const made = { below: tip, head, number, isMerge: method === 'merge' }
    return Promise.resolve(this.#commits.make(made, 'button'))
  }

  override writtenAt = () => Promise.resolve(1)

  override isReachable(commit: Oid, tip: Oid): Promise<boolean> {
    return Promise.resolve(commit === start || this.#commits.historyOf(tip).has(commit))
  }
}

export class SimulatedMirror extends Mirror {
  readonly #commits: Commits
  readonly #before: (what: string) => void

  /** `before`: called before each answer; it may do something, or throw. */
  constructor(commits: Commits, before: (what: string) => void) {
    super('', '')
    this.#commits = commits
    this.#before = before
  }

  override branches = (): Promise<ReadonlyMap<string, Oid>> => {
    this.#before('git')
    return Promise.resolve(new Map([[main, this.#commits.tip]]))
  }

  override readRefs = () => this.branches()

  override fetch = (refs: readonly string[]) => {
    const missing = refs.find((ref) => this.#commits.missing.has(ref))
    if (missing === undefined) return Promise.resolve()
    return Promise.reject(new GitFailed(`not our ref ${missing}`))
  }
  override keep = () => Promise.resolve()
  /** A host has no branches below `queue/`. */
  override removeHeads = () => Promise.resolve()

  override describe = (commit: Oid): Promise<Described> => {
    const author = { name: 'Bob', email: 'bob@example.com' }
    return Promise.resolve({ title: commit, body: this.#trailerOf(commit), author })
  }

  override descriptionOf = () => Promise.resolve('')

  #trailerOf(commit: Oid): string {
    const isHead = this.#commits.since(start, commit) === null
    return isHead || commit === start
      ? ''
      : `Mergeyard-Pull: ${this.#commits.madeAt(commit).number}`
  }

  override compose = (
    tip: Oid,
    snapshots: readonly SnapshotToCommit[],
    method: MergeMethod,
  ): Promise<Composed> => {
    const isMerge = method === 'merge_commit'
    const there = this.#commits.headsIn(tip)
    let below = tip
    const commits = snapshots.map(({ number, head }) => {
      below = this.#commits.make({ below, head, number, isMerge }, `queue ${method}`)
      return below
    })
    const onBranch = snapshots.find(({ head }) => there.has(head))?.number ?? null
    return Promise.resolve({ commits, onBranch })
  }

  override isAncestor = (ancestor: Oid, commit: Oid): Promise<boolean> => {
    const isThere = ancestor === commit || ancestor === start
    return Promise.resolve(isThere || this.#commits.historyOf(commit).has(ancestor))
  }

  override changesOf = (from: Oid, to: Oid): Promise<Changes> => {
    const found = this.#commits.since(from, to)
    const commits = (found ?? []).map((commit) => {
      const { number } = this.#commits.madeAt(commit)
      return { commit, numbers: number === 0 ? [] : [number] }
    })
    return Promise.resolve({ commits, isDescendant: found !== null })
  }

  override reached = (from: Oid, to: readonly Oid[]): Promise<ReadonlySet<Oid>> =>
    Promise.resolve(new Set(to.flatMap((each) => [...this.#commits.historyOf(each, from)])))

  override landingsOf = (number: number, tip: Oid): Promise<Oid[]> => {
    const all = this.#commits.since(start, tip) ?? []
    const found = all.filter((commit) => this.#commits.madeAt(commit).number === number)
    return Promise.resolve(found.reverse())
  }

  override treeOf = (commit: Oid): Promise<Oid> =>
    Promise.resolve(oidOf([...this.#commits.headsIn(commit)].sort().join(' ')))

  override isMadeOf = async (commit: Oid, onto: Oid, snapshots: readonly SnapshotToCommit[]) => {
    const made = await this.compose(onto, snapshots, 'squash')
    const last = 'commits' in made ? made.commits.at(-1) : undefined
    return last !== undefined && (await this.treeOf(commit)) === (await this.treeOf(last))
  }

  /** The answer can be lost although the push has worked. */
  override land = ({ expect, commit }: Landing): Promise<Landed> => {
    this.#before('land')
    if (expect !== this.#commits.tip) return Promise.resolve({ is: 'moved' })
    this.#commits.land(commit)
    this.#before('landed')
    return Promise.resolve({ is: 'landed' })
  }
}
