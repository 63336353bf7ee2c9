/** Damaged objects of a mirror: what git says about them, and how the mirror is made anew. */

import { existsSync, renameSync, rmSync } from 'node:fs'
import { makeSound } from './bare.ts'
import { keptHeads } from './compose.ts'
import { git, GitFailed, runGit, type Oid } from './git.ts'

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

type Env = Readonly<Record<string, string>>

type Repositories = {
  readonly folder: string
  readonly url: string
  /** Variables with which git reaches the repository. */
  readonly env: Env
}

const quietly = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance']

/** All of a large repository takes longer than what is new. */
export const fetchTimeoutMs = 30 * 60_000
const branches = 'refs/mergeyard/branches/'

/**
 * Makes the mirror anew beside the damaged one, and puts it in its place when all is there that can be had.
 * A kept head that was force-pushed away is taken from the damaged one, if it can still be read there.
 */
export async function makeAnew({ folder, url, env }: Repositories): Promise<void> {
  const made = `${folder}.new`
  rmSync(made, { recursive: true, force: true })
  makeSound(made)
  // As refs for a while, so that only what is missing is read from the damaged mirror.
  const all = ['fetch', ...quietly, url, `refs/heads/*:${branches}*`]
  await git(['--git-dir', made, ...all], { env, timeoutMs: fetchTimeoutMs })
  for (const { ref, commit } of await keptIn(folder)) {
    const isThere =
      (await canFetch(made, url, commit, env)) || (await canFetch(made, folder, commit))
    if (isThere) await git(['--git-dir', made, 'update-ref', ref, commit])
  }
  const listing = ['for-each-ref', '--format=delete %(refname)', branches]
  const input = await git(['--git-dir', made, ...listing])
  await git(['--git-dir', made, 'update-ref', '--stdin'], { input })
  rmSync(folder, { recursive: true, force: true })
  renameSync(made, folder)
}

async function keptIn(folder: string): Promise<{ ref: string; commit: Oid }[]> {
  if (!existsSync(folder)) return []
  const format = '--format=%(objectname) %(refname)'
  const args = ['--git-dir', folder, 'for-each-ref', format, keptHeads]
  const { stdout } = await runGit(args)
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => line.split(' ')).map(([commit = '', ref = '']) => ({ ref, commit }))
}

async function canFetch(
  repository: string,
  from: string,
  commit: Oid,
  env: Env = {},
): Promise<boolean> {
  const args = ['--git-dir', repository, 'fetch', ...quietly, from, commit]
  return (await runGit(args, { env })).code === 0
}
