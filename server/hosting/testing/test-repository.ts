/** A bare repository whose refs a test moves as people do. */

import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { git, type Oid } from '../../git/git.ts'
import { begin, makeBare, refIn, refsIn, write } from '../../git/testing/commits.ts'

/** The text of each changed file; null: it is removed. */
export type Files = Readonly<Record<string, string | null>>

/**
 * The tests: they fail while the folder `broken` exists. With a file `flaky` the first run of a batch
 * that begins with pull request 1 fails too.
 */
const tests = `[ -d broken ] && { echo "FAILED $(ls broken)"; exit 1; }
case "$MERGEYARD_PULLS" in 1,*) [ -f flaky ] && mkdir "$FLAKED" 2>/dev/null && exit 1;; esac
exit 0
`

/** A merge as the button of a host makes it: of a head, on a tip. */
export type ButtonMerge = {
  readonly method: 'merge' | 'squash' | 'rebase'
  readonly head: Oid
  readonly tip: Oid
  /** The message of the commit; those of a rebase keep their own. */
  readonly text: string
  readonly author: string
  /** The second of each commit that is made. */
  readonly second: () => number
}

export class TestRepository {
  readonly path: string
  #minute = 0
  /** Which commits are reachable from which, as far as it was asked: it never changes. */
  readonly #reachable = new Map<string, Promise<boolean>>()

  constructor(path: string) {
    this.path = path
  }

  /** Makes the repository; its branch `main` has one commit. */
  async make(files: Files = {}): Promise<void> {
    makeBare(this.path, '[uploadpack]\n\tallowAnySHA1InWant = true\n')
    await this.commit('refs/heads/main', { 'test.sh': tests, 'line.txt': 'old\n', ...files }, null)
  }

  /** Sets a ref to a new commit on top of another one, and returns the commit. */
  async commit(ref: string, files: Files, from: string | null = 'main'): Promise<Oid> {
    const title = `Change ${Object.keys(files).join(' ')}`
    const at = begin + 60 * this.#minute++
    const [made = ''] = await write(this.path, {
      ref,
      files,
      title,
      at,
      ...(from !== null && { from }),
    })
    return made
  }

  /** Merges a commit into `main` as a person does: with a message of their own, and other changes. */
  async mergeByHand(head: Oid, changes: Files = {}): Promise<Oid> {
    const merged = await this.git(['merge-tree', '--write-tree', 'main', head])
    const tree = await this.#treeWith(merged, changes)
    const parents = [await this.oidOf('main'), head]
    return this.commitTree('refs/heads/main', tree, parents, 'By hand')
  }

  /** Sets a ref to a new commit with the files of a tree or a commit, and returns it. */
  async commitTree(
    ref: string,
    tree: string,
    parents: readonly string[],
    message: string,
  ): Promise<Oid> {
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
    const below = parents.flatMap((parent) => ['-p', parent])
    const made = ['commit-tree', `${tree}^{tree}`, ...below, '-m', message]
    const commit = await this.git([...who, ...made])
    await this.set(ref, commit)
    return commit
  }

  async #treeWith(tree: Oid, changes: Files): Promise<Oid> {
    let listing = await this.git(['ls-tree', tree])
    for (const [path, text] of Object.entries(changes)) {
      const blob = await this.git(['hash-object', '-w', '--stdin'], text ?? '')
      listing += `\n100644 blob ${blob}\t${path}`
    }
    return this.git(['mktree'], `${listing}\n`)
  }

  /** Makes the commits of a merge button, and returns the last one. */
  async mergeByButton(merge: ButtonMerge): Promise<Oid> {
    const { method, head, tip, text } = merge
    if (method !== 'rebase') {
      const tree = await this.#merged(tip, head)
      const parents = method === 'merge' ? ['-p', tip, '-p', head] : ['-p', tip]
      return this.#commitBy(merge, [tree, ...parents, '-m', text])
    }
    const range = ['rev-list', '--reverse', '--no-merges', head, `^${tip}`]
    let last = tip
    for (const each of (await this.git(range)).split('\n')) {
      // As if the commit below it had the tree of the branch: what differs is the change itself.
      const base = await this.#commitBy(merge, [`${last}^{tree}`, '-p', `${each}^`, '-m', 'base'])
      const words = await this.git(['log', '-1', '--format=%B', each])
      const tree = await this.#merged(base, each)
      last = await this.#commitBy(merge, [tree, '-p', last, '-m', words])
    }
    return last
  }

  async #merged(ours: Oid, theirs: Oid): Promise<Oid> {
    const text = await this.git(['merge-tree', '--write-tree', ours, theirs])
    return text.split('\n')[0] ?? ''
  }

  async #commitBy({ author, second }: ButtonMerge, args: readonly string[]): Promise<Oid> {
    const who = { NAME: author, EMAIL: `${author}@example.com`, DATE: `${second()} +0000` }
    const env = Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((role) =>
        Object.entries(who).map(([name, value]) => [`GIT_${role}_${name}`, value]),
      ),
    )
    return (await git(['--git-dir', this.path, 'commit-tree', ...args], { env })).trim()
  }

  /** True if a commit is on a branch that has this tip; a commit that is not here is on none. */
  async isReachable(commit: Oid, tip: Oid): Promise<boolean> {
    const key = `${commit} from ${tip}`
    const known = this.#reachable.get(key) ?? this.#isReachable(commit, tip)
    this.#reachable.set(key, known)
    return known
  }

  async #isReachable(commit: Oid, tip: Oid): Promise<boolean> {
    const type = await this.git(['cat-file', '--batch-check=%(objecttype)'], `${commit}\n`)
    if (type !== 'commit') return false
    return (await this.git(['rev-list', '--count', commit, `^${tip}`])) === '0'
  }

  /** The date of its author, in seconds. */
  async writtenAt(commit: Oid): Promise<number> {
    return Number(await this.git(['log', '-1', '--format=%at', commit]))
  }

  async set(ref: string, commit: Oid): Promise<void> {
    if (!this.#wrote(ref, commit)) await this.git(['update-ref', ref, commit])
  }

  /** Writes a ref as git does, with a lock. False: another one holds the lock, or git must resolve the commit. */
  #wrote(ref: string, commit: Oid): boolean {
    if (!ref.startsWith('refs/') || !/^[0-9a-f]{40}$/.test(commit)) return false
    const path = join(this.path, ref)
    try {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(`${path}.lock`, `${commit}\n`, { flag: 'wx' })
    } catch {
      return false
    }
    renameSync(`${path}.lock`, path)
    return true
  }

  async remove(ref: string): Promise<void> {
    await this.git(['update-ref', '-d', ref])
  }

  async oidOf(name: string): Promise<Oid> {
    const ref = name.startsWith('refs/') ? name : `refs/heads/${name}`
    return refIn(this.path, ref) ?? this.git(['rev-parse', name])
  }

  /** The names of all refs. */
  refs(): string[] {
    return [...refsIn(this.path).keys()]
  }

  /** The commits of a branch after the first one, oldest first: the pull requests in the trailers. */
  async landed(branch = 'main'): Promise<string[]> {
    const format = '--format=#%(trailers:key=Mergeyard-Pull,valueonly,separator=%x2C)'
    const text = await this.git(['log', '--first-parent', '--reverse', format, branch])
    return text
      .split('\n')
      .slice(1)
      .map((line) => line.slice(1))
  }

  /** The files of a commit. */
  async files(name = 'main'): Promise<string[]> {
    const text = await this.git(['ls-tree', '-r', '--name-only', name])
    return text.split('\n')
  }

  async text(path: string, name = 'main'): Promise<string> {
    return this.git(['show', `${name}:${path}`])
  }

  /** A program that git runs at each push. */
  hook(name: 'pre-receive' | 'post-receive', text: string): void {
    mkdirSync(join(this.path, 'hooks'), { recursive: true })
    const path = join(this.path, 'hooks', name)
    writeFileSync(path, `#!/bin/sh\n${text}\n`)
    chmodSync(path, 0o755)
  }

  removeHook(name: 'pre-receive' | 'post-receive'): void {
    rmSync(join(this.path, 'hooks', name), { force: true })
  }

  /** Makes the repository unreachable. */
  hide(): void {
    renameSync(this.path, `${this.path}.hidden`)
  }

  show(): void {
    renameSync(`${this.path}.hidden`, this.path)
  }

  async git(args: readonly string[], input = ''): Promise<string> {
    const text = await git(['--git-dir', this.path, ...args], { input })
    return text.trim()
  }
}
