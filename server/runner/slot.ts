/**
 * A kept work tree: making one takes seconds in a large repository, and resetting it a part of one. Folders
 * that the configuration names survive, for example `node_modules`.
 */

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git } from '../git/git.ts'

export type SlotOptions = {
  /** The objects of this repository are used, not copied. */
  readonly mirror: string
  /** Ignored files and folders that stay. */
  readonly keep: readonly string[]
  /** The setup runs again when one of these files has changed. */
  readonly setupWhen: readonly string[]
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
    const { mirror, keep } = this.#options
    const dot = join(this.folder, '.git')
    if (!existsSync(join(dot, 'HEAD'))) {
      rmSync(this.folder, { recursive: true, force: true })
      mkdirSync(this.folder, { recursive: true })
      await git(['init', '--quiet', this.folder])
      writeFileSync(join(dot, 'objects', 'info', 'alternates'), `${join(mirror, 'objects')}\n`)
    }
    for (const lock of ['index.lock', 'HEAD.lock']) rmSync(join(dot, lock), { force: true })
    rmSync(this.home, { recursive: true, force: true })
    mkdirSync(join(this.home, 'tmp'), { recursive: true })
    const at = ['-C', this.folder]
    await git([...at, 'checkout', '--quiet', '--force', '--detach', commit])
    await git([...at, 'clean', '-ffdxq', ...keep.flatMap((path) => ['-e', path])])
  }

  /** True if the setup has not succeeded for the files as they are now. */
  get needsSetup(): boolean {
    return !existsSync(this.#stamp) || readFileSync(this.#stamp, 'utf8') !== this.#fingerprint()
  }

  setupBegins(): void {
    rmSync(this.#stamp, { force: true })
  }

  setupSucceeded(): void {
    writeFileSync(this.#stamp, this.#fingerprint())
  }

  #fingerprint(): string {
    const hash = createHash('sha256')
    for (const name of this.#options.setupWhen) {
      const path = join(this.folder, name)
      hash.update(`${name}\0`).update(existsSync(path) ? readFileSync(path) : 'none')
    }
    return hash.digest('hex')
  }
}
