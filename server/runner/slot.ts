/**
 * The folder in which commits are tested, one after the other. Before each run the old folder is put aside and a new
 * one is made: a work tree with a git directory and an index of its own. Files that nobody has touched since the
 * server wrote them are moved into it, and their content decides whether they stay. Kept folders are moved if they
 * are as the setup left them. The rest is removed. What a run changes reaches no later one.
 *
 * What is known of a folder is in the memory of this process only: another server makes it anew.
 */

import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contains } from '../git/history.ts'
import { git, type Oid } from '../git/git.ts'
import { inSlices } from '../files/turns.ts'
import {
  setupInputs,
  type SetupInputs,
  carryKept,
  carryTree,
  FileClock,
  keptBy,
  lookThrough,
  putAside,
  remove,
  touched,
  type FileTime,
  type IsKept,
  type Left,
  type Mark,
} from './slot-files.ts'

export type SlotOptions = {
  /** The objects of this repository are used, not copied. */
  readonly mirror: string
  /** The address of the repository, for what is named relative to it, such as submodules. */
  readonly origin?: string
  /** What the setup makes that stays; without a setup nothing does. */
  readonly keep: readonly string[]
  /** The setup runs again when one of these files, folders or patterns has changed, or a lock file. */
  readonly setupWhen: readonly string[]
  /** Runs before the tests. */
  readonly setup: string | null
  /** Called with words about what cannot be removed. */
  readonly onLeftover?: (words: string) => void
  /** With fewer untouched files all are written: that takes no longer. Default: 200. */
  readonly fewestCarried?: number
  /** Default: that of the kernel. */
  readonly fileTime?: FileTime
}

type KeptState = {
  /** The commit on which the setup ran: its code made what is kept. */
  readonly commit: Oid
  readonly inputs: string
  readonly mark: Mark
  readonly digest: string
}

const defaultFewestCarried = 200

/** During the comparison: bytes, without conversions. */
const rawAttributes = '* -text -ident -filter\n'

export class Slot {
  readonly folder: string
  /** Home and temporary folder of the commands, outside of the work tree. */
  readonly home: string
  readonly #path: string
  readonly #options: SlotOptions
  readonly #isKept: IsKept
  readonly #clock: FileClock
  /** When the tree was written; null: nothing in the folder is known. */
  #mark: Mark | null = null
  #tree: string | null = null
  #kept: KeptState | null = null
  #inputs: SetupInputs | null = null
  #commit: Oid = ''
  #needsSetup = true

  constructor(path: string, options: SlotOptions) {
    this.#path = path
    this.folder = join(path, 'tree')
    this.home = join(path, 'home')
    this.#options = options
    this.#clock = new FileClock(options.fileTime ?? touched)
    this.#isKept = keptBy(options.setup === null ? [] : options.keep)
  }

  /**
   * Makes the work tree hold a commit, and nothing that an earlier run has left; `packedRefs` is the text of its
   * branches and tags. Throws `SlotStuck` if the folder cannot be emptied.
   */
  async reset(commit: Oid, packedRefs = ''): Promise<void> {
    const { setup, keep, setupWhen: when, mirror, origin = '' } = this.#options
    const old = putAside(this.#path)
    if (old !== null && this.#clock.wasSetBack(old)) this.#forget()
    const left = old === null ? null : await this.#lookThrough(old)
    this.#mark = null
    this.#commit = commit
    mkdirSync(join(this.home, 'tmp'), { recursive: true })
    mkdirSync(this.folder)
    makeGitFolder(join(this.folder, '.git'), { commit, mirror, packedRefs, origin })
    try {
      this.#inputs =
        setup === null ? null : await setupInputs(mirror, commit, { text: setup, keep, when })
      await this.#fill(commit, old === null || !left ? null : { from: join(old, 'tree'), left })
    } finally {
      if (old !== null) await this.#remove(old)
    }
    this.#tree = identity(this.folder)
    this.#mark = await this.#clock.mark(this.home)
  }

  /** Removes what a run has written, and all else. Throws `SlotStuck` if the folder cannot be emptied. */
  async clear(): Promise<void> {
    this.#forget()
    const old = putAside(this.#path)
    if (old !== null) await this.#remove(old)
  }

  /** True if what the setup makes is not there, or was made from other inputs. */
  get needsSetup(): boolean {
    return this.#needsSetup
  }

  /** True if nobody knows what the setup reads. */
  get hasUnknownInputs(): boolean {
    return this.#inputs?.isKnown === false
  }

  /** False: a command without namespaces has removed or replaced the folders of the run. */
  get isWhole(): boolean {
    try {
      return identity(this.folder) === this.#tree && identity(this.home) !== null
    } catch {
      return false
    }
  }

  /** The setup has succeeded: what it made may stay. */
  async noteSetup(): Promise<void> {
    this.#kept = null
    if (!this.#inputs?.isKnown || this.#options.keep.length === 0) return
    const mark = await this.#clock.mark(this.home)
    const look = lookThrough(this.folder, { tree: mark, kept: mark }, this.#isKept)
    const { kept, keptDigest: digest } = await inSlices(look)
    if (kept.size === 0) return
    this.#kept = { commit: this.#commit, inputs: this.#inputs.digest, mark, digest }
  }

  /** From now on nothing is known of what is in the folder. */
  #forget(): void {
    this.#mark = null
    this.#kept = null
  }

  async #remove(old: string): Promise<void> {
    const words = await remove(old)
    if (words !== null) this.#options.onLeftover?.(words)
  }

  /** Null: nothing in it can be known, for example because a test put a link in its place. */
  async #lookThrough(path: string): Promise<Left | null> {
    const mark = this.#mark
    if (mark === null) return null
    try {
      const tree = join(path, 'tree')
      if (identity(path) === null || identity(tree) !== this.#tree) return null
      return await inSlices(
        lookThrough(tree, { tree: mark, kept: this.#kept?.mark ?? 0 }, this.#isKept),
      )
    } catch {
      return null
    }
  }

  async #fill(commit: Oid, old: { readonly from: string; readonly left: Left } | null) {
    const { folder } = this
    const inTree = (...args: readonly string[]): Promise<string> =>
      git(['-C', folder, '--git-dir', join(folder, '.git'), '--work-tree', folder, ...args])
    await inTree('read-tree', commit)
    this.#needsSetup = true
    const { fewestCarried = defaultFewestCarried } = this.#options
    if (old) {
      const trees = { from: old.from, to: folder }
      if (await this.#canKeep(commit, old.left)) {
        await inSlices(carryKept(trees, old.left))
        this.#needsSetup = false
      }
      if (old.left.files >= fewestCarried) {
        await inSlices(carryTree(trees, old.left))
        await this.#compare(inTree)
      }
    }
    if (this.#needsSetup) this.#kept = null
    await inTree('checkout-index', '--all', '--force', '--index', '--quiet')
  }

  /** What the index then takes as unchanged has the bytes of the commit. */
  async #compare(inTree: (...args: readonly string[]) => Promise<string>): Promise<void> {
    const kept = this.#options.keep.flatMap((path) => ['-e', path])
    await inTree('clean', '-ffdxq', ...kept)
    const attributes = join(this.folder, '.git/info/attributes')
    writeFileSync(attributes, rawAttributes)
    await inTree('update-index', '-q', '--refresh', '--unmerged').catch(() => undefined)
    rmSync(attributes)
    // Their bytes in a clone are others.
    const converted = await inTree('ls-files', '-z', '--', ':(attr:eol=crlf)', ':(attr:ident)')
    for (const path of converted.split('\0').filter((each) => each !== '')) {
      rmSync(join(this.folder, path), { force: true })
    }
  }

  /** Kept folders belong to the history of the commit on which the setup ran, and to its inputs. */
  async #canKeep(commit: Oid, { keptDigest }: Left): Promise<boolean> {
    const kept = this.#kept
    if (!kept || kept.digest !== keptDigest) return false
    if (!this.#inputs?.isKnown || this.#inputs.digest !== kept.inputs) return false
    return contains(this.#options.mirror, commit, kept.commit)
  }
}

/** Null: it is no folder. What takes the place of one can get its number. */
function identity(path: string): string | null {
  const stat = lstatSync(path)
  return stat.isDirectory() ? `${stat.dev}:${stat.ino}` : null
}

type GitFolder = {
  readonly commit: Oid
  readonly mirror: string
  readonly packedRefs: string
  readonly origin: string
}

/** As git makes it, and without reading a template or settings. */
function makeGitFolder(dot: string, { commit, mirror, packedRefs, origin }: GitFolder): void {
  for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'hooks', 'info']) {
    mkdirSync(join(dot, name), { recursive: true })
  }
  const settings = ['repositoryformatversion = 0', 'filemode = true', 'bare = false']
  const remote = [`url = ${JSON.stringify(origin)}`, 'fetch = +refs/heads/*:refs/remotes/origin/*']
  const more = origin === '' ? '' : `[remote "origin"]\n\t${remote.join('\n\t')}\n`
  writeFileSync(join(dot, 'config'), `[core]\n\t${settings.join('\n\t')}\n${more}`)
  const objects = join(mirror, 'objects')
  // Git takes it in quotes too, other programs do not.
  const line = objects.includes('\n') ? JSON.stringify(objects) : objects
  writeFileSync(join(dot, 'objects/info/alternates'), `${line}\n`)
  writeFileSync(join(dot, 'packed-refs'), packedRefs)
  writeFileSync(join(dot, 'HEAD'), `${commit}\n`)
}
