/** What the host shows about a pull request of the queue. It depends on the state alone. */

import {
  isInQueue,
  isTerminal,
  restartReasons,
  type Configuration,
  type PullRequestNumber,
  type PullRequestState,
  type PullRequestView,
} from '../../engine/index.ts'
import { wordsOfStop } from '../hosting/wanted.ts'
import { pageAddress } from '../identity/ids.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { cut } from '../terminal/text.ts'
import { askedBy, refusalOf, wordsNotReady, wordsOfReason } from '../views/why.ts'

export type Report = {
  /** The commit that the status is about: the frozen head. */
  readonly head: string
  readonly status: 'pending' | 'success' | 'failure' | 'error'
  /** At most 140 characters. */
  readonly description: string
  /** The page of the pull request on the live page; null if nobody can reach it. */
  readonly url: string | null
  readonly comment: string
  readonly label: string | null
}

const longestDescription = 140

/** One of these is on a pull request that the queue knows, if the queue is set so. */
export const stateLabels = {
  waiting: 'merge-queue: waiting',
  testing: 'merge-queue: testing',
  merged: 'merge-queue: merged',
  failed: 'merge-queue: failed',
} as const

type Shown = {
  readonly status: Report['status']
  readonly label: string | null
  readonly words: string
}

const shown: Readonly<Record<PullRequestState, Shown>> = {
  NOT_READY: { status: 'pending', label: stateLabels.waiting, words: 'is not ready' },
  PENDING: { status: 'pending', label: stateLabels.waiting, words: 'waits for its tests' },
  TESTING: { status: 'pending', label: stateLabels.testing, words: 'is being tested' },
  TESTS_PASSED: { status: 'pending', label: stateLabels.testing, words: 'has passed, and merges' },
  PENDING_FAILURE: {
    status: 'pending',
    label: stateLabels.testing,
    words: 'has failed; the runs behind it decide',
  },
  MERGED: { status: 'success', label: stateLabels.merged, words: 'has merged' },
  FAILED: { status: 'failure', label: stateLabels.failed, words: 'has failed' },
  CANCELLED: { status: 'error', label: null, words: 'has left the queue' },
}

/**
 * The label of the state of a pull request; null: none. The queues of a repository share the labels, so that of the line
 * in which it is counts, then that of the queue itself, and then one that another queue shows still.
 */
export function labelOf(
  queues: readonly [ManagedQueue, ...ManagedQueue[]],
  number: PullRequestNumber,
): string | null {
  const labels = queues
    .map(({ engine }) => engine.queue)
    .filter(({ configuration }) => configuration.stateLabelsEnabled)
    .toSorted((a, b) => Number(isInQueue(b, number)) - Number(isInQueue(a, number)))
    .flatMap(({ pullRequests: { [number]: pull } }) => (pull && shown[pull.state].label) ?? [])
  return labels[0] ?? null
}

export const tagStart = '<!-- mergeyard '
const contextStart = 'mergeyard ('

/** How the comment of a queue is found again. */
export function tagOf({ name }: Pick<ManagedQueue, 'name'>): string {
  return `${tagStart}${name} -->`
}

/** The name of the status. It is never a required check of the queue itself. */
export function contextOf({ ref }: Pick<ManagedQueue, 'ref'>): string {
  return `${contextStart}${ref.targetBranch})`
}

/** True for the name of a status that a queue writes: it says nothing of the tests of its commit. */
export function isOwnStatus(name: string): boolean {
  return name.startsWith(contextStart)
}

/** Whether the host shows the status of a report already. */
export function isSameStatus(report: Report, before: Report | undefined): boolean {
  return (
    before !== undefined &&
    report.head === before.head &&
    report.status === before.status &&
    report.description === before.description
  )
}

/** Null: the queue does not know the pull request. */
export function reportOf(
  queue: ManagedQueue,
  number: PullRequestNumber,
  publicUrl: string | null,
): Report | null {
  const pullRequest = queue.engine.queue.pullRequests[number]
  const snapshot = pullRequest ? queue.history.snapshots.get(pullRequest.submission) : undefined
  if (!pullRequest || !snapshot) return null
  const { status, label, words } = shown[pullRequest.state]
  const why = whyOf(queue, pullRequest)
  const sentence = why === '' ? words : `${words}: ${why}`
  const told = wordsOf(queue, pullRequest)
  const { targetBranch } = queue.ref
  const url = publicUrl === null ? null : pageAddress(publicUrl, queue.ids, number)
  const logOf = (run: number): string | null =>
    publicUrl === null ? null : `${pageAddress(publicUrl, queue.ids)}/run/${run}`
  const lines = [
    tagOf(queue),
    `**Merge queue for \`${targetBranch}\`**: this pull request ${sentence}.`,
    ...(told === '' ? [] : [`- ${codeSpan(told, longestWords)}`]),
    ...evidenceOf(queue, pullRequest, logOf),
    ...helpOf(queue, pullRequest),
    ...(url === null ? [] : [`[Where it is in the queue, and why](${url})`]),
  ]
  return {
    head: snapshot.head,
    status,
    description: cut(told === '' ? sentence : `${sentence}: ${told}`, longestDescription),
    url,
    comment: lines.join('\n\n'),
    label,
  }
}

/** The whole comment; `refusals`: why what was asked for since is not done; `isLeft`: the queue closes the pull request. */
export function commentOf(
  queue: ManagedQueue,
  report: Report | null,
  { refusals, isLeft }: { readonly refusals: readonly string[]; readonly isLeft: boolean },
): string {
  const refused = refusals.map((words) => `${notDone(queue)}${words}.`)
  return [report?.comment ?? tagOf(queue), refused, isLeft ? whyClosed : []].flat().join('\n\n')
}

/** True for a comment that says what is to be said, perhaps with refusals of before behind it. */
export function saysAlready(queue: ManagedQueue, comment: string, body: string): boolean {
  const [said, asked] = [comment.trim(), body.trim()]
  return said === asked || said.startsWith(`${asked}\n\n${notDone(queue)}`)
}

const notDone = ({ ref }: ManagedQueue): string =>
  `**Merge queue for \`${ref.targetBranch}\`**: not done: `

/** The reason that stands in the comment before the pull request is closed. */
const whyClosed =
  'Its change was on the branch already, so the queue made no commit of it. The host shows a pull request as merged only if its own commits are on the branch, so this one is closed.'

const restarts: ReadonlySet<string> = new Set(restartReasons)

function whyOf(queue: ManagedQueue, pullRequest: PullRequestView): string {
  const { state, reason } = pullRequest
  if (state === 'NOT_READY') return wordsNotReady(queue, pullRequest).join(', and ')
  if (reason === null || !(isTerminal(state) || restarts.has(reason))) return ''
  return wordsOfReason(queue, pullRequest) ?? ''
}

/** Who has asked, what git or the host has answered instead of a merge, or why the server has paused the queue; empty: none of them. */
function wordsOf(queue: ManagedQueue, pullRequest: PullRequestView): string {
  const { history } = queue
  const { state } = pullRequest
  const by = askedBy(queue, pullRequest)
  // Names of tokens are for members.
  if (by?.startsWith('@') === true) return by
  const refusal = refusalOf(queue, pullRequest)
  if (refusal !== null) return refusal
  if (isTerminal(state) || state === 'TESTING') return ''
  return history.pausedFor?.words ?? wordsOfStop(queue) ?? ''
}

/** The runs and the tests because of which it has failed. A run links to its page elsewhere, or to its log here. */
function evidenceOf(
  queue: ManagedQueue,
  { state, evidence }: PullRequestView,
  logOf: (run: number) => string | null,
): string[] {
  if (state !== 'FAILED' || !evidence) return []
  const { failedIn, passedWithout, failedTests } = evidence
  const run = (id: number, what: string): string => {
    const elsewhere = queue.history.testRuns.get(id)?.url ?? ''
    const url = elsewhere === '' ? logOf(id) : elsewhere
    return `${url === null ? `run ${id}` : `[run ${id}](${url})`} ${what}`
  }
  return [
    ...failedTests.slice(0, mostListed).map(({ name }) => `- ${codeSpan(name)} failed`),
    ...(failedTests.length > mostListed ? [`- and ${failedTests.length - mostListed} more`] : []),
    ...(failedIn === null ? [] : [run(failedIn, 'failed with it')]),
    ...(passedWithout === null ? [] : [run(passedWithout, 'passed without it')]),
  ]
}

/** A comment has a limit of 65,536 characters on GitHub. */
const mostListed = 50
const longestName = 200
const longestWords = 600

/**
 * A name that anybody chose, as code in a comment: it stays in its line and its span, where no mention and no markup
 * has an effect.
 */
export function codeSpan(name: string, longest = longestName): string {
  const line = name.replaceAll(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  const text = cut(line, longest)
  const ticks = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(ticks + 1)
  const space = ticks > 0 || text === '' ? ' ' : ''
  return `${fence}${space}${text}${space}${fence}`
}

function helpOf({ engine }: ManagedQueue, { state }: PullRequestView): string[] {
  if (state !== 'FAILED' && state !== 'CANCELLED') return []
  const ways = waysToSubmit(engine.queue.configuration, codeSpan)
  return ways.length === 0 ? [] : [`To submit it again: ${ways.join(', or ')}.`]
}

/** What people do on a pull request to submit it; none if labels and comments are switched off. */
export function waysToSubmit(
  { commandsEnabled, labelCommandsEnabled, enqueueingLabel }: Configuration,
  quoted: (text: string) => string = (text) => text,
): string[] {
  return [
    ...(commandsEnabled ? [`a comment ${quoted('/enqueue')}`] : []),
    ...(labelCommandsEnabled ? [`the label ${quoted(enqueueingLabel)}`] : []),
  ]
}
