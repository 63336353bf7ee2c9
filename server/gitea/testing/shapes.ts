/** The fake's state as objects of Gitea's API, held to its own document. */

import {
  commentsOn,
  idOfUser,
  type FakeCheck,
  type FakeComment,
  type FakeActivity,
  type FakePull,
  type FakeState,
  type FakeStatus,
} from '../../code-host/testing/state.ts'
import { fillerOf, type Fields, Published } from '../../code-host/testing/published.ts'

export const published = new Published('gitea')

export const filled = fillerOf(published.document)

/** Gitea writes instants in the zone of its server. */
function instantOf(at: number): string {
  const hourMs = 3_600_000
  return `${new Date(at + hourMs).toISOString().slice(0, 19)}+01:00`
}

export function userOf(login: string): Fields {
  // An account that is deleted is nobody's.
  return filled('User', { login, id: login === 'Ghost' ? -1 : idOfUser(login) })
}

export function repositoryOf({ owner, name, methods, permissions }: FakeState) {
  return filled('Repository', {
    name,
    full_name: `${owner}/${name}`,
    owner: userOf(owner),
    default_branch: 'main',
    permissions: { pull: true, ...permissions },
    allow_manual_merge: methods.manual,
    allow_squash_merge: methods.squash,
  })
}

export function labelOf({ labels }: FakeState, name: string): Fields {
  return filled('Label', { id: idOfLabel(labels, name), name, color: '8c959f' })
}

/** A label that a person uses is there. */
function idOfLabel(labels: string[], name: string): number {
  if (!labels.includes(name)) labels.push(name)
  return labels.indexOf(name) + 1
}

export function pullOf(state: FakeState, pull: FakePull): Fields {
  return filled('PullRequest', {
    id: pull.number + 10_000,
    number: pull.number,
    title: pull.title,
    body: pull.body,
    state: pull.state,
    draft: pull.isDraft,
    merged: pull.mergedAt !== null,
    updated_at: instantOf(pull.updatedAt),
    comments: commentsOn(state, pull),
    user: userOf(pull.author),
    labels: pull.labels.map((name) => labelOf(state, name)),
    head: { ref: pull.branch, sha: pull.head, label: pull.branch, repo_id: pull.isFork ? 2 : 1 },
    base: { ref: pull.base, label: pull.base, repo_id: 1 },
    ...(pull.mergeCommit === null ? {} : { merge_commit_sha: pull.mergeCommit }),
  })
}

export function commentOf(comment: FakeComment): Fields {
  const url = `https://git.example.com/acme/shop/pulls/${comment.number}`
  return filled('Comment', {
    id: comment.id,
    body: comment.body,
    user: userOf(comment.user),
    issue_url: '',
    pull_request_url: url,
    html_url: `${url}#issuecomment-${comment.id}`,
    created_at: instantOf(comment.createdAt),
    updated_at: instantOf(comment.updatedAt),
  })
}

export function statusOf(status: FakeStatus): Fields {
  return filled('CommitStatus', {
    id: status.id,
    context: status.context,
    status: status.state,
    description: status.description,
    target_url: status.url ?? '',
    created_at: instantOf(status.createdAt),
    updated_at: instantOf(status.createdAt),
  })
}

/** Gitea's own CI writes a status for each job; a cancelled one has failed. */
export function statusOfCheck(check: FakeCheck): Fields {
  const passed = check.conclusion === 'success' || check.conclusion === 'skipped'
  const over = passed ? (check.conclusion ?? '') : 'failure'
  return filled('CommitStatus', {
    id: check.id,
    context: check.name,
    status: check.status === 'completed' ? over : 'pending',
    description: check.status,
    target_url: `https://git.example.com/acme/shop/actions/runs/${check.id}`,
    created_at: instantOf(check.startedAt),
    updated_at: instantOf(check.startedAt),
  })
}

const types: Readonly<Record<FakeActivity['is'], string>> = {
  labelled: 'label',
  unlabelled: 'label',
  closed: 'close',
  reopened: 'reopen',
  drafted: 'change_title',
  readied: 'change_title',
  retargeted: 'change_target_branch',
  pushed: 'pull_push',
  branch: 'pull_push',
}

/** A push shows while the pull request is open, and what it was opened with; what a reopened one takes over does not. */
export function isShown(activity: FakeActivity): boolean {
  return activity.is === 'pushed'
    ? !activity.isReopening
    : activity.is !== 'branch' || activity.before === null
}

/** Something in the timeline: a comment, or what somebody did. */
export function timelineOf(state: FakeState, each: FakeActivity | FakeComment): Fields {
  if ('reactions' in each) return { ...commentOf(each), type: 'comment' }
  const at = instantOf(each.at)
  const about = { id: each.id, type: types[each.is], user: userOf(each.by) }
  return filled('TimelineComment', {
    ...about,
    created_at: at,
    updated_at: at,
    ...more(state, each),
  })
}

function more(state: FakeState, activity: FakeActivity): Fields {
  if (activity.is === 'labelled') return { body: '1', label: labelOf(state, activity.label) }
  if (activity.is === 'unlabelled') return { body: '', label: labelOf(state, activity.label) }
  if (activity.is === 'retargeted') return { old_ref: activity.from, new_ref: activity.to }
  const [ready, draft] = ['Pay twice', 'WIP: Pay twice']
  if (activity.is === 'drafted') return { old_title: ready, new_title: draft }
  if (activity.is === 'readied') return { old_title: draft, new_title: ready }
  if (activity.is !== 'pushed' && activity.is !== 'branch') return {}
  const commit_ids = [activity.is === 'pushed' ? activity.head : activity.after]
  return { body: JSON.stringify({ is_force_push: activity.is === 'pushed', commit_ids }) }
}
