/**
 * What may stay of the last run: files that nobody has touched since the server, or the setup, wrote them. The time
 * of the last change of a file (ctime) is set by the kernel, so a command can make it later, and never earlier. Only a
 * system time that is set back does that.
 */

import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
} from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Oid } from '../git/git.ts'
import { pathFilter } from '../files/path-filter.ts'
import { filesOf } from '../git/objects.ts'

/** A slot that cannot be emptied: the runner takes another one. */
export class SlotStuck extends Error {
  override readonly name = 'SlotStuck'
}

/** Milliseconds, on the clock of the file system. */
export type Mark = number

/** The kernel tells the time in steps of up to ten milliseconds. */
const stepsMs = 20

/** The clock of the file system. */
export class FileClock {
  readonly #read: FileTime
  #marked = { at: 0, elapsedMs: 0 }

  constructor(read: FileTime) {
    this.#read = read
  }

  /** Everything that was written before is older than the mark, and what is written later is not. */
  async mark(folder: string): Promise<Mark> {
    const first = this.#read(folder)
    for (;;) {
      const at = this.#read(folder)
      this.#marked = { at, elapsedMs: performance.now() }
      if (at !== first) return at
      await setTimeout(1)
    }
  }

  /** True: what was written since the last mark may seem older than it. */
  wasSetBack(folder: string): boolean {
    const { at, elapsedMs } = this.#marked
    const passedMs = performance.now() - elapsedMs
    return this.#read(folder) - at < passedMs - stepsMs
  }
}

/** The time of a change that is made in a folder. */
export type FileTime = (folder: string) => Mark

export const touched: FileTime = (folder) => {
  const { mode } = lstatSync(folder)
  chmodSync(folder, mode & 0o7777)
  return lstatSync(folder).ctimeMs
}

export type IsKept = (path: string) => boolean

/** As git reads such names: without a slash in the middle, they are meant at any depth. */
export function keptBy(keep: readonly string[]): IsKept {
  const patterns = keep.map((written) => {
    const pattern = written.replace(/^\//, '').replace(/\/$/, '')
    return pattern.includes('/') || written.startsWith('/') ? pattern : `**/${pattern}`
  })
  return pathFilter(patterns)
}

type State = 'whole' | 'partly' | 'nothing'

export type Left = {
  /** Untouched files outside of kept folders. */
  readonly files: number
  /** Paths, outside of kept folders and in them, that cannot be moved as a whole. */
  readonly states: ReadonlyMap<string, State>
  /** The kept folders. */
  readonly kept: ReadonlyMap<string, State>
  /** The same as long as nothing that was in the kept folders is changed or gone. */
  readonly keptDigest: string
}

type Marks = { readonly tree: Mark; readonly kept: Mark }

const entriesInSlice = 500

/** Looks through a tree, in slices. Attributes of git are never left: they say what the other files must be. */
export function* lookThrough(root: string, marks: Marks, isKept: IsKept): Generator<void, Left> {
  const states = new Map<string, State>()
  const kept = new Map<string, State>()
  const lines: string[] = []
  let files = 0
  let seen = 0

  function* stateOf(path: string, isInKept: boolean): Generator<void, State> {
    if (++seen % entriesInSlice === 0) yield
    const stat = lstatSync(join(root, path))
    const isTouched = stat.ctimeMs >= (isInKept ? marks.kept : marks.tree)
    let state: State = isTouched ? 'nothing' : 'whole'
    if (stat.isDirectory()) {
      const inside = yield* whatIsIn(path, isInKept)
      if (state === 'whole') state = inside === 'all' ? 'whole' : 'partly'
      else if (inside !== 'none') state = 'partly'
    } else if (!isInKept && state === 'whole') files++
    if (isInKept && state !== 'nothing') lines.push(`${stat.isDirectory() ? 'd' : 'f'} ${path}`)
    if (state !== 'whole') states.set(path, state)
    return state
  }

  function* whatIsIn(path: string, isInKept: boolean): Generator<void, 'all' | 'some' | 'none'> {
    let isAll = true
    let isSome = false
    for (const name of readdirSync(join(root, path))) {
      const child = path === '' ? name : `${path}/${name}`
      if (child === '.git') continue
      if (!isInKept && isKept(child)) {
        kept.set(child, yield* stateOf(child, true))
        // It is moved by itself, or not at all.
        states.set(child, 'nothing')
        isAll = false
        continue
      }
      const isOurs = isInKept || name !== '.gitattributes'
      const state = isOurs ? yield* stateOf(child, isInKept) : 'nothing'
      if (!isOurs) states.set(child, 'nothing')
      if (state !== 'whole') isAll = false
      if (state !== 'nothing') isSome = true
    }
    return isAll ? 'all' : isSome ? 'some' : 'none'
  }

  yield* whatIsIn('', false)
  const keptDigest = createHash('sha256').update(lines.sort().join('\0')).digest('hex')
  return { files, states, kept, keptDigest }
}

type Trees = { readonly from: string; readonly to: string }

/** Moves the untouched files outside of kept folders. */
export function* carryTree(trees: Trees, left: Left): Generator<void> {
  for (const name of readdirSync(trees.from)) {
    if (name !== '.git') yield* move(trees, name, left.states)
  }
}

/** Moves the kept folders, without what was added to them. */
export function* carryKept(trees: Trees, { kept, states }: Left): Generator<void> {
  for (const [path, state] of kept) {
    mkdirSync(join(trees.to, dirname(path)), { recursive: true })
    yield* move(trees, path, new Map([...states, [path, state]]))
  }
}

function* move(trees: Trees, path: string, states: ReadonlyMap<string, State>): Generator<void> {
  const [from, to] = [join(trees.from, path), join(trees.to, path)]
  const state = states.get(path) ?? 'whole'
  if (state === 'nothing') return
  if (state === 'whole') return renameSync(from, to)
  mkdirSync(to, { recursive: true })
  for (const [index, name] of readdirSync(from).entries()) {
    if (index % entriesInSlice === 0) yield
    yield* move(trees, `${path}/${name}`, states)
  }
}

const asidePrefix = 'removed-'

/**
 * Moves the folder of a slot out of the way, beside it, for which a disk without a free inode has room. Returns where it is;
 * null: there was none. Throws `SlotStuck` if it cannot be moved, or something is mounted in it, which must not be removed.
 */
export function putAside(path: string): string | null {
  if (!lstatSync(path, { throwIfNoEntry: false })) return null
  const mounted = mountsBelow(path)
  if (mounted !== null) throw new SlotStuck(`${mounted} is mounted in it: unmount it`)
  const aside = join(dirname(path), `${asidePrefix}${randomUUID()}`)
  try {
    renameSync(path, aside)
    return aside
  } catch (error) {
    throw new SlotStuck(String(error))
  }
}

function mountsBelow(path: string): string | null {
  if (!existsSync('/proc/self/mountinfo')) return null
  const points = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .map((point) =>
      point.replaceAll(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8))),
    )
  return points.find((point) => point === path || point.startsWith(`${path}/`)) ?? null
}

/** Permissions of folders only: a file may have another name outside of the slot. */
const removal = `rm -rf -- "$0" 2> /dev/null || {
  find "$0" -type d ! -perm -700 -exec chmod u+rwx {} \\; 2> /dev/null
  rm -rf -- "$0" 2>&1 | sed -n 1p
}`

/** Removes what was put aside, while the server answers. Returns why something is left; null: nothing is. */
export async function remove(aside: string): Promise<string | null> {
  const words = await promisify(execFile)('/bin/sh', ['-c', removal, aside]).then(
    ({ stdout }) => stdout.trimEnd(),
    (error: unknown) => String(error),
  )
  if (!existsSync(aside)) return null
  return `${basename(aside)} cannot be removed, so it takes room: ${words}`
}

/**
 * Removes what a server that was killed had put aside below a folder; with `all` its slots, too. Returns words about each
 * that is left.
 */
export async function removeLeftovers(slots: string, { all = false } = {}): Promise<string[]> {
  const left: string[] = []
  for (const name of readdirSync(slots).filter((each) => all || each.startsWith(asidePrefix))) {
    const path = join(slots, name)
    const mounted = mountsBelow(path)
    const words =
      mounted === null ? await remove(path) : `${mounted} is mounted in ${name}: unmount it`
    if (words !== null) left.push(words)
  }
  return left
}

// What the setup depends on, as far as it can be known: it runs again unless all of that is unchanged.

export type Setup = {
  /** The command. */
  readonly text: string
  readonly keep: readonly string[]
  /** More files, folders or patterns. */
  readonly when: readonly string[]
}

/** Files that name each dependency with its version. */
const lockFiles: Readonly<Record<string, readonly string[]>> = {
  npm: ['package-lock.json', 'npm-shrinkwrap.json'],
  yarn: ['yarn.lock'],
  pnpm: ['pnpm-lock.yaml'],
  bun: ['bun.lock', 'bun.lockb'],
  pip: ['requirements.txt', 'constraints.txt', 'pylock.toml', 'Pipfile.lock'],
  poetry: ['poetry.lock'],
  uv: ['uv.lock'],
  go: ['go.sum', 'go.work.sum'],
  cargo: ['Cargo.lock'],
  bundler: ['Gemfile.lock', 'gems.locked'],
  composer: ['composer.lock'],
}

/** They change what an installation does, but do not name all versions. */
const manifests = [
  ...['package.json', '.npmrc', '.yarnrc.yml', 'pnpm-workspace.yaml', 'bunfig.toml', '.nvmrc'],
  ...['pyproject.toml', 'Pipfile', 'go.mod', 'go.work', 'Cargo.toml', 'Gemfile', 'composer.json'],
]

const locks = new Set(Object.values(lockFiles).flat())
const others = new Set(manifests)

export type SetupInputs = {
  /** The same for the same inputs. */
  readonly digest: string
  /** False: no lock file and no file of `when` is there, so nobody knows what the setup reads. */
  readonly isKnown: boolean
}

/** The inputs of the setup in a commit. Lock files count wherever they are, and files that the command names. */
export async function setupInputs(
  repository: string,
  commit: Oid,
  { text, keep, when }: Setup,
): Promise<SetupInputs> {
  const files = await filesOf(repository, commit)
  const isWanted = pathFilter(when.flatMap(orBelow))
  const named = new Set(text.split(/[\s;&|()<>"'`=$]+/).map((word) => posix.basename(word)))
  let isKnown = false
  const found: string[] = []
  for (const [path, blob] of files) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const decides = locks.has(name) || isWanted(path)
    if (decides) isKnown = true
    if (decides || others.has(name) || named.has(name)) found.push(`${path} ${blob}`)
  }
  const digest = createHash('sha256').update(JSON.stringify([text, keep, when, found.sort()]))
  return { digest: digest.digest('hex'), isKnown }
}

function orBelow(written: string): string[] {
  const pattern = written.replace(/^\.?\//, '').replace(/\/$/, '')
  return [pattern, `${pattern}/**`]
}

/** For people, at the start: when the setup runs. */
export function watchedWords({ text, when }: Pick<Setup, 'text' | 'when'>): string {
  const more = when.length === 0 ? '' : `, ${when.join(', ')}`
  const tools = Object.keys(lockFiles).join(', ')
  return `the setup "${text}" runs again when a lock file (${tools}), a manifest or a file that it names changes${more}; each time if a commit has no lock file${more === '' ? ': name its inputs with --setup-when' : ' and none of these'}`
}
