/** The fake's state as objects of GitLab's API. */

import {
  commentsOn,
  idOfUser,
  lastReviews,
  type FakeCheck,
  type FakeComment,
  type FakeActivity,
  type FakePull,
  type FakeState,
  type FakeWorkflowRun,
} from '../../code-host/testing/state.ts'

export function userOf(login: string) {
  return { id: idOfUser(login), username: login, name: login, state: 'active' }
}

const levels: Readonly<Record<string, number>> = { admin: 50, maintain: 40, write: 30, read: 20 }

export function levelOf({ people }: FakeState, login: string): number {
  return levels[people.get(login) ?? 'read'] ?? 20
}

export function projectOf({ owner, name, methods, permissions, rules }: FakeState) {
  const level = permissions.admin ? 40 : permissions.push ? 30 : 20
  return {
    id: 1,
    name,
    path: name,
    path_with_namespace: `${owner}/${name}`,
    default_branch: 'main',
    merge_method: 'merge',
    only_allow_merge_if_all_discussions_are_resolved: rules?.others?.includes('threads') ?? false,
    squash_option: methods.squash ? 'default_off' : 'never',
    permissions: { project_access: { access_level: level } },
  }
}

function stateOf({ state, mergedAt }: FakePull): string {
  if (mergedAt !== null) return 'merged'
  return state === 'open' ? 'opened' : 'closed'
}

/** Those of people who may push: others may approve, and it changes nothing. */
export function approvalsOf(state: FakeState, pull: FakePull): FakePull['reviews'] {
  return lastReviews(pull).filter((review) => {
    return review.state === 'APPROVED' && levelOf(state, review.user) >= 30
  })
}

/** GitLab names the first obstacle, also if there are several. */
function obstacleOf(state: FakeState, pull: FakePull): string {
  const objects = lastReviews(pull).some((review) => {
    return review.state === 'CHANGES_REQUESTED' && levelOf(state, review.user) >= 30
  })
  if (objects) return 'requested_changes'
  if (approvalsOf(state, pull).length < (state.rules?.approvals ?? 0)) return 'not_approved'
  if (isBlocked(state, pull)) return 'merge_request_blocked'
  if (pull.state === 'closed') return 'not_open'
  if (pull.isDraft) return 'draft_status'
  if (pull.conflictsWith !== undefined && pull.conflictsWith === pull.lookedAt) return 'conflict'
  return state.isButtonDenied ? 'ci_must_pass' : 'mergeable'
}

/** What GitLab shows of a dependency: nothing of one that the account may not see. */
export function blockerOf(state: FakeState, blocker: number | string | null) {
  if (blocker === null) return {}
  const pull = typeof blocker === 'number' ? state.pulls.get(blocker) : undefined
  const of = { id: 9, iid: 9, project_id: 2, state: 'opened', target_branch: 'main' }
  const shown = pull ? mergeRequestOf(state, pull) : { ...of, references: { full: blocker } }
  return { blocking_merge_request: shown }
}

/** Also one that was closed blocks. */
export function isBlocked({ pulls }: FakeState, { blockedBy = [] }: FakePull): boolean {
  return blockedBy.some((each) => typeof each !== 'number' || pulls.get(each)?.mergedAt === null)
}

export function mergeRequestOf(state: FakeState, pull: FakePull) {
  return {
    id: pull.number + 10_000,
    iid: pull.number,
    project_id: 1,
    title: pull.title,
    description: pull.body,
    state: stateOf(pull),
    draft: pull.isDraft,
    created_at: new Date(pull.updatedAt).toISOString(),
    updated_at: new Date(pull.updatedAt).toISOString(),
    user_notes_count: commentsOn(state, pull),
    sha: pull.head,
    // The document knows no null, so what is null on GitLab is left out.
    ...(pull.mergedAt === null ? {} : { merged_at: pull.mergedAt }),
    ...(pull.mergeCommit === null ? {} : { merge_commit_sha: pull.mergeCommit }),
    source_branch: pull.branch,
    target_branch: pull.base,
    source_project_id: pull.isFork ? 2 : 1,
    target_project_id: 1,
    references: { full: `acme/shop!${pull.number}` },
    author: userOf(pull.author),
    labels: pull.labels,
    detailed_merge_status: obstacleOf(state, pull),
    web_url: `https://gitlab.example.com/acme/shop/-/merge_requests/${pull.number}`,
  }
}

export function noteOf(comment: Omit<FakeComment, 'reactions'>, isSystem = false) {
  return {
    id: comment.id,
    body: comment.body,
    author: userOf(comment.user),
    created_at: new Date(comment.createdAt).toISOString(),
    updated_at: new Date(comment.updatedAt).toISOString(),
    system: isSystem,
    noteable_id: comment.number + 10_000,
    noteable_iid: comment.number,
    noteable_type: 'MergeRequest',
  }
}

/** GitLab writes a note about what it has no event for. */
export function systemNoteOf(activity: FakeActivity) {
  const { id, number, by: user, at: createdAt } = activity
  const body =
    activity.is === 'drafted'
      ? 'marked this merge request as **draft**'
      : activity.is === 'readied'
        ? 'marked this merge request as **ready**'
        : activity.is === 'retargeted'
          ? `changed target branch from \`${activity.from}\` to \`${activity.to}\``
          : null
  if (body === null) return []
  return [noteOf({ id, number, user, body, createdAt, updatedAt: createdAt }, true)]
}

const reviewed: Readonly<Record<string, string>> = {
  APPROVED: 'approved this merge request',
  DISMISSED: 'unapproved this merge request',
  CHANGES_REQUESTED: 'requested changes',
}

/** Newer than all others of the fake. */
const firstReview = 1_000_000

/** What a push takes away is a note of who pushed, which mentions those who had approved. */
export function notesOfReviews({ number, reviews, updatedAt, head, author }: FakePull) {
  return reviews.flatMap(({ user, state, commit }, index) => {
    const note = { id: firstReview + index, number, createdAt: updatedAt, updatedAt }
    const body = reviewed[state]
    if (body === undefined) return []
    if (state !== 'DISMISSED' || commit === head) return [noteOf({ ...note, user, body }, true)]
    const reset = `reset approvals from @${user} by pushing to the branch`
    return [noteOf({ ...note, user: author, body: reset }, true)]
  })
}

const over: Readonly<Record<string, string>> = {
  success: 'success',
  skipped: 'skipped',
  cancelled: 'canceled',
}

function statusOf({ status, conclusion }: Pick<FakeCheck, 'status' | 'conclusion'>): string {
  if (status !== 'completed') return 'running'
  return over[conclusion ?? ''] ?? 'failed'
}

export function pipelineOf(run: FakeWorkflowRun) {
  return {
    id: run.suite,
    iid: run.suite,
    project_id: 1,
    sha: run.sha,
    ref: run.branch,
    status: statusOf(run),
    source: 'push',
    web_url: `https://gitlab.example.com/acme/shop/-/pipelines/${run.suite}`,
  }
}

export function jobOf(check: FakeCheck, ref: string) {
  return {
    id: check.id,
    sha: check.sha,
    ref,
    name: check.name,
    status: statusOf(check),
    pipeline_id: check.suite,
    allow_failure: false,
    target_url: `https://gitlab.example.com/acme/shop/-/jobs/${check.id}`,
  }
}
