/** A code host in memory: every answer is exact and new. */

import {
  lackOf,
  noReviewRules,
  type Activity,
  type Button,
  type Comment,
  type Deed,
  type ForgeApi,
  type Person,
  type SeenPull,
} from '../api.ts'
import { ForgeFailed } from '../failed.ts'
import type { Oid } from '../../git/git.ts'
import type { StagedHost, StageParts } from './simulated-host.ts'
import {
  change,
  emptyState,
  isoOf,
  lastReviews,
  markMerged,
  mayWrite,
  secondOfCommit,
  type FakeDeed,
  type FakePull,
  type FakeState,
} from './state.ts'

export function simulatedStage(parts: StageParts): StagedHost {
  const state = emptyState(parts)
  return { state, open: () => simulatedApi(state, parts), seesMerges: true, ghost, faults: [] }
}

const ghost = 'ghost'
const noWork = (): Promise<void> => Promise.resolve()

/** What nobody looks at in a simulation. */
const unseen = {
  openTestPull: noWork,
  react: noWork,
  setStatus: noWork,
  addLabel: noWork,
  makeLabel: noWork,
}

/** Answers as the host does, unless the answer is lost. */
const answering =
  ({ before }: Pick<StageParts, 'before'>) =>
  async <Value>(what: string, value: () => Value | Promise<Value>): Promise<Value> => {
    const isLost = before(what) !== undefined
    const answer = await value()
    if (isLost) throw new ForgeFailed(`${what}: no answer`, 0)
    return answer
  }

function simulatedApi(
  state: FakeState,
  { before, clockAheadMs }: Pick<StageParts, 'before' | 'clockAheadMs'>,
): ForgeApi {
  const answered = answering({ before })
  const pull = (number: number): FakePull | undefined => state.pulls.get(number)
  const seen = (number: number): SeenPull | null => {
    const found = pull(number)
    return found ? seenOf(found) : null
  }
  const changed = (
    what: string,
    number: number,
    to: (found: FakePull) => Omit<Parameters<typeof change>[2], 'by'>,
  ) =>
    answered(what, () => {
      const found = pull(number)
      if (found) change(state, found, { ...to(found), by: state.login })
    })
  return {
    ...{
      forge: 'Simulated',
      isUpdatedByReviews: false,
      clockAheadMs,
      gitAccess: () => Promise.resolve({}),
    },
    self: () => answered('self', () => ({ login: state.login, id: 0 })),
    openPulls: () =>
      answered('openPulls', () =>
        [...state.pulls.values()]
          .filter((each) => each.state === 'open')
          .map((each) => seenOf(each)),
      ),
    pull: (number) => answered('pull', () => seen(number)),
    unapprovedFor: (number) => answered('unapprovedFor', () => unapprovedFor(state, number)),
    rules: () =>
      answered('rules', () => {
        return {
          checks: [],
          reviews: { ...noReviewRules, approvals: state.rules?.approvals ?? 0 },
        }
      }),
    comments: () => answered('comments', () => commentsOf(state)),
    rightOf: ({ login }: Person) =>
      answered('rightOf', () => {
        return { role: state.people.get(login) ?? 'read', mayWrite: mayWrite(state, login) }
      }),
    activity: (number) => answered('activity', () => activityOf(state, number)),
    changes: (number) => answered('changes', () => activityOf(state, number).deeds),
    removeLabel: (number, label) =>
      changed('removeLabel', number, ({ labels }) => {
        return { labels: labels.filter((each) => each !== label) }
      }),
    close: (number) => changed('close', number, () => ({ state: 'closed' })),
    retarget: (number, base) => changed('retarget', number, () => ({ base })),
    checks: () => Promise.resolve({ checks: [], workflowRuns: [] }),
    ...unseen,
    ...{ stopCi: noWork, ownComment: () => Promise.resolve(null) },
    addComment: () => Promise.resolve(0),
    editComment: () => Promise.resolve(true),
    merging: {
      by: 'button',
      press: (number, button) => answered('press', () => press(state, number, button)),
      isBusy: () => false,
    },
  }
}

function commentsOf({ comments }: FakeState): Comment[] {
  return comments.map(({ id, number, user, body, createdAt, updatedAt }) => {
    const when = { at: createdAt, place: id }
    const times = { createdAt: isoOf(createdAt), updatedAt: isoOf(updatedAt) }
    return { id, number, body, by: { login: user, id: 0 }, isByBot: false, when, ...times }
  })
}

async function press(
  state: FakeState,
  number: number,
  { method, head, message }: Button,
): Promise<Oid> {
  const { repository } = state
  const pull = state.pulls.get(number)
  if (!pull || pull.state === 'closed' || pull.isDraft) throw new ForgeFailed('not mergeable', 405)
  if (pull.head !== head) throw new ForgeFailed('the head was changed', 409)
  const ref = `refs/heads/${pull.base}`
  const commit = await repository.mergeByButton({
    ...{ method: method === 'squash' ? 'squash' : 'merge', head, author: pull.author },
    ...{ tip: await repository.oidOf(ref), text: message, second: () => secondOfCommit(state) },
  })
  await repository.set(ref, commit)
  markMerged(state, pull, commit)
  return commit
}

/** Enough people who may write must approve. */
export function unapprovedFor(state: FakeState, number: number): string | null {
  const pull = state.pulls.get(number)
  const reviews = pull ? lastReviews(pull).filter(({ user }) => mayWrite(state, user)) : []
  const approved = reviews.filter((review) => review.state === 'APPROVED')
  const approvedBy = approved.map(({ user }) => user)
  return lackOf({ needed: state.rules?.approvals ?? 0, approvedBy, objectedBy: [] })
}

function seenOf(pull: FakePull): SeenPull {
  const { number, head, isDraft, base, title, body, author, mergeCommit } = pull
  const state = mergeCommit === null ? pull.state : 'merged'
  return {
    ...{ number, head, state, isDraft, base, title, body, author, labels: [...pull.labels] },
    ...{
      branch: pull.isFork ? null : pull.branch,
      mergedAs: mergeCommit,
      updatedAt: isoOf(pull.updatedAt),
    },
  }
}

function activityOf({ deeds, pulls }: FakeState, number: number): Activity {
  const mine = deeds.filter((deed) => deed.number === number).flatMap((deed) => deedOf(deed) ?? [])
  return { deeds: mine, tellsPushes: pulls.get(number)?.isForkGone !== true }
}

function deedOf(deed: FakeDeed): Deed | null {
  const { is, id, at, by } = deed
  if (is === 'readied' || is === 'branch') return null
  const label = 'label' in deed ? { label: deed.label } : {}
  return { is, when: { at, place: id }, by: by === ghost ? null : { login: by, id: 0 }, ...label }
}
