/** A poll of the repository: what is seen there becomes commands of the queue. */

import {
  isInQueue,
  isPushedToWhileMerging,
  type PullRequestNumber,
  type QueueView,
} from '../../engine/index.ts'
import { enter, type Entry, findTargetsAnew, reviewMergeable } from './entering.ts'
import { composeTested } from './composing.ts'
import {
  keepNumbers,
  snapshotOf,
  type HostedParts,
  landed,
  pause,
  targetMoved,
  tipOf,
} from './hosted-parts.ts'
import { observePulls, pollHost } from './observing-pulls.ts'
import type { CodeHostObservation } from './code-host.ts'
import { leasesOf } from './landing.ts'
import { isRequestFor, polledRefs, type Observation, observationOf } from './observation.ts'
import { wantedOf } from './wanted.ts'
import type { Oid } from '../git/git.ts'
import type { Changes } from '../git/mirror.ts'

/** Polls, and tells the queue what has changed since the last poll. */
export async function poll(parts: HostedParts): Promise<void> {
  const { codeHost } = parts
  await parts.settled()
  await findTargetsAnew(parts)
  const polled = codeHost ? await pollHost(parts, codeHost) : null
  const observation =
    polled?.observation ??
    observationOf(await parts.mirror.readRefs(polledRefs), parts.queue.ref.targetBranch)
  const last = parts.observation
  parts.observation = observation
  const before = tipOf(parts)
  if (!codeHost) await noteLeftBehind(parts, observation)
  const answered = await observeTarget(parts, observation, polled?.seen.pulls)
  await parts.settled()
  if (codeHost && polled) await observePulls(parts, codeHost, { ...polled.seen, answered })
  else await observeHeads(parts, observation, last)
  if (tipOf(parts) !== before) await reviewMergeable(parts)
}

/**
 * A submission freezes its head. So a push takes the pull request out of the queue, and a branch
 * below `queue/` enters again with the new commit. A pull request whose merge is under way is left
 * to the push of that merge, which holds a lease on the head.
 */
async function observeHeads(
  parts: HostedParts,
  observation: Observation,
  last: Observation | null,
): Promise<void> {
  const { queue, refs, branchNotes } = parts
  await branchNotes.prune(observation)
  const gone = [...queue.positions().numbers()].flatMap((number) => {
    const submitted = snapshotOf(parts, number)?.head
    const head = observation.heads.get(refs.refOf(number))
    if (submitted === undefined || submitted === head) return []
    return [{ number, reason: head === undefined ? 'PR_CLOSED' : 'PR_PUSHED_TO' } as const]
  })
  const over = new Map<string, Oid>()
  const requested = [...observation.heads].flatMap(([ref, head]) => {
    if (branchNotes.isLeftBehind(ref) || !isRequest(parts, ref)) return []
    const number = refs.numberOf(ref, observation)
    const hasStayed = last?.heads.get(ref) === head
    const isKnown = snapshotOf(parts, number)?.head === head
    const isSubmitted = isKnown && !wasRemoved(parts, number, hasStayed)
    if (!isSubmitted) return [{ number, ref, head }]
    if (!isInQueue(queue.engine.queue, number)) over.set(ref, head)
    return []
  })
  // Their commits ask for nothing more, also when the queue has forgotten them.
  await branchNotes.leaveBehind(over)
  const entries = await belowFirst(parts, requested)
  for (const left of gone) parts.send({ type: 'cancelPullRequest', ...left })
  for (const entry of entries) await enter(parts, entry)
  await keepNumbers(parts, observation)
}

/** Each one after those that it is built on. Rule: A-306. */
async function belowFirst(
  parts: HostedParts,
  entries: readonly Entry[],
): Promise<readonly Entry[]> {
  const { mirror } = parts
  const tip = tipOf(parts)
  if (entries.length < 2 || tip === null) return entries
  const heads = entries.map(({ head }) => head)
  try {
    await mirror.fetch(entries.map(({ ref }) => ref))
    // Git keeps the order of its arguments for commits of the same second, hence the reversal.
    const topFirst = [...(await mirror.reached(tip, heads.toReversed()))]
    const place = (head: Oid): number => topFirst.indexOf(head)
    return entries.toSorted((a, b) => place(b.head) - place(a.head))
  } catch {
    // A head that cannot be fetched is refused when it enters.
    return entries
  }
}

const isRequest = ({ queue, branches }: HostedParts, ref: string): boolean =>
  isRequestFor(ref, queue.ref.targetBranch, branches)

async function noteLeftBehind(parts: HostedParts, observation: Observation): Promise<void> {
  const { queue, branches, branchNotes, logger } = parts
  // Without a target branch there is no queue yet.
  if (observation.target === null || branchNotes.isFor(branches)) return
  const { targetBranch } = queue.ref
  const left = [...observation.heads].filter(
    ([ref, head]) =>
      isRequest(parts, ref) &&
      !branchNotes.wasFor(ref, targetBranch) &&
      !wasSubmitted(parts, { ref, head, observation }),
  )
  await branchNotes.leaveBehind(new Map(left), branches)
  if (left.length === 0) return
  const names = left.map(([ref]) => ref.slice('refs/heads/'.length))
  const words =
    'these branches were there before this queue began to listen to them, which is no request: push a commit to each that is to merge, or submit it by its name'
  logger.warn({ queue: queue.name, branches: names }, words)
}

type HeadOfRef = { readonly ref: string; readonly head: Oid; readonly observation: Observation }

/** Whether the queue has, or had, this commit of a branch. */
function wasSubmitted(parts: HostedParts, { ref, head, observation }: HeadOfRef): boolean {
  const { refs } = parts
  return refs.has(ref) && snapshotOf(parts, refs.numberOf(ref, observation))?.head === head
}

/**
 * A branch that was removed and comes back asks to merge again, also with the same commit: it can have been reverted.
 * The queue removes a branch when it merges it, but from a repository that lets nobody remove any: there it has stayed.
 */
function wasRemoved(
  { queue }: HostedParts,
  number: PullRequestNumber,
  hasStayed: boolean,
): boolean {
  const { state, reason = null } = queue.engine.queue.pullRequests[number] ?? {}
  const isMerged = state === 'MERGED' && reason !== 'MANUAL_MERGE'
  return reason === 'PR_CLOSED' || (isMerged && !hasStayed)
}

/** Returns those whose merge by the queue was found on the branch. */
async function observeTarget(
  parts: HostedParts,
  { target }: Observation,
  pulls: CodeHostObservation['pulls'] = new Map(),
): Promise<readonly PullRequestNumber[]> {
  if (target === null) {
    throw new Error(`the repository has no branch ${parts.queue.ref.targetBranch}`)
  }
  const tip = tipOf(parts)
  if (target === tip) return []
  await parts.mirror.fetch([target])
  if (tip === null) {
    parts.send({ type: 'reportTip', commit: target })
    return []
  }
  const found = await landedUnreported(parts, { tip, target }, pulls)
  await parts.settled()
  await reportChanges(parts, { tip: found?.tip ?? tip, target }, pulls)
  return found?.numbers ?? []
}

type Range = { readonly tip: Oid; readonly target: Oid }

/** Tells what other people have pushed since the tip. */
async function reportChanges(
  parts: HostedParts,
  { tip, target }: Range,
  pulls: CodeHostObservation['pulls'],
): Promise<void> {
  if (target === tip) return
  const { queue, mirror } = parts
  const { commits, isDescendant } = await mirror.changesOf(tip, target)
  if (!isDescendant) {
    const words = `${parts.queue.ref.targetBranch} was set from ${tip} to ${target}, which does not contain it: check the branch, and resume the queue`
    parts.logger.error({ queue: parts.queue.name, tip, target }, 'the target branch was rewound')
    pause(parts, { words, until: 'resumed' })
  }
  const byHand = isDescendant ? await mergedByHand(parts, { tip, commits, pulls }) : []
  const reports = isDescendant ? reportsOf(queue.engine.queue, byHand) : []
  if (reports.at(-1)?.commit !== target) reports.push({ type: 'reportPush', commit: target })
  for (const report of reports) parts.send(report)
  await parts.settled()
  for (const { group, numbers } of wantedOf(queue.engine.queue).merges) {
    const [first] = numbers
    const merging = queue.engine.queue.groups[group]
    // What a person merged in its turn takes nothing from what was tested behind it or beside it.
    if (first === undefined || !merging || !isPushedToWhileMerging(merging)) continue
    targetMoved(parts, first)
  }
}

type Seen = {
  readonly tip: Oid
  readonly commits: Changes['commits']
  readonly pulls: CodeHostObservation['pulls']
}

/**
 * Adds the pull requests whose frozen heads came with the commits, each to the first that has it, and those
 * of which the host says that they merged as one of them.
 */
async function mergedByHand(
  parts: HostedParts,
  { tip, commits, pulls }: Seen,
): Promise<NewCommit[]> {
  const { mirror, queue } = parts
  const target = commits.at(-1)?.commit ?? tip
  const reached = await mirror.reached(tip, [target])
  const found = new Map<Oid, PullRequestNumber[]>()
  for (const number of queue.positions().numbers()) {
    const merged = commits.find(({ commit }) => commit === pulls.get(number)?.mergedAs)
    if (merged) found.set(merged.commit, [...(found.get(merged.commit) ?? []), number])
    const head = snapshotOf(parts, number)?.head ?? ''
    if (merged || !reached.has(head)) continue
    for (const { commit } of commits) {
      if (!(await mirror.isAncestor(head, commit))) continue
      found.set(commit, [...(found.get(commit) ?? []), number])
      break
    }
  }
  const changes: NewCommit[] = []
  let below = tip
  for (const { commit, numbers: told } of commits) {
    const brought = await broughtBy(parts, commit, { below, numbers: told })
    const numbers = [...new Set([...brought, ...(found.get(commit) ?? [])])]
    const isMadeOfThem = await isMadeOf(parts, commit, { below, numbers })
    changes.push({ commit, numbers, isMadeOfThem })
    below = commit
  }
  return changes
}

type Merged = { readonly below: Oid; readonly numbers: readonly PullRequestNumber[] }

/**
 * Those pull requests of the queue that a commit really brought. Its trailers are only a claim: it can come from
 * another queue, from a fork or by a cherry-pick, where the number is somebody else's.
 */
async function broughtBy(
  parts: HostedParts,
  commit: Oid,
  { below, numbers }: Merged,
): Promise<PullRequestNumber[]> {
  const queued = new Set(parts.queue.positions().numbers())
  const brought: PullRequestNumber[] = []
  for (const number of numbers.filter((each) => queued.has(each))) {
    const snapshot = snapshotOf(parts, number)
    if (!snapshot) continue
    const snapshots = [{ ...snapshot, number, at: parts.now() }]
    const isIn = async (tip: Oid): Promise<boolean> => {
      const made = await parts.mirror.compose(tip, snapshots, 'squash')
      return 'commits' in made && made.onBranch !== null
    }
    if ((await isIn(commit)) && !(await isIn(below))) brought.push(number)
  }
  return brought
}

async function isMadeOf(
  parts: HostedParts,
  commit: Oid,
  { below, numbers }: Merged,
): Promise<boolean> {
  const at = parts.now()
  const snapshots = numbers.flatMap((number) => {
    const snapshot = snapshotOf(parts, number)
    return snapshot ? [{ ...snapshot, number, at }] : []
  })
  return snapshots.length > 0 && parts.mirror.isMadeOf(commit, below, snapshots)
}

type FoundLanding = { readonly tip: Oid; readonly numbers: readonly PullRequestNumber[] }

/** A merge that came on the branch before a crash, and whose answer was lost. Returns the new tip. */
async function landedUnreported(
  parts: HostedParts,
  { tip, target }: Range,
  pulls: CodeHostObservation['pulls'],
): Promise<FoundLanding | null> {
  const [merge] = wantedOf(parts.queue.engine.queue).merges
  if (!merge) return null
  const made = await composeTested(parts, tip, merge.numbers)
  const commit = 'commits' in made ? made.commits.at(-1) : undefined
  if (!('commits' in made) || commit === undefined) return null
  const { numbers, commits } = made
  if (await parts.mirror.isAncestor(commit, target)) {
    await parts.mirror.removeHeads(leasesOf(parts, numbers))
    landed(parts, numbers, commits)
    return { tip: commit, numbers }
  }
  return parts.codeHost
    ? landedOnHost(parts, { tip, target }, { numbers, made: commits, pulls })
    : null
}

type Landing = {
  readonly numbers: readonly PullRequestNumber[]
  readonly made: readonly Oid[]
  readonly pulls: CodeHostObservation['pulls']
}

/**
 * The host made the commits, so they are known by what it says of the pull requests, or by their messages, and
 * by their trees. A rebase makes several for each. Those of the first members count.
 */
async function landedOnHost(
  parts: HostedParts,
  { tip, target }: Range,
  { numbers, made, pulls }: Landing,
): Promise<FoundLanding | null> {
  const { commits } = await parts.mirror.changesOf(tip, target)
  const found: Oid[] = []
  for (const [index, ours] of made.entries()) {
    const number = numbers[index] ?? 0
    const named = commits[index]?.numbers.includes(number) === true ? commits[index].commit : null
    const commit = pulls.get(number)?.mergedAs ?? named
    if (commit === null || !commits.some((each) => each.commit === commit)) break
    if ((await parts.mirror.treeOf(commit)) !== (await parts.mirror.treeOf(ours))) break
    found.push(commit)
  }
  const last = found.at(-1)
  if (last === undefined) return null
  const those = numbers.slice(0, found.length)
  landed(parts, those, found)
  return { tip: last, numbers: those }
}

// What pushes to the target branch from outside mean for a queue.

/** A commit that is new on the target branch, oldest first along the first parents. */
export type NewCommit = {
  readonly commit: Oid
  /** The pull requests that the commit says it lands, or whose head it brought. */
  readonly numbers: readonly PullRequestNumber[]
  /** False: it changes something else too, so what is tested on top of them is out of date. */
  readonly isMadeOfThem: boolean
}

type TargetReport =
  | { readonly type: 'reportManualMerge'; readonly number: PullRequestNumber; readonly commit: Oid }
  | { readonly type: 'reportPush'; readonly commit: Oid }

/**
 * Pull requests of the queue that somebody merged by hand are told one by one, in order. All other
 * commits are one push; so is a merge by hand that changed something else too. The last report has the commit on which the branch is now.
 */
export function reportsOf(queue: QueueView, commits: readonly NewCommit[]): TargetReport[] {
  const reports: TargetReport[] = []
  const told = new Set<PullRequestNumber>()
  for (const { commit, numbers, isMadeOfThem } of commits) {
    const merged = numbers.filter((number) => isInQueue(queue, number) && !told.has(number))
    for (const number of merged) {
      told.add(number)
      reports.push({ type: 'reportManualMerge', number, commit })
    }
    if (merged.length > 0 && isMadeOfThem) continue
    if (reports.at(-1)?.type === 'reportPush') reports.pop()
    reports.push({ type: 'reportPush', commit })
  }
  return reports
}
