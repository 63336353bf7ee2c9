/** How events about bisections change the state. */

import { handedOverWith, proofOf, provenWith } from '../model/proofs.ts'
import { type Evolution, bisectionOf, expect, groupOf, pullRequestOf } from './evolution.ts'
import { leaveLine } from './line.ts'
import { groupsTouching } from './links.ts'
import { extend, type CompositionKey } from '../model/ids.ts'
import { isWider, sharesTarget, unionOf, type ImpactedTargets } from '../model/targets.ts'
import { memberContents } from '../model/content.ts'
import type { Bisection, GroupPhase, Queue, TestRun } from '../model/state.ts'
import type { BisectionStarted } from '../protocol/events.ts'

type FailedPhase = Extract<GroupPhase, { kind: 'failed' }>

export const evolveBisection: Evolution<
  | 'bisectionStarted'
  | 'bisectionVerdictReached'
  | 'bisectionRetryPlanned'
  | 'restartRequested'
  | 'membersProven'
  | 'testRunSaved'
  | 'memberConvicted'
  | 'memberDeparted'
  | 'bisectionEnded'
> = {
  bisectionStarted: start,

  bisectionVerdictReached(queue, event) {
    const { run, outcome, reason, failedTests } = event
    const bisection = bisectionOf(queue, event.bisection)
    // The run of the batch comes again if its second look was lost: there is no other.
    const ofBatch = run.owner.kind === 'main'
    const composition = keyOf(bisection, run)
    const before = bisection.verdicts[composition]
    const confirmed = before !== undefined
    const hasFailed = reason === 'TEST_RUN_REQUIRED_STATUS_FAILED' && !ofBatch
    const failures = (before?.failures ?? 0) + (hasFailed ? 1 : 0)
    const verdict = { outcome, run, ofBatch, confirmed, reason, failedTests, failures }
    bisection.verdicts[composition] = verdict
  },

  bisectionRetryPlanned(queue, { bisection: id, retry }) {
    const bisection = bisectionOf(queue, id)
    const known = bisection.retries.findIndex(({ of }) => of.id === retry.of.id)
    if (known === -1) bisection.retries.push(retry)
    else bisection.retries[known] = retry
    expect(queue, retry.notBefore)
  },

  // No change: the event only records the request.
  restartRequested() {},

  membersProven(queue, { bisection: id, members, run }) {
    const bisection = bisectionOf(queue, id)
    bisection.open = bisection.open.slice(members.length)
    bisection.prefixes = bisection.prefixes.slice(members.length)
    bisection.proven.push(...members)
    bisection.provenIn = run
    bisection.retries = bisection.retries.filter(
      ({ of }) => !members.includes(of.tested.at(-1) ?? 0),
    )
    for (const number of members) pullRequestOf(queue, number).verifiedBy = run.id
  },

  // No change: the event only records that the result of a run was known already.
  testRunSaved() {},

  memberConvicted(queue, { bisection: id, number }) {
    const bisection = bisectionOf(queue, id)
    bisection.open = bisection.open.filter((member) => member !== number)
    bisection.prefixes = prefixesOf(bisection)
    bisection.convicted++
  },

  memberDeparted(queue, { bisection: id, number }) {
    const bisection = bisectionOf(queue, id)
    depart(queue, bisection, number)
    bisection.prefixes = prefixesOf(bisection)
  },

  bisectionEnded(queue, { bisection: id, flake }) {
    const { proven } = bisectionOf(queue, id)
    if (flake) for (const number of proven) pullRequestOf(queue, number).flakeReturns++
    queue.bisections = queue.bisections.filter((bisection) => bisection.id !== id)
  },
}

function start(queue: Queue, event: BisectionStarted): void {
  const group = groupOf(queue, event.group)
  const { phase, targets } = group
  if (phase.kind !== 'failed') throw new Error(`group ${event.group} is bisected without a failure`)
  const bisection: Bisection = {
    id: event.bisection,
    submissions: Object.fromEntries(
      event.members.map((number) => [number, pullRequestOf(queue, number).submission]),
    ),
    targets,
    size: event.members.length,
    ...(event.others === undefined ? {} : { others: event.others }),
    began: queue.tip.number,
    tip: queue.tip.number,
    composition: queue.tip.composition,
    isTipMoved: false,
    handedOver: [],
    proven: [],
    provenIn: null,
    open: [...event.members],
    prefixes: [],
    verdicts: {},
    underWay: [],
    retries: [],
    runsSpent: 1,
    convicted: 0,
    departed: 0,
  }
  bisection.prefixes = prefixesOf(bisection)
  if (event.overtaken) bisection.runsSpent = 0
  else readVerdictOfBatch(bisection, phase)
  queue.last.bisection = event.bisection
  queue.bisections.push(bisection)
  group.members = group.members.filter((number) => !event.members.includes(number))
  if (group.members.length === 0) leaveLine(queue, event.group)
  putBeside(queue, bisection)
  for (const number of event.members) {
    pullRequestOf(queue, number).home = { in: 'bisection', bisection: event.bisection }
  }
}

/** Groups of the line that share a target with the bisection are behind it. */
function putBeside(queue: Queue, { id, targets }: Bisection): void {
  for (const behind of groupsTouching(queue, targets)) {
    const { beside } = groupOf(queue, behind)
    if (!beside.includes(id)) beside.push(id)
  }
}

/**
 * Targets were uploaded for a member. If they are more, what has merged beside the bisection since it
 * began may share one of them. Rule: E-153.
 */
export function widenBisection(
  queue: Queue,
  bisection: Bisection,
  uploaded: ImpactedTargets,
): void {
  if (!isWider(uploaded, bisection.targets)) return
  const targets = unionOf(bisection.targets, uploaded)
  bisection.targets = targets
  const own = Object.values(bisection.submissions)
  const beside = queue.landed.filter(
    (landed) => landed.tip > bisection.began && !own.includes(landed.content),
  )
  if (beside.some((landed) => sharesTarget(landed.targets, targets))) bisection.isTipMoved = true
  putBeside(queue, bisection)
}

/** The run of the whole batch has failed; that failure started the bisection. */
function readVerdictOfBatch(bisection: Bisection, phase: FailedPhase): void {
  const { run, reason, failedTests } = phase
  bisection.verdicts[bisection.prefixes.at(-1) ?? ''] = {
    outcome: 'failed',
    run,
    ofBatch: true,
    confirmed: false,
    reason,
    failedTests,
    failures: reason === 'TEST_RUN_REQUIRED_STATUS_FAILED' ? 1 : 0,
  }
}

/** The key of the run on the pinned tip; in parallel mode that of a batch may have been made on another. */
function keyOf({ verdicts }: Bisection, { id, composition }: TestRun): CompositionKey {
  return Object.keys(verdicts).find((key) => verdicts[key]?.run.id === id) ?? composition
}

function prefixesOf(bisection: Bisection): CompositionKey[] {
  const below = [...bisection.handedOver, ...bisection.proven]
  let composition = extend(bisection.composition, memberContents(bisection, below))
  return bisection.open.map((number) => {
    composition = extend(composition, memberContents(bisection, [number]))
    return composition
  })
}

/** Members whose proof contained the departed one, and that are not handed over, are open again. */
function depart(queue: Queue, bisection: Bisection, number: number): void {
  const unproven = provenWith(queue, bisection, number)
  bisection.departed++
  const returning = handedOverWith(queue, bisection, number)
  bisection.handedOver = bisection.handedOver.filter((member) => !returning.includes(member))
  const isGone = (member: number): boolean => member === number || unproven.includes(member)
  bisection.proven = bisection.proven.filter((member) => !isGone(member))
  bisection.open = [...unproven, ...bisection.open.filter((member) => member !== number)]
  bisection.provenIn = proofOf(queue, bisection, bisection.proven.at(-1))
  bisection.retries = bisection.retries.filter(
    ({ of }) => !of.submissions.includes(bisection.submissions[number] ?? 0),
  )
}
