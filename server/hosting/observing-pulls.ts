/** What a host with pull requests has shown becomes commands of the queue. */

import {
  isInQueue,
  missingOf,
  type PullSnapshot,
  type PullRequestNumber,
} from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import { snapshotOrRefusal, reportMergeable } from './entering.ts'
import { composeMerge } from './composing.ts'
import { dependsOnOf, withNamed } from './depending.ts'
import {
  type Departed,
  departureOf,
  type CodeHost,
  type CodeHostObservation,
  type HostRequest,
  type Pull,
  type Standing,
} from './code-host.ts'
import { snapshotOf, tipOf, type HostedParts } from './hosted-parts.ts'
import type { HostAnswer, HostRefusal } from './hosting.ts'
import { stepsOf } from '../history/timeline.ts'
import { pullRef, observationOf, type Observation } from './observation.ts'
import { messageOf } from '../terminal/text.ts'
import { wantedOf } from './wanted.ts'

/**
 * Polls the branches by git, which never answers with an old commit, and then at the pull requests by
 * the host. They are in the observation under the refs that the host gives them.
 */
export async function pollHost(
  parts: HostedParts,
  codeHost: CodeHost,
): Promise<{ readonly observation: Observation; readonly seen: CodeHostObservation }> {
  const branches = await parts.mirror.branches()
  const seen = await codeHost.poll(frozenOnes(parts), awaitedOnes(parts))
  const open = [...seen.pulls.values()].filter(({ state }) => state === 'open')
  const heads = [...branches, ...open.map(({ number, head }) => [pullRef(number), head] as const)]
  return { observation: observationOf(new Map(heads), parts.queue.ref.targetBranch), seen }
}

function frozenOnes(parts: HostedParts): Map<PullRequestNumber, PullSnapshot> {
  const frozen = new Map<PullRequestNumber, PullSnapshot>()
  for (const number of parts.queue.positions().numbers()) {
    const snapshot = snapshotOf(parts, number)
    if (snapshot) frozen.set(number, snapshot)
  }
  return frozen
}

/** Those outside of the queue for whom somebody in it waits. */
function awaitedOnes({ queue: { engine, positions } }: HostedParts): Set<PullRequestNumber> {
  const queued = new Set(positions().numbers())
  const missing = [...queued].flatMap((number) => missingOf(engine.queue, number))
  return new Set(missing.filter((number) => !queued.has(number)))
}

/** Tells the queue who leaves it, who is ready, and who is asked for, in this order. */
export async function observePulls(
  parts: HostedParts,
  codeHost: CodeHost,
  /** `answered`: the queue is being told already that it has merged them. */
  {
    pulls,
    reviewed,
    requests,
    answered,
  }: CodeHostObservation & { readonly answered: readonly PullRequestNumber[] },
): Promise<void> {
  for (const number of frozenOnes(parts).keys()) {
    const pull = pulls.get(number)
    if (!pull || answered.includes(number) || (await isPushedByQueue(parts, pull))) continue
    leave(parts, pull)
  }
  await parts.settled()
  submitWithoutMerged(parts, pulls)
  await parts.settled()
  for (const number of reviewed) {
    const snapshot = isInQueue(parts.queue.engine.queue, number) ? snapshotOf(parts, number) : null
    const isReady = parts.queue.engine.queue.pullRequests[number]?.state !== 'NOT_READY'
    // It was approved before, and is.
    if (!snapshot || (isReady && codeHost.unapprovedFor(number) === null)) continue
    await reportMergeable(parts, number, snapshot)
  }
  await parts.settled()
  await retargetThoseAbove(parts, codeHost, pulls)
  await answerRequests(parts, codeHost, requests)
}

async function answerRequests(
  parts: HostedParts,
  codeHost: CodeHost,
  requests: readonly HostRequest[],
): Promise<void> {
  const postponed = new Set<PullRequestNumber>()
  for (const [index, request] of requests.entries()) {
    const { number } = request
    // What was asked later about the same one waits for it.
    const answer = postponed.has(number)
      ? postponing
      : (whileHeldUp(parts, request, requests.slice(index)) ??
        (await granted(parts, codeHost, request)))
    if (answer !== postponing) request.answer(answer)
    else {
      postponed.add(number)
      request.later()
    }
  }
}

const postponing = Symbol('postponing')

/** What becomes of a submission that would change nothing now; null for any other request. */
function whileHeldUp(
  parts: HostedParts,
  request: HostRequest,
  further: readonly HostRequest[],
): string | typeof postponing | null {
  const { number } = request
  if (request.is !== 'submit' || !mustWait(parts, number, request)) return null
  // A merge can be under way for hours, and who cancels does not wait for it.
  const isCancelled = further.some((each) => each.number === number && each.is === 'cancel')
  return isCancelled ? 'it was cancelled since it was asked for: ask again' : postponing
}

/** Like `grant`. A failed question about one pull request keeps nobody else from it. Rule: A-226. */
async function granted(
  parts: HostedParts,
  codeHost: CodeHost,
  request: HostRequest,
): Promise<string | null | typeof postponing> {
  try {
    return await grant(parts, codeHost, request)
  } catch (error) {
    const meaning = codeHost.meaningForOne(error)
    if (meaning === null) throw error
    parts.logger.warn({ err: error, number: request.number }, 'a request cannot be granted')
    return meaning === 'passing'
      ? postponing
      : `it cannot be granted, ${messageOf(error)}: ask again`
  }
}

/** Who waits for one that has merged past the queue is submitted anew, without it. Rule: A-367. */
function submitWithoutMerged(parts: HostedParts, pulls: CodeHostObservation['pulls']): void {
  const { targetBranch } = parts.queue.ref
  const isMerged = (number: PullRequestNumber): boolean => {
    const { state, base } = pulls.get(number) ?? {}
    return (
      state === 'merged' && base === targetBranch && !isInQueue(parts.queue.engine.queue, number)
    )
  }
  for (const [number, frozen] of frozenOnes(parts)) {
    const { queue } = parts.queue.engine
    const missing = missingOf(queue, number)
    const asked = queue.pullRequests[number]
    if (!asked || !missing.some(isMerged)) continue
    const after = missing.filter((other) => !isMerged(other))
    const { priority, noBatch } = asked
    const snapshot = { ...frozen, after, on: (frozen.on ?? []).filter((other) => !isMerged(other)) }
    const again = { number, sha: snapshot.head, card: snapshot, noBatch, ...dependsOnOf(snapshot) }
    const urgency = asked.priorityAsked ? { priority } : {}
    parts.send({ type: 'submitPullRequest', ...again, ...urgency })
  }
}

/**
 * Those that were submitted, and whose base is the branch of one that has merged since, are for the target branch now,
 * also when they have left the queue. Rule: A-305.
 */
async function retargetThoseAbove(
  parts: HostedParts,
  codeHost: CodeHost,
  pulls: CodeHostObservation['pulls'],
): Promise<void> {
  const { pullRequests } = parts.queue.engine.queue
  for (const { number, base, state } of [...pulls.values()]) {
    const { base: frozen, on = [] } = snapshotOf(parts, number) ?? {}
    const isAbove = state === 'open' && frozen === base
    if (!isAbove || !on.every((below) => pullRequests[below]?.state === 'MERGED')) continue
    await codeHost.retarget(number)
  }
}

/** True while the queue has it as it was asked for before, and a submission would change nothing. */
function mustWait(parts: HostedParts, number: PullRequestNumber, asked: Standing): boolean {
  const { departures = asked.departures, base } = snapshotOf(parts, number) ?? {}
  // Another base ends no request of one that was built on another.
  const isRetargeted = base !== undefined && asked.base === undefined
  const isToLeave =
    isInQueue(parts.queue.engine.queue, number) && !isRetargeted && departures < asked.departures
  return isToLeave || isHeldUp(parts, number, asked)
}

/** True while the queue still merges it as it was asked for before, so that a submission would change nothing. */
function isHeldUp(parts: HostedParts, number: PullRequestNumber, asked: Standing): boolean {
  const { merges } = wantedOf(parts.queue.engine.queue)
  const snapshot = snapshotOf(parts, number)
  if (!snapshot || !merges.some(({ numbers }) => numbers.includes(number))) return false
  return (
    snapshot.head !== asked.head || (snapshot.departures ?? asked.departures) !== asked.departures
  )
}

/** True if its branch holds the commit with which it lands next: the queue was stopped before that. Rule: A-308. */
async function isPushedByQueue(parts: HostedParts, pull: Pull): Promise<boolean> {
  const { number, head, state } = pull
  const tip = tipOf(parts)
  const isOther = tip !== null && state === 'open' && snapshotOf(parts, number)?.head !== head
  if (!isOther || !isInQueue(parts.queue.engine.queue, number)) return false
  const made = await composeMerge(parts, tip, [number])
  return 'commits' in made && made.commits[0] === head
}

/** A submission freezes its head: whatever the host changes about it takes it out of the queue. */
function leave(parts: HostedParts, pull: Pull): void {
  const { number } = pull
  const frozen = snapshotOf(parts, number)
  if (!frozen || !isInQueue(parts.queue.engine.queue, number)) return
  const reason = departureOf(pull, frozen, parts.queue.ref.targetBranch)
  if (reason === 'merged') {
    const commit = pull.mergedAs ?? tipOf(parts)
    parts.send({ type: 'reportManualMerge', number, ...(commit === null ? {} : { commit }) })
  } else if (reason !== null) parts.send({ type: 'cancelPullRequest', number, reason })
}

/**
 * The first member that the host would not merge as it was tested. The queue is told why; this poll comes right
 * before the push or the button, and asks for all members at once, so that none of the answers is old by then.
 */
async function departedOf(
  parts: HostedParts,
  codeHost: CodeHost,
  numbers: readonly PullRequestNumber[],
): Promise<Departed | null> {
  const pulls = await Promise.all(numbers.map((number) => codeHost.pull(number)))
  for (const [index, number] of numbers.entries()) {
    const pull = pulls[index]
    const frozen = snapshotOf(parts, number)
    if (!pull || !frozen) return { number, isPushedTo: false }
    const changed = departureOf(pull, frozen, parts.queue.ref.targetBranch)
    const isOwn = changed === 'PR_PUSHED_TO' && (await isPushedByQueue(parts, pull))
    const departure = isOwn ? null : changed
    if (departure === null && pull.isUnlabelled === true) {
      parts.send({ type: 'cancelPullRequest', number, reason: 'USER_REQUESTED' })
      codeHost.leftByLabel(number)
      return { number, isPushedTo: false }
    }
    // An account that may push past the rules of a branch must keep them.
    const unapproved = departure === null ? lackOf(parts, pull) : null
    if (departure === null && unapproved === null) continue
    const isPushedTo = departure === 'PR_PUSHED_TO'
    if (!isPushedTo) leave(parts, pull)
    return { number, isPushedTo, ...(unapproved === null ? {} : { words: unapproved }) }
  }
  return null
}

/** What the host asks for and git would not: its approval, and who must merge before it, as it says since the request. */
function lackOf({ queue, codeHost }: HostedParts, { number, blockers = [] }: Pull): string | null {
  const { pullRequests } = queue.engine.queue
  const { dependsOn = [] } = pullRequests[number] ?? {}
  const later = blockers.find(
    (each) => !dependsOn.includes(each) && pullRequests[each]?.state !== 'MERGED',
  )
  const words = `${later} must merge first since it was asked for: ask again`
  return codeHost?.unapprovedFor(number) ?? (later === undefined ? null : words)
}

/** Like `departedOf`, and those that are built on others get the target branch as their base. Rule: A-305. */
export async function madeReady(
  parts: HostedParts,
  codeHost: CodeHost,
  numbers: readonly PullRequestNumber[],
): Promise<Departed | null> {
  const departed = await departedOf(parts, codeHost, numbers)
  if (departed) return departed
  for (const number of numbers) await codeHost.retarget(number)
  return null
}

/** Does what somebody asks for on the host. Returns why not, in words; null if it is done. */
async function grant(
  parts: HostedParts,
  codeHost: CodeHost,
  request: HostRequest,
): Promise<string | null> {
  const { number, by } = request
  if (request.is !== 'submit') {
    if (!isInQueue(parts.queue.engine.queue, number))
      return hasDone(parts, request) ? null : 'it is not in the queue'
    const outcome = await parts.ask(
      request.is === 'cancel'
        ? { type: 'cancelPullRequest', number, reason: 'USER_REQUESTED' }
        : { type: 'restartTests', number },
      by,
    )
    return outcome.accepted ? null : 'it has no tests to restart'
  }
  const found = await snapshotFrom(parts, codeHost, { number, asked: request })
  if ('refused' in found) return found.refused.text
  const snapshot = found.value
  const { priority, noBatch } = request
  const command = {
    type: 'submitPullRequest',
    number,
    sha: snapshot.head,
    card: snapshot,
    ...(priority === undefined ? {} : { priority }),
    ...(noBatch === undefined ? {} : { noBatch }),
    ...dependsOnOf(snapshot),
  } as const
  const outcome = await parts.ask(command, by)
  if (outcome.accepted) return null
  const { rejection } = outcome
  return rejection.code === 'depends on itself'
    ? `it would depend on itself: ${rejection.through.join(' depends on ')}`
    : 'the queue does not take it now'
}

/** True of a cancel that took effect already: a server that was killed did not keep that it had read it. */
function hasDone({ queue }: HostedParts, { number, is, by }: HostRequest): boolean {
  const last = stepsOf(queue.history.pullRequests.get(number)?.timeline ?? []).at(-1)
  return is === 'cancel' && last?.state === 'CANCELLED' && last.by === by?.token
}

/** The snapshot of a pull request as the host shows it this moment, if it still is what was asked for. */
export async function snapshotFrom(
  parts: HostedParts,
  codeHost: CodeHost,
  {
    number,
    asked,
    dependsOn,
  }: {
    readonly number: PullRequestNumber
    readonly asked: Standing
    readonly dependsOn?: readonly PullRequestNumber[] | undefined
  },
): Promise<HostAnswer<PullSnapshot>> {
  const pull = await codeHost.pull(number)
  if (!pull) return { refused: { status: 404, text: `there is no pull request ${number}` } }
  const refused = refusalOf(parts, pull, codeHost)
  if (refused) return { refused }
  const { head } = pull
  if (head !== asked.head) return { refused: pushedSince(asked.head, head) }
  if (departureOf(pull, asked, parts.queue.ref.targetBranch) !== null) return { refused: leftSince }
  if (isHeldUp(parts, number, asked)) return { refused: heldUp }
  const found = await snapshotOrRefusal(parts, { number, ref: pullRef(number), head }, pull)
  if ('refused' in found) return found
  const { departures } = asked
  const below = codeHost.below(pull)
  const above = below === null ? {} : { base: pull.base, on: [below] }
  const snapshot = { ...found.value, departures, ...above }
  return withNamed(parts, { number, snapshot }, { asked: dependsOn, blockers: pull.blockers ?? [] })
}

export function pushedSince(asked: Oid, head: string): HostRefusal {
  const text = `somebody has pushed since ${asked} was asked for, and its head is ${head} now: ask again`
  return { status: 409, text }
}

const leftSince: HostRefusal = {
  status: 409,
  text: 'it was closed, made a draft or given another base since it was asked for: ask again',
}

const heldUp: HostRefusal = {
  status: 409,
  text: 'a merge of an earlier request is under way: ask again when it has ended',
}

/** A pull request that would leave at once does not enter. */
function refusalOf({ queue }: HostedParts, pull: Pull, codeHost: CodeHost): HostRefusal | null {
  const { number } = pull
  const { targetBranch } = queue.ref
  const text =
    pull.state !== 'open'
      ? `pull request ${number} is ${pull.state}`
      : pull.base !== targetBranch && codeHost.below(pull) === null
        ? `pull request ${number} asks to merge into ${pull.base}, not into ${targetBranch}`
        : pull.isDraft
          ? `pull request ${number} is a draft: mark it as ready for review`
          : null
  return text === null ? null : { status: 409, text }
}
