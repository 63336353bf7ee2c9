/**
 * A kept work tree: making one takes seconds in a large repository, and resetting it a part of one. Folders
 * that the configuration names survive, for example `node_modules`.
 */

import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git } from '../git/git.ts'

export type SlotOptions = {
  /** The objects of this repository are used, not copied. */
  readonly mirror: string
  /** Ignored files and folders that stay. */
  readonly keep: readonly string[]
  /** The setup runs again when one of these files has changed. */
  readonly setupWhen: readonly string[]
  readonly setup: string | null
}

export class Slot {
  readonly folder: string
  /** Home and temporary folder of the commands, outside of the work tree. */
  readonly home: string
  readonly #stamp: string
  readonly #options: SlotOptions

  constructor(path: string, options: SlotOptions) {
    this.folder = join(path, 'tree')
    this.home = join(path, 'home')
    this.#stamp = join(path, 'setup')
    this.#options = options
  }

  /** Makes the work tree hold a commit, and nothing that an earlier run has left. */
  async reset(commit: string): Promise<void> {
    rmSync(this.home, { recursive: true, force: true })
    mkdirSync(join(this.home, 'tmp'), { recursive: true })
    const isThere = existsSync(join(this.folder, '.git', 'HEAD'))
    if (!isThere) await this.#make()
    try {
      await this.#checkOut(commit)
    } catch (error) {
      if (!isThere) throw error
      // A test can damage the work tree.
      await this.#make()
      await this.#checkOut(commit)
    }
  }

  async #make(): Promise<void> {
    rmSync(this.#stamp, { force: true })
    rmSync(this.folder, { recursive: true, force: true })
    mkdirSync(this.folder, { recursive: true })
    await git(['init', '--quiet', this.folder])
    const alternates = join(this.folder, '.git', 'objects', 'info', 'alternates')
    writeFileSync(alternates, `${join(this.#options.mirror, 'objects')}\n`)
  }

  async #checkOut(commit: string): Promise<void> {
    const dot = join(this.folder, '.git')
    for (const lock of ['index.lock', 'HEAD.lock']) rmSync(join(dot, lock), { force: true })
    const at = ['-C', this.folder]
    await git([...at, 'checkout', '--quiet', '--force', '--detach', commit])
    await this.#clean()
  }

  /** Removes what a run has written, except for what is kept. */
  async clear(): Promise<void> {
    rmSync(this.home, { recursive: true, force: true })
    await this.#clean()
  }

  async #clean(): Promise<void> {
    const kept = this.#options.keep.flatMap((path) => ['-e', path])
    await git(['-C', this.folder, 'clean', '-ffdxq', ...kept])
  }

  /** True if the setup has not succeeded for the files as they are now. */
  needsSetup(): boolean {
    // What it made was removed.
    if (this.#options.keep.length === 0 || !existsSync(this.#stamp)) return true
    return readFileSync(this.#stamp, 'utf8') !== `${this.#inputs()} ${this.#kept()}`
  }

  /** A setup can change its own inputs: those of now count. Returns what to do when it has succeeded. */
  beginSetup(): () => void {
    rmSync(this.#stamp, { force: true })
    const inputs = this.#inputs()
    return () => writeFileSync(this.#stamp, `${inputs} ${this.#kept()}`)
  }

  #inputs(): string {
    const hash = createHash('sha256').update(`${this.#options.setup}\0`)
    for (const name of this.#options.setupWhen) {
      const path = join(this.folder, name)
      hash.update(`${name}\0`).update(isFile(path) ? readFileSync(path) : 'none')
    }
    return hash.digest('hex')
  }

  /** Which of the kept folders there are: a test can remove one. */
  #kept(): string {
    const { keep } = this.#options
    return JSON.stringify(keep.filter((name) => existsSync(join(this.folder, name))))
  }
}

/** A link could lead to a file without an end. */
function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
