/**
 * A bare copy of a repository, in which compositions are made. It is a cache: what is lost is fetched or
 * made again. One call at a time works on it.
 */

import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  committer,
  descriptionOf,
  type SnapshotToCommit,
  type MergeMethod,
  type Person,
} from './snapshot.ts'
import { contains, branchCommits, landingsOf, type BranchCommit } from './history.ts'
import {
  makeSound,
  removeLocks,
  fetchTimeoutIn,
  fetchTimeoutMs,
  isDamage,
  makeAnew,
  fetchMissing,
} from './damage.ts'
import {
  compose,
  keptHeads,
  Memo,
  oldestFirst,
  type Composed,
  type LandedHeads,
} from './compose.ts'
import {
  fetching,
  git,
  GitFailed,
  headIn,
  linesOf,
  noRepository,
  refsOf,
  runGit,
  type Copy,
  type Oid,
} from './git.ts'
import { withoutCredentials } from '../terminal/text.ts'
import {
  land,
  removeHeads,
  type Repositories,
  refusalIn,
  type Landed,
  type Landing,
} from './land.ts'
import { commitTree, groundAt, haveSameTree } from './objects.ts'
import { packObjects } from './packs.ts'

export type Changes = {
  /** Along the first parents, oldest first; empty after a rewind. */
  readonly commits: readonly BranchCommit[]
  /** False: the branch was set to a commit that does not contain the old one. */
  readonly isDescendant: boolean
}

export type Described = {
  readonly title: string
  readonly body: string
  readonly author: Person
}

/** Variables for git, such as a header with credentials: never arguments, which others can see. */
export type GitAccess = () => Promise<Readonly<Record<string, string>>>

export type MirrorOptions = {
  /** How long a landing push may take. */
  readonly pushTimeoutMs?: number
  /** The variables with which git reaches the repository; asked before each call that does. */
  readonly access?: GitAccess
}

/** Where the branches and tags of the repository are in the mirror. Below `refs/` a clone has the same names. */
const asInClone = 'refs/mergeyard/'
const inClone = [
  `+refs/heads/*:${asInClone}remotes/origin/*`,
  `+refs/tags/*:${asInClone}tags/*`,
] as const

export class Mirror {
  readonly folder: string
  readonly #url: string
  readonly #pushTimeoutMs: number | undefined
  readonly #access: GitAccess
  #last: Promise<unknown> = Promise.resolve()
  /** Null: its objects are not being put together. */
  #packing: Promise<void> | null = null
  #isDamaged = false
  /** A git of an earlier process, or one that has failed here, may have been killed while it held a lock. */
  #mayBeLocked = true
  #isClosed = false
  readonly #stopping = new AbortController()
  /** Of this copy: one that is made anew does not have these commits. */
  readonly #memo = new Memo()
  /** By target branch, for its last tip. In memory, because a test can write into the mirror. */
  readonly #packedRefs = new Map<string, { readonly tip: Oid; readonly text: Promise<string> }>()

  constructor(folder: string, url: string, options: MirrorOptions = {}) {
    this.folder = folder
    this.#url = url
    this.#pushTimeoutMs = options.pushTimeoutMs
    this.#access = options.access ?? (() => Promise.resolve({}))
  }

  /** The address of the repository, without credentials. */
  get url(): string {
    return withoutCredentials(this.#url)
  }

  /** Makes the copy usable. */
  async prepare(): Promise<void> {
    await this.#alone(() => Promise.resolve())
    this.#pack()
  }

  /** Puts its objects together if they are in too many files, while others use it. */
  #pack(): void {
    // Without it git is slower, and nothing else.
    const packed = async (): Promise<void> => packObjects(this.folder).catch(() => undefined)
    this.#packing ??= packed().finally(() => (this.#packing = null))
  }

  /** Waits for the repository no longer: what asks it now or later fails at once. */
  stop(): void {
    this.#stopping.abort()
  }

  /** Begins nothing in the folder any more; settles when nothing is under way there, so that it can be removed. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([this.#last, this.#packing])
  }

  /**
   * Notes a fault. If it comes from a damaged object, the copy is made anew before the next work on it,
   * and each time until that succeeds.
   */
  noteDamage(fault: unknown): void {
    if (isDamage(fault)) this.#isDamaged = true
  }

  /** The refs of the repository that match, with their commits: one round trip. */
  async readRefs(patterns: readonly string[]): Promise<ReadonlyMap<string, Oid>> {
    return refsOf(await this.#copy(), [], patterns)
  }

  /** The commit of one of its refs at this moment; undefined: it is not there. */
  async commitOf(ref: string): Promise<Oid | undefined> {
    return (await this.readRefs([ref])).get(ref)
  }

  /** All branches: the repository need not send its other refs, which can be many. */
  async branches(): Promise<ReadonlyMap<string, Oid>> {
    return refsOf(await this.#copy(), ['--heads'])
  }

  /** The branch that a clone of the repository checks out; null: HEAD names none that is there. */
  async defaultBranch(): Promise<string | null> {
    const { url, env, signal } = await this.#copy()
    const asked = ['ls-remote', '--symref', url, 'HEAD']
    return headIn(await git([...noRepository, ...asked], { env, signal }))
  }

  /** Fetches refs or commits. */
  async fetch(wanted: readonly string[]): Promise<void> {
    await this.#alone(async () => {
      const copy = await this.#copy()
      const timeoutMs = fetchTimeoutIn(this.folder)
      const { env, signal } = copy
      await git(fetching(copy, ...wanted), { env, signal, timeoutMs })
    })
  }

  /**
   * The branches (`origin/<branch>`) and tags that a clone has, as the text of a `packed-refs` file. They are fetched
   * once for each tip of the target branch, of which `origin/<target branch>` is that tip.
   */
  async packedRefs(branch: string, tip: Oid): Promise<string> {
    const known = this.#packedRefs.get(branch)
    if (known?.tip === tip) return known.text
    const text = this.#fetchRefs(branch, tip)
    this.#packedRefs.set(branch, { tip, text })
    text.catch(() => this.#packedRefs.delete(branch))
    return text
  }

  #fetchRefs(branch: string, tip: Oid): Promise<string> {
    return this.#alone(async () => {
      const at = ['--git-dir', this.folder]
      const copy = await this.#copy()
      const args = [...fetching(copy, ...inClone), '--prune']
      const { env, signal } = copy
      await git(args, { env, signal, timeoutMs: fetchTimeoutMs })
      // Thousands of tags are thousands of files otherwise.
      await git([...at, 'pack-refs', '--all'])
      const format = '--format=%(objectname) %(refname)'
      const below = ['remotes/', 'tags/'].map((name) => `${asInClone}${name}`)
      const listed = await git([...at, 'for-each-ref', format, ...below])
      const target = ` ${asInClone}remotes/origin/${branch}`
      const lines = listed
        .split('\n')
        .map((line) => (line.endsWith(target) ? `${tip}${target}` : line))
        .map((line) => line.replace(` ${asInClone}`, ' refs/'))
      return `# pack-refs with: sorted \n${lines.join('\n')}`
    })
  }

  /** Keeps a commit from being removed. */
  async keep(ref: string, commit: Oid): Promise<void> {
    await this.#git(['update-ref', ref, commit])
  }

  /** Keeps no head but these. No object is removed, so one that is named again is there. */
  async keepOnly(heads: ReadonlySet<Oid>): Promise<void> {
    const kept = linesOf(await this.#git(['for-each-ref', '--format=%(refname)', keptHeads]))
    const gone = kept.filter((ref) => !heads.has(ref.slice(keptHeads.length)))
    if (gone.length === 0) return
    const input = gone.map((ref) => `delete ${ref}\n`).join('')
    await git(['--git-dir', this.folder, 'update-ref', '--stdin'], { input })
  }

  /** Commits on top of `tip`, or the conflict that is in the way. */
  compose(
    tip: Oid,
    snapshots: readonly SnapshotToCommit[],
    method: MergeMethod,
    landed: LandedHeads = null,
  ): Promise<Composed> {
    const asked = { tip, snapshots, method, landed }
    return this.#alone(async () => {
      const known = this.#memo.known(asked)
      if (known) return known
      await this.#fetchMissing(tip, snapshots)
      const made = await compose(this.folder, tip, snapshots, method, { landed, memo: this.#memo })
      this.#memo.keep(asked, made)
      return made
    })
  }

  /** A commit with the files of another one, on top of it. */
  repeated(commit: Oid, message: string): Promise<Oid> {
    return this.#alone(async () => {
      const { tree, second } = await groundAt(this.folder, commit)
      const date = `${second} +0000`
      return commitTree(this.folder, { tree, parents: [commit], message, author: committer, date })
    })
  }

  /** Pushes to the target branch, and says what became of it. */
  async land(landing: Landing): Promise<Landed> {
    const landed = await this.#pushing((repositories) => land(repositories, landing))
    if (landed.is === 'landed') this.#pack()
    return landed
  }

  /** Removes the heads of a merge that was found on the branch. */
  removeHeads(heads: Landing['heads']): Promise<void> {
    return this.#pushing((repositories) => removeHeads(repositories, { heads }))
  }

  #pushing<Result>(work: (repositories: Repositories) => Promise<Result>): Promise<Result> {
    const timeoutMs = this.#pushTimeoutMs
    return this.#alone(async () => work({ ...(await this.#copy()), timeoutMs }))
  }

  /** Writes a branch, `over`: if it holds that commit. Returns why the repository refuses it; null: it does not. */
  place(ref: string, commit: Oid, over?: Oid): Promise<string | null> {
    const how = over === undefined ? '--force' : `--force-with-lease=${ref}:${over}`
    return this.#push(how, [`${commit}:${ref}`])
  }

  /** Removes branches; those that are gone already are no fault. Returns like `place`. */
  async remove(refs: readonly string[]): Promise<string | null> {
    const there = await this.readRefs(refs)
    const found = refs.filter((ref) => there.has(ref))
    return found.length === 0 ? null : this.#push('--delete', found)
  }

  #push(how: string, specs: readonly string[]): Promise<string | null> {
    return this.#alone(async () => {
      const push = ['push', '--porcelain', how, this.#url, ...specs]
      const pushed = await runGit(['--git-dir', this.folder, ...push], {
        env: await this.#access(),
        signal: this.#stopping.signal,
      })
      return pushed.code === 0 ? null : refusalIn(pushed)
    })
  }

  /** What was pushed to a branch between two commits. */
  async changesOf(from: Oid, to: Oid): Promise<Changes> {
    if (!(await this.isAncestor(from, to))) return { commits: [], isDescendant: false }
    const commits = await this.#alone(() => branchCommits(this.folder, from, to))
    return { commits, isDescendant: true }
  }

  /** All commits that some have and another one has not, also those of merged branches: each before what it is built on. */
  async reached(from: Oid, to: readonly Oid[]): Promise<ReadonlySet<Oid>> {
    // Another server may have worked on the repository until now.
    await this.#alone(() => this.#fetchMissing(from))
    const text = await this.#git(['rev-list', '--topo-order', ...to, `^${from}`])
    return new Set(linesOf(text))
  }

  /** The commits of a branch whose message says that they are a pull request, newest first. */
  landingsOf(number: number, tip: Oid): Promise<Oid[]> {
    return this.#alone(() => landingsOf(this.folder, number, tip))
  }

  async isAncestor(ancestor: Oid, commit: Oid): Promise<boolean> {
    return contains(this.folder, commit, ancestor)
  }

  /** True if a commit is, in its files, nothing but these pull requests on top of another one. */
  async isMadeOf(commit: Oid, onto: Oid, snapshots: readonly SnapshotToCommit[]): Promise<boolean> {
    const made = await this.compose(onto, snapshots, 'squash')
    const last = 'commits' in made ? made.commits.at(-1) : undefined
    if (last === undefined) return false
    return this.#alone(() => haveSameTree(this.folder, commit, last))
  }

  /** Title, body and author of a commit. */
  async describe(commit: Oid): Promise<Described> {
    const text = await this.#git(['log', '-1', '--format=%an%x00%ae%x00%s%x00%b', commit])
    const [name = '', email = '', title = '', body = ''] = text.split('\0')
    return { title, body: body.trim(), author: { name, email } }
  }

  /** The description of what a branch adds to others, if nobody has described it: of one commit its body, of more all their messages. */
  async descriptionOf(head: Oid, [target, ...others]: readonly [Oid, ...Oid[]]): Promise<string> {
    await this.#alone(() => this.#fetchMissing(target))
    const without = [target, ...others].map((commit) => `^${commit}`)
    const args = ['log', ...oldestFirst, '--no-merges', '--format=%B%x00', head, ...without]
    const messages = (await this.#git(args)).split('\0').slice(0, -1)
    return messages.length > 1 ? descriptionOf(messages) : (await this.describe(head)).body
  }

  /** The tree of a commit, which two commits with the same files share. */
  async treeOf(commit: Oid): Promise<Oid> {
    return (await this.#git(['rev-parse', `${commit}^{tree}`])).trim()
  }

  /**
   * The paths that a pull request changes, compared with where it left the branch. A renamed file is two
   * paths: the one that is gone counts too.
   */
  async changedPaths(base: Oid, head: Oid): Promise<string[]> {
    const text = await this.#git(['diff', '--name-only', '--no-renames', '-z', `${base}...${head}`])
    return text.split('\0').filter((path) => path !== '')
  }

  async #fetchMissing(tip: Oid, snapshots: readonly SnapshotToCommit[] = []): Promise<void> {
    await fetchMissing(await this.#copy(), { tip, snapshots })
  }

  async #copy(): Promise<Copy> {
    const { signal } = this.#stopping
    return { folder: this.folder, url: this.#url, env: await this.#access(), signal }
  }

  #git(args: readonly string[]): Promise<string> {
    return this.#alone(() => git(['--git-dir', this.folder, ...args]))
  }

  /** One call after the other, also of queues that share the mirror. */
  #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const heal = async (): Promise<Result> => {
      if (this.#isClosed) throw new GitFailed('the copy of the repository is closed')
      // Else a part of a folder that was moved would be made again, where nobody looks for it.
      const place = dirname(dirname(this.folder))
      if (!existsSync(place)) throw new GitFailed(`the folder ${place} is gone`)
      if (this.#isDamaged) {
        await makeAnew(await this.#copy())
        this.#packedRefs.clear()
        this.#memo.clear()
      }
      this.#isDamaged = false
      makeSound(this.folder)
      if (this.#mayBeLocked) removeLocks(this.folder)
      this.#mayBeLocked = false
      return work()
    }
    const next = this.#last.then(heal, heal)
    this.#last = next.catch(() => void (this.#mayBeLocked = true))
    return next
  }
}
