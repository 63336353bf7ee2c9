/** Damaged objects of a mirror: what git says about them, and how the mirror is made anew. */

import {
  existsSync,
  renameSync,
  rmSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pathsBelow } from '../files/paths.ts'
import { keptHeads } from './compose.ts'
import {
  defaultTimeoutMs,
  failure,
  fetching,
  git,
  GitFailed,
  linesOf,
  runGit,
  type Copy,
  type Oid,
} from './git.ts'

/** Words of git about an object that it should have and cannot read. */
const damaged = [
  /object file .* is empty/,
  /is corrupt\b/,
  /corrupt (?:loose|packed) object/,
  /[Cc]ould not read [0-9a-f]{40}/,
  /unable to (?:read|unpack|parse)\b/,
  /[Bb]ad (?:tree |blob )?object\b/,
  /missing (?:commit|tree|blob|object)/,
  /invalid object\b/,
  /failed to unpack tree object/,
  /not something we can merge/,
  /Not a valid (?:commit|object) name/,
  /hash mismatch/,
  /inflate: data stream error/,
  /\.(?:pack|idx)\b.*(?:too small|too short|truncated|does not match|cannot be accessed)/,
]

/** True if a fault comes from the objects of the mirror. What the other side says is not about them. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof GitFailed)) return false
  const lines = error.message.split('\n').filter((line) => !/(?:^|: )remote:/.test(line))
  return lines.some((line) => damaged.some((words) => words.test(line)))
}

/** All of a large repository takes longer than what is new. */
export const fetchTimeoutMs = 30 * 60_000

/** How long a fetch into a copy may take: an empty one gets all of the repository. */
export function fetchTimeoutIn(folder: string): number {
  const objects = join(folder, 'objects')
  const packs = join(objects, 'pack')
  const isPacked = existsSync(packs) && readdirSync(packs).some((name) => name.endsWith('.pack'))
  const isEmpty = !isPacked && readdirSync(objects).every((name) => name.length > 2)
  return isEmpty ? fetchTimeoutMs : defaultTimeoutMs
}
const branches = 'refs/mergeyard/branches/'

/**
 * Makes the mirror anew beside the damaged one, and puts it in its place when all is there that can be had.
 * A kept head is taken from the damaged one, if it can still be read there: it may have been force-pushed away.
 */
export async function makeAnew(copy: Copy): Promise<void> {
  const { folder, url, env, signal } = copy
  const made = `${folder}.new`
  const inMade = (args: readonly string[], input = ''): Promise<string> =>
    git(['--git-dir', made, ...args], { input })
  rmSync(made, { recursive: true, force: true })
  makeSound(made)
  // As refs for a while, so that only what is missing is read from the damaged mirror.
  const all = fetching({ folder: made, url }, `refs/heads/*:${branches}*`)
  await git(all, { env, signal, timeoutMs: fetchTimeoutMs })
  const heads = await keptIn(folder)
  const commits = heads.map(({ commit }) => commit)
  const damagedThere = await notFetched({ folder: made, url: folder, env: {} }, commits)
  const lost = new Set(await notFetched({ ...copy, folder: made }, damagedThere))
  const had = heads.filter(({ commit }) => !lost.has(commit))
  await inMade(
    ['update-ref', '--stdin'],
    had.map(({ ref, commit }) => `update ${ref} ${commit}\n`).join(''),
  )
  const listed = await inMade(['for-each-ref', '--format=delete %(refname)', branches])
  await inMade(['update-ref', '--stdin'], listed)
  rmSync(folder, { recursive: true, force: true })
  renameSync(made, folder)
}

/**
 * Fetches commits, and returns those that cannot be had. One of them stops all others of its fetch, so they are
 * fetched in halves: a request for each would take hours where there are very many.
 */
async function notFetched(copy: Copy, commits: readonly Oid[]): Promise<readonly Oid[]> {
  if (commits.length === 0) return []
  const { env, signal } = copy
  const input = `${commits.join('\n')}\n`
  const args = fetching(copy, '--stdin')
  const { code } = await runGit(args, { env, signal, input, timeoutMs: fetchTimeoutMs })
  if (code === 0) return []
  if (commits.length === 1) return commits
  const half = commits.length >> 1
  const first = await notFetched(copy, commits.slice(0, half))
  return [...first, ...(await notFetched(copy, commits.slice(half)))]
}

async function keptIn(folder: string): Promise<{ ref: string; commit: Oid }[]> {
  if (!existsSync(folder)) return []
  const format = '--format=%(objectname) %(refname)'
  const { stdout } = await runGit(['--git-dir', folder, 'for-each-ref', format, keptHeads])
  return linesOf(stdout).map((line) => {
    const [commit = '', ref = ''] = line.split(' ')
    return { ref, commit }
  })
}

// Gets the commits that a composition needs, if the mirror does not have them.

/** The frozen head of a pull request is in no repository any more. */
export class HeadGone extends GitFailed {
  readonly number: number

  constructor(number: number, head: Oid) {
    super(
      `pull request ${number} cannot be composed: its head ${head} is not in the repository any more, because somebody has pushed over it`,
    )
    this.number = number
  }
}

type Needed = {
  readonly tip: Oid
  readonly snapshots: readonly { readonly number: number; readonly head: Oid }[]
}

/** Rejects with `HeadGone` if a head cannot be had, and the repository can be reached. */
export async function fetchMissing(copy: Copy, { tip, snapshots }: Needed): Promise<void> {
  const commits = [tip, ...snapshots.map(({ head }) => head)]
  const input = `${commits.join('\n')}\n`
  const check = ['--git-dir', copy.folder, 'cat-file', '--batch-check=%(objecttype)']
  const types = (await git(check, { input })).split('\n')
  const missing = commits.filter((_, index) => types[index] !== 'commit')
  if (missing.length === 0) return
  const args = fetching(copy, ...missing)
  const { env, signal } = copy
  const result = await runGit(args, { env, signal, timeoutMs: fetchTimeoutIn(copy.folder) })
  if (result.code === 0) return
  const failed = failure(args, result)
  // The head may only look as if it was not here.
  if (isDamage(failed)) throw failed
  const gone = snapshots.find(({ head }) => isUnknown(head, result.stderr))
  throw gone ? new HeadGone(gone.number, gone.head) : failed
}

/** In the words of both versions of the protocol, and of a ref whose branch has moved between the poll and the fetch. */
function isUnknown(wanted: string, words: string): boolean {
  const texts = [
    ...['not our ref', 'unadvertised object', "couldn't find remote ref"],
    'nonexistent object',
  ]
  return texts.some((text) => words.includes(`${text} ${wanted}`))
}

/** True if the repository was reached, and does not have this commit or ref. */
export function isNotThere(fault: unknown, wanted: string): boolean {
  if (fault instanceof HeadGone) return true
  return fault instanceof GitFailed && !isDamage(fault) && isUnknown(wanted, fault.message)
}

// The folder of a mirror. Only objects and the refs of the server are believed in it: a test command runs as
// the same user, and what it writes there must neither run a program nor decide what git does.

const files = {
  // A branch that is never there: some versions of git would read attributes from it.
  HEAD: 'ref: refs/heads/none\n',
  config: '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n',
} as const

const kept: ReadonlySet<string> = new Set(['HEAD', 'config', 'objects', 'refs', 'packed-refs'])

/** Makes a bare repository, or makes it again what it was: settings, hooks and attributes of others go. */
export function makeSound(folder: string): void {
  makeFolder(folder)
  for (const name of readdirSync(folder)) {
    if (!kept.has(name)) rmSync(join(folder, name), { recursive: true, force: true })
  }
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    if (isFile(path) && readFileSync(path, 'utf8') === text) continue
    rmSync(path, { recursive: true, force: true })
    writeFileSync(path, text)
  }
  for (const name of ['objects', 'refs']) makeFolder(join(folder, name))
  // Alternates, and graphs of commits.
  rmSync(join(folder, 'objects/info'), { recursive: true, force: true })
  for (const name of readdirSync(join(folder, 'refs'))) {
    if (name !== 'mergeyard') rmSync(join(folder, 'refs', name), { recursive: true, force: true })
  }
}

/** A lock that a killed git has left would stop every later change of its ref. */
export function removeLocks(folder: string): void {
  const refs = join(folder, 'refs')
  // A git of a killed server may still remove files.
  for (const name of pathsBelow(refs)) {
    if (name.endsWith('.lock')) rmSync(join(refs, name), { force: true })
  }
}

/** A link is removed and not followed. */
function makeFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  rmSync(path, { force: true })
  mkdirSync(path, { recursive: true })
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
