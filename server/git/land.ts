/**
 * Landing: a push with a lease, judged by looking at the branch. The words of a push are not believed:
 * its answer can be lost although it has worked, and git then repeats it and reports a refusal.
 */

import { contains } from './history.ts'
import {
  failure,
  fetching,
  git,
  GitFailed,
  refsOf,
  runGit,
  type Copy,
  type GitResult,
  type Oid,
} from './git.ts'
import { withoutCredentials } from '../terminal/text.ts'

export type HeadLease = {
  readonly number: number
  readonly ref: string
  readonly head: Oid
  /** The push also removes the ref. */
  readonly isRemoved: boolean
}

export type Landing = {
  readonly branch: string
  /** The commit of the branch on which the new ones stand. */
  readonly expect: Oid
  readonly commit: Oid
  readonly heads: readonly HeadLease[]
}

type Denied = {
  readonly is: 'denied'
  /** Why, in the words of git or the host. */
  readonly words: string
  /** Of the answer of a host's merge button; absent after a push. */
  readonly status?: number
}

export type Landed =
  | { readonly is: 'landed' }
  /** The branch holds another commit. */
  | { readonly is: 'moved' }
  /** Somebody has pushed to a pull request. */
  | { readonly is: 'head moved'; readonly number: number }
  /** The repository does not allow it. */
  | Denied

export type Repositories = Copy & {
  /** For a push: a hook of the repository may hang. */
  readonly timeoutMs?: number | undefined
}

/** Rejects with `GitFailed` if the repository cannot be reached, so that nothing is known. */
export async function land(repositories: Repositories, landing: Landing): Promise<Landed> {
  const { branch, expect, commit } = landing
  // The lease would let the push replace whatever it names.
  if (!(await contains(repositories.folder, commit, expect))) {
    throw new GitFailed(`${commit} is not built on ${expect}: it would rewind ${branch}`)
  }
  const before = await readRefs(repositories, landing)
  if (before.target !== expect) return seenThrough(repositories, before, landing)
  if (before.movedHead !== null) return { is: 'head moved', number: before.movedHead }
  const target = { from: commit, ref: `refs/heads/${branch}`, head: expect }
  const together = await push(repositories, [target, ...removedBy(landing)], ['--atomic'])
  if (together.code === 0) return { is: 'landed' }
  // Not every host can do that: there the heads go later.
  const isAlone = together.stderr.includes('does not support --atomic')
  const pushed = isAlone ? await push(repositories, [target]) : together
  const after = await readRefs(repositories, landing)
  const judgement = await seenThrough(repositories, after, landing)
  if (judgement.is !== 'denied') return judgement
  return { is: 'denied', words: refusalIn(pushed) }
}

type Push = {
  /** Absent: the ref is removed. */
  readonly from?: Oid
  readonly ref: string
  /** What it must hold. */
  readonly head: Oid
}

const removedBy = ({ heads }: Pick<Landing, 'heads'>): Push[] =>
  heads.flatMap(({ ref, head, isRemoved }) => (isRemoved ? [{ ref, head }] : []))

/** The heads of a merge that is on the branch go, if they did not go with it. One that has moved meanwhile stays. */
export async function removeHeads(
  repositories: Repositories,
  landing: Pick<Landing, 'heads'>,
): Promise<void> {
  const removed = removedBy(landing)
  if (removed.length > 0) await push(repositories, removed)
}

function push(
  { folder, url, timeoutMs, env, signal }: Repositories,
  refs: readonly Push[],
  options: readonly string[] = [],
): Promise<GitResult> {
  const args = ['--git-dir', folder, 'push', '--porcelain']
  // A host may refuse the option, and one ref needs none.
  const how = refs.length > 1 ? options : []
  const leases = refs.map(({ ref, head }) => `--force-with-lease=${ref}:${head}`)
  const specs = refs.map(({ from = '', ref }) => `${from}:${ref}`)
  const limits = timeoutMs === undefined ? { env, signal } : { env, signal, timeoutMs }
  return runGit([...args, ...how, ...leases, url, ...specs], limits)
}

type SeenRefs = { readonly target: Oid | null; readonly movedHead: number | null }

async function readRefs(copy: Copy, { branch, heads }: Landing): Promise<SeenRefs> {
  const target = `refs/heads/${branch}`
  const only = heads.length === 0 ? ['--heads'] : []
  const refs = await refsOf(copy, only, [target, ...heads.map(({ ref }) => ref)])
  const moved = heads.find(({ ref, head }) => refs.get(ref) !== head)
  return { target: refs.get(target) ?? null, movedHead: moved?.number ?? null }
}

async function seenThrough(
  repositories: Repositories,
  seen: SeenRefs,
  landing: Landing,
): Promise<Landed> {
  const judgement = await judged(repositories, seen, landing)
  if (judgement.is === 'landed') await removeHeads(repositories, landing)
  return judgement
}

/** What the branch says. `denied` stands for a branch that is still as it was. */
async function judged(
  copy: Copy,
  { target, movedHead }: SeenRefs,
  { expect, commit }: Landing,
): Promise<Landed> {
  if (target === commit) return { is: 'landed' }
  if (target === expect) {
    return movedHead === null
      ? { is: 'denied', words: '' }
      : { is: 'head moved', number: movedHead }
  }
  if (target === null) return { is: 'moved' }
  await git(fetching(copy, target), { env: copy.env, signal: copy.signal })
  return (await contains(copy.folder, target, commit)) ? { is: 'landed' } : { is: 'moved' }
}

/** GitHub says in the fifth line of its words which rule it was. */
const mostLines = 7

/** Git pushes to no ref that it can take for another one, such as what a mistaken push to the full name has made. */
function twins(stderr: string): string {
  const ref = /dst refspec (.*) matches more than one/.exec(stderr)?.[1]
  if (ref === undefined) return ''
  return `; git cannot tell ${ref} from refs/heads/${ref} or refs/tags/${ref}: remove that one from the repository`
}

/** Why the repository refused a push, in its own words. Throws `GitFailed` if it did not answer. */
export function refusalIn(pushed: GitResult): string {
  const { code, stdout, stderr } = pushed
  if (code === null) throw failure(['push'], pushed)
  const lines = `${stdout}\n${stderr}`.split('\n').map((line) => line.trim())
  // Why it cannot store anything is no line of the other side, but git says it of that.
  const remote = lines.flatMap(
    (line) => /^(?:remote:|error: remote unpack failed:)\s*(.*)/.exec(line)?.[1] ?? [],
  )
  const reasons = lines.flatMap(
    (line) => /^!\s.*\[remote rejected\] \((.*)\)/.exec(line)?.[1] ?? [],
  )
  // The other refs of the push are refused because one is.
  const reason = reasons.find((each) => !each.startsWith('atomic')) ?? reasons[0]
  if (reason === undefined)
    throw new GitFailed(`git push failed: ${withoutCredentials(stderr.trim())}${twins(stderr)}`)
  const said = remote.filter((line) => /[\p{L}\p{N}]/u.test(line))
  const words = [...new Set([reason, ...said])]
  return withoutCredentials(words.slice(0, mostLines).join('; '))
}
