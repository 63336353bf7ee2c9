/** Which commits a composition consists of: the snapshots of its submissions on top of a known tip. */

import type { PullRequestNumber, TestRun } from '../../engine/index.ts'
import type { Composed, LandedHeads } from '../git/compose.ts'
import { GitFailed, type Oid } from '../git/git.ts'
import { HeadGone } from '../git/damage.ts'
import { methodOf, type HostedParts } from './hosted-parts.ts'
import type { MergeMethod, SnapshotToCommit } from '../git/snapshot.ts'

type Part = { readonly number: PullRequestNumber; readonly submission: number }

/**
 * Composes a test run. The commit depends on the tip, the submissions and the merge method alone, so
 * the same composition is the same commit in another run and after a crash.
 */
export async function composeRun(
  parts: HostedParts,
  { id, tip, base, tested, submissions }: TestRun,
): Promise<{ readonly tip: Oid; readonly base: Oid; readonly made: Composed }> {
  const commit = parts.queue.history.tips.get(tip)
  if (commit === undefined) throw new Error(`the commit of tip ${tip} is not known`)
  const numbers = [...base, ...tested]
  const snapshots = snapshotsOf(
    parts,
    numbers.map((number, index) => ({ number, submission: submissions[index] ?? 0 })),
  )
  const made = await parts.mirror.compose(commit, snapshots, methodOf(parts), landedHeads(parts))
  // CI starts for a commit of its own, also where the tip is tested again.
  if (numbers.length === 0) {
    parts.queue.tipAuthors.set(tip, (await parts.mirror.describe(commit)).author.name)
    const words = `Test ${parts.queue.ref.targetBranch} by itself (run ${id})`
    const again = await parts.mirror.repeated(commit, words)
    return { tip: commit, base: commit, made: { commits: [again], onBranch: null } }
  }
  const below = 'commits' in made && base.length > 0 ? made.commits[base.length - 1] : undefined
  return { tip: commit, base: below ?? commit, made }
}

/** What is to land on a commit. */
export type Composition = {
  readonly expect: Oid
  readonly numbers: readonly PullRequestNumber[]
  readonly commits: readonly Oid[]
}

type How = { readonly landed?: LandedHeads; readonly method?: MergeMethod }

const mergeMethods: readonly MergeMethod[] = ['squash', 'merge_commit', 'rebase']

type ComposedMerge =
  /** Those that land: all before the first whose change is on the branch already. */
  | Omit<Composition, 'expect'>
  /** The change of the first one is on the branch already. */
  | { readonly onBranch: PullRequestNumber }
  | Extract<Composed, { conflict: unknown }>
  /** A head cannot be had any more. */
  | { readonly gone: PullRequestNumber }

/**
 * Composes pull requests of the queue on top of a commit, as they were tested: with the merge method of that time, where
 * the setting was changed since and their host lets the queue push.
 */
export async function composeTested(
  parts: HostedParts,
  tip: Oid,
  numbers: readonly PullRequestNumber[],
): Promise<ComposedMerge> {
  const { queue, codeHost } = parts
  const made = await composeMerge(parts, tip, numbers)
  const { verifiedBy = null } = queue.engine.queue.pullRequests[numbers.at(-1) ?? 0] ?? {}
  const commit = verifiedBy === null ? undefined : queue.history.testRuns.get(verifiedBy)?.commit
  if (commit === undefined || codeHost?.button || 'gone' in made) return made
  const tested = await testedFrom(parts, tip, commit)
  const isTested = (each: ComposedMerge): boolean =>
    'commits' in each && tested.includes(each.commits.at(-1) ?? '')
  if (tested.length === 0 || isTested(made)) return made
  for (const method of mergeMethods.filter((each) => each !== methodOf(parts))) {
    const other = await composeMerge(parts, tip, numbers, { method })
    if (isTested(other)) return other
  }
  return made
}

/**
 * The commits of a tested branch after a tip: who merges optimistically lands the first of them. None if it was tested
 * on another tip. Where another server has composed it, only its last commit is known.
 */
async function testedFrom({ mirror }: HostedParts, tip: Oid, commit: Oid): Promise<Oid[]> {
  try {
    const { commits } = await mirror.changesOf(tip, commit)
    return commits.map((each) => each.commit)
  } catch (error) {
    if (error instanceof GitFailed) return [commit]
    throw error
  }
}

/** Composes pull requests of the queue on top of a commit, in order. */
export async function composeMerge(
  parts: HostedParts,
  tip: Oid,
  numbers: readonly PullRequestNumber[],
  { landed = landedHeads(parts), method = methodOf(parts) }: How = {},
): Promise<ComposedMerge> {
  const { pullRequests } = parts.queue.engine.queue
  const members = numbers.map((number) => {
    return { number, submission: pullRequests[number]?.submission ?? 0 }
  })
  try {
    const snapshots = snapshotsOf(parts, members)
    const made = await parts.mirror.compose(tip, snapshots, method, landed)
    if ('conflict' in made) return made
    const { commits, onBranch } = made
    if (onBranch === null) return { numbers, commits }
    const count = numbers.indexOf(onBranch)
    if (count === 0) return { onBranch }
    return { numbers: numbers.slice(0, count), commits: commits.slice(0, count) }
  } catch (error) {
    if (!(error instanceof HeadGone)) throw error
    parts.logger.error({ err: error, queue: parts.queue.name }, 'a head is gone')
    return { gone: error.number }
  }
}

/** The heads with which pull requests have merged: others may be built on them. */
export function landedHeads({ queue }: HostedParts): NonNullable<LandedHeads> {
  const { pullRequests } = queue.engine.queue
  const landed = [...queue.history.snapshots].filter(([submission, { number }]) => {
    const pull = pullRequests[number]
    return pull?.state === 'MERGED' && pull.submission === submission
  })
  return new Map(landed.map(([, { head, number }]) => [head, number]))
}

function snapshotsOf({ queue }: HostedParts, members: readonly Part[]): SnapshotToCommit[] {
  return members.map(({ number, submission }) => {
    const snapshot = queue.history.snapshots.get(submission)
    if (!snapshot) throw new Error(`the head of pull request ${number} is not known`)
    return { ...snapshot, number }
  })
}
