/** What the fake knows beside the repository: pull requests, checks, comments, rules, people. */

import type { Oid } from '../../git/git.ts'
import type { TestRepository } from '../../hosting/testing/test-repository.ts'

export type FakePull = {
  readonly number: number
  title: string
  body: string
  readonly author: string
  base: string
  /** The branch; of a fork it is not in this repository. */
  readonly branch: string
  readonly isFork: boolean
  /** Its author has deleted the fork. */
  isForkGone?: boolean
  head: Oid
  state: 'open' | 'closed'
  mergedAt: string | null
  mergeCommit: Oid | null
  isDraft: boolean
  labels: string[]
  updatedAt: number
  readonly reviews: FakeReview[]
  /** GitLab: what must merge before it; a text is one of another project, null one that nobody here may see. */
  blockedBy?: readonly (number | string | null)[]
  /** GitLab: the tip of its base when the host looked last whether it can merge. */
  lookedAt?: Oid
  /** GitLab: the tip with which it conflicts. */
  conflictsWith?: Oid
  /** GitHub: it is in a stack. `refused`: why its merge fails. */
  stack?: { readonly refused?: string; merge?: { readonly body: object; looks: number } }
}

export type FakeReview = {
  readonly user: string
  readonly state: string
  readonly commit: Oid
  /** They might write when they gave it; absent: as they may now. */
  readonly isByWriter?: boolean
}

/** Something that was done to a pull request, or to its branch. */
export type FakeActivity = {
  /** Grows with those of comments, as the order of both. */
  readonly id: number
  readonly number: number
  readonly at: number
  by: string
} & (
  | { readonly is: 'labelled' | 'unlabelled'; readonly label: string }
  | { readonly is: 'closed' | 'reopened' | 'drafted' | 'readied' }
  | { readonly is: 'retargeted'; readonly from: string; readonly to: string }
  /** The pull request has another head. */
  | { readonly is: 'pushed'; readonly head: Oid; readonly isReopening: boolean }
  /** Its branch has another commit, which the host records also while the pull request is closed. */
  | {
      readonly is: 'branch'
      readonly before: Oid | null
      readonly after: Oid
      readonly isForced: boolean
      readonly wasOpen: boolean
    }
)

export type FakeComment = {
  readonly id: number
  readonly number: number
  user: string
  body: string
  readonly createdAt: number
  updatedAt: number
  readonly reactions: string[]
}

export type FakeStatus = {
  readonly id: number
  readonly sha: Oid
  readonly context: string
  readonly state: 'pending' | 'success' | 'failure' | 'error'
  readonly description: string
  readonly url: string | null
  /** Who wrote it; an App is `<name>[bot]`. */
  readonly by: string
  readonly createdAt: number
}

export type FakeCheck = {
  readonly id: number
  readonly suite: number
  readonly sha: Oid
  readonly name: string
  readonly app: string
  status: 'queued' | 'in_progress' | 'completed'
  conclusion: string | null
  readonly startedAt: number
}

export type FakeWorkflowRun = {
  readonly id: number
  readonly suite: number
  readonly name: string
  readonly sha: Oid
  readonly branch: string
  status: 'queued' | 'in_progress' | 'completed'
  conclusion: string | null
  readonly createdAt: number
}

/** What protects the target branch. */
export type FakeRules = {
  /** From a ruleset, or from classic protection. */
  readonly from: 'ruleset' | 'protection'
  readonly checks: readonly string[]
  readonly approvals: number
  /** The App that must have written the checks; by default anybody may. */
  readonly app?: string
  /** What else the branch asks for, in the words of `doctor`. */
  readonly others?: readonly string[]
}

/** Those whose reviews count. */
export function mayWrite({ people }: FakeState, login: string): boolean {
  return ['write', 'maintain', 'admin'].includes(people.get(login) ?? 'read')
}

/** The last review of each person that is more than a comment. */
export function lastReviews({ reviews }: FakePull): FakePull['reviews'] {
  const last = new Map(
    reviews.filter(({ state }) => state !== 'COMMENTED').map((review) => [review.user, review]),
  )
  return [...last.values()]
}

/** The approvals of people who may write, and their requests for changes. */
export function countedReviews(
  pull: FakePull,
  isCounted: (review: FakeReview) => boolean,
): { readonly approvals: number; readonly objections: number } {
  const counted = lastReviews(pull).filter((review) => isCounted(review))
  const count = (is: string): number => counted.filter(({ state }) => state === is).length
  return { approvals: count('APPROVED'), objections: count('CHANGES_REQUESTED') }
}

export type FakeState = {
  readonly owner: string
  readonly name: string
  readonly repository: TestRepository
  readonly now: () => number
  readonly pulls: Map<number, FakePull>
  readonly comments: FakeComment[]
  readonly activities: FakeActivity[]
  readonly statuses: FakeStatus[]
  readonly checks: FakeCheck[]
  readonly workflowRuns: FakeWorkflowRun[]
  /** The permission of each person, as `write` or `triage`; others have `read`. */
  readonly people: Map<string, string>
  /** Whom the credentials belong to. */
  login: string
  rules: FakeRules | null
  /** What the token may do, as the repository says it. */
  permissions: { push: boolean; admin: boolean }
  /** Merges of this repository are allowed in these ways. */
  readonly methods: { squash: boolean; merge: boolean; rebase: boolean; manual: boolean }
  /** The labels that the repository has. */
  readonly labels: string[]
  /** GitLab: a tier with dependencies between merge requests. */
  hasDependencies: boolean
  /** A rule of the branch forbids the merge button. */
  isButtonDenied: boolean
  lastId: number
}

/** Of a repository that nobody has used. */
export function emptyState({ repository, now }: Pick<FakeState, 'repository' | 'now'>): FakeState {
  return {
    owner: 'acme',
    name: 'shop',
    repository,
    now,
    pulls: new Map(),
    comments: [],
    activities: [],
    statuses: [],
    checks: [],
    workflowRuns: [],
    labels: [],
    people: new Map([
      ['ada', 'write'],
      ['mergeyard-bot', 'admin'],
    ]),
    login: 'mergeyard-bot',
    rules: null,
    isButtonDenied: false,
    lastId: 1_000,
    permissions: { push: true, admin: true },
    hasDependencies: false,
    methods: { squash: true, merge: true, rebase: true, manual: true },
  }
}

export function nextId(state: FakeState): number {
  state.lastId += 1
  return state.lastId
}

/** Of a commit that the host makes: each has another, so none is the same as one before. */
export function secondOfCommit(state: FakeState): number {
  return Math.floor(state.now() / 1_000) + nextId(state)
}

export function isoOf(at: number): string {
  // Like those of GitHub and Gitea, without milliseconds.
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}

/** A number for each name, the same every time. */
export function idOfUser(login: string): number {
  let id = 7
  for (let at = 0; at < login.length; at++) id = (id * 31 + login.charCodeAt(at)) % 1_000_003
  return id
}

/** Changes a pull request, and notes what somebody did by that. */
export function change(
  state: FakeState,
  pull: FakePull,
  { by, ...changes }: Partial<FakePull> & { readonly by: string },
): void {
  const { labels, head, base, isDraft } = pull
  const isReopening = pull.state === 'closed' && changes.state === 'open'
  const isClosing = pull.state === 'open' && changes.state === 'closed'
  Object.assign(pull, { updatedAt: state.now() }, changes)
  const note = (activity: NewActivity): void => {
    const about = { id: nextId(state), number: pull.number, at: state.now(), by }
    state.activities.push({ ...about, ...activity })
  }
  if (isClosing) note({ is: 'closed' })
  if (isReopening) note({ is: 'reopened' })
  if (pull.base !== base) note({ is: 'retargeted', from: base, to: pull.base })
  if (pull.head !== head) {
    if (pull.isFork) {
      const wasOpen = !isReopening
      note({ is: 'branch', before: head, after: pull.head, isForced: true, wasOpen })
    }
    note({ is: 'pushed', head: pull.head, isReopening })
  }
  if (pull.isDraft !== isDraft) note({ is: pull.isDraft ? 'drafted' : 'readied' })
  for (const label of labels) if (!pull.labels.includes(label)) note({ is: 'unlabelled', label })
  for (const label of pull.labels) if (!labels.includes(label)) note({ is: 'labelled', label })
}

/** Somebody opens a pull request at the commit of its branch. `more`: what is not as with most. */
export function openedPull(
  state: FakeState,
  { number, ...more }: Pick<FakePull, 'number' | 'head'> & Partial<FakePull>,
): FakePull {
  const pull: FakePull = {
    number,
    title: `Change ${number}`,
    body: '',
    author: 'bob',
    base: 'main',
    branch: `change-${number}`,
    isFork: false,
    state: 'open',
    mergedAt: null,
    mergeCommit: null,
    isDraft: false,
    labels: [],
    reviews: [],
    updatedAt: state.now(),
    ...more,
  }
  state.pulls.set(number, pull)
  noteBranch(state, pull, { after: pull.head, isForced: false })
  return pull
}

/** A branch has another commit now, which its host records also while the pull request is closed. */
export function noteBranch(
  state: FakeState,
  { number, author: by, state: is }: FakePull,
  { after, isForced }: { readonly after: Oid; readonly isForced: boolean },
): void {
  const about = { id: nextId(state), number, at: state.now(), by }
  const before = branchHeadOf(state, number)
  state.activities.push({ ...about, is: 'branch', before, after, isForced, wasOpen: is === 'open' })
}

/** What distinguishes one activity from another. */
type NewActivity = Distinct<FakeActivity>
type Distinct<Each> = Each extends FakeActivity ? Omit<Each, 'id' | 'number' | 'at' | 'by'> : never

export function commentsOn({ comments }: FakeState, { number }: FakePull): number {
  return comments.filter((comment) => comment.number === number).length
}

/** The commit of the branch of a pull request, as it was pushed last. */
export function branchHeadOf({ activities }: FakeState, number: number): Oid | null {
  const last = activities.findLast(
    (activity) => activity.number === number && activity.is === 'branch',
  )
  return last?.is === 'branch' ? last.after : null
}

/** The account of a person is deleted: what they wrote and did stays, under the name of nobody. */
export function deleteAccount(state: FakeState, login: string, ghost: string): void {
  state.people.delete(login)
  for (const comment of state.comments) if (comment.user === login) comment.user = ghost
  for (const activity of state.activities) if (activity.by === login) activity.by = ghost
}

export function markMerged(state: FakeState, pull: FakePull, commit: string): void {
  pull.state = 'closed'
  pull.mergedAt = isoOf(state.now())
  pull.mergeCommit = commit
  pull.updatedAt = state.now()
}

/** A branch that needs an approval, and `ci`. */
export const oneApproval: FakeRules = {
  from: 'protection',
  checks: ['ci'],
  approvals: 1,
  others: ['rejections'],
}
