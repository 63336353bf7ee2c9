/** The fake's state as objects of GitHub's API, held to its own document. */

import { fillerOf, Published } from '../../code-host/testing/published.ts'
import {
  idOfUser,
  isoOf,
  type FakeCheck,
  type FakeComment,
  type FakePull,
  type FakeState,
  type FakeStatus,
  type FakeWorkflowRun,
} from '../../code-host/testing/state.ts'

export const published = new Published('github')

export const filled = fillerOf(published.document)

export function userOf(login: string): Record<string, unknown> {
  return filled('simple-user', {
    login,
    id: idOfUser(login),
    type: login.endsWith('[bot]') ? 'Bot' : 'User',
  })
}

export function repositoryOf({ owner, name, methods, permissions }: FakeState) {
  return filled('full-repository', {
    name,
    full_name: `${owner}/${name}`,
    owner: userOf(owner),
    default_branch: 'main',
    permissions: { pull: true, maintain: permissions.admin, triage: true, ...permissions },
    allow_squash_merge: methods.squash,
    allow_merge_commit: methods.merge,
    allow_rebase_merge: methods.rebase,
  })
}

/** The fields of a pull request that both the list and the single answer have. */
function fieldsOf(state: FakeState, pull: FakePull): Record<string, unknown> {
  return {
    id: pull.number,
    number: pull.number,
    title: pull.title,
    body: pull.body,
    state: pull.state,
    draft: pull.isDraft,
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeCommit,
    updated_at: isoOf(pull.updatedAt),
    user: userOf(pull.author),
    labels: pull.labels.map((name) => labelOf(name)),
    html_url: `https://github.com/${state.owner}/${state.name}/pull/${pull.number}`,
    head: {
      ...sideOf(state, pull.branch, pull.isFork ? pull.author : state.owner),
      sha: pull.head,
    },
    base: sideOf(state, pull.base, state.owner),
    ...stackOf(state, pull),
  }
}

/** A branch, and the repository that has it. */
function sideOf({ name }: FakeState, ref: string, owner: string) {
  const repo = { name, full_name: `${owner}/${name}`, owner: userOf(owner) }
  return { ref, label: `${owner}:${ref}`, repo }
}

/** Those of one of GitHub's own stacks have their place in it. */
function stackOf(state: FakeState, pull: FakePull) {
  if (!pull.stack) return {}
  const below = [...state.pulls.values()].filter(({ branch }) => branch === pull.base).length
  return {
    stack: {
      id: 1,
      number: 1,
      size: 2,
      position: 1 + below,
      base: { ref: 'main', sha: pull.head },
    },
  }
}

export function listedPull(state: FakeState, pull: FakePull): Record<string, unknown> {
  return filled('pull-request-simple', fieldsOf(state, pull))
}

export function singlePull(state: FakeState, pull: FakePull): Record<string, unknown> {
  return filled('pull-request', { ...fieldsOf(state, pull), merged: pull.mergedAt !== null })
}

export function labelOf(name: string): Record<string, unknown> {
  return filled('label', { name, description: '' })
}

export function commentOf(comment: FakeComment): Record<string, unknown> {
  return filled('issue-comment', {
    id: comment.id,
    body: comment.body,
    user: userOf(comment.user),
    issue_url: `https://api.github.com/repos/acme/shop/issues/${comment.number}`,
    html_url: `https://github.com/acme/shop/pull/${comment.number}#issuecomment-${comment.id}`,
    created_at: isoOf(comment.createdAt),
    updated_at: isoOf(comment.updatedAt),
    author_association: 'NONE',
  })
}

export function statusOf({ createdAt, url, sha: _sha, by, ...status }: FakeStatus) {
  const at = isoOf(createdAt)
  const about = { target_url: url, creator: userOf(by), created_at: at, updated_at: at }
  return filled('status', { ...status, ...about })
}

export function checkOf(check: FakeCheck): Record<string, unknown> {
  return filled('check-run', {
    id: check.id,
    name: check.name,
    head_sha: check.sha,
    status: check.status,
    conclusion: check.conclusion,
    started_at: isoOf(check.startedAt),
    completed_at: check.status === 'completed' ? isoOf(check.startedAt + 1_000) : null,
    html_url: `https://github.com/acme/shop/runs/${check.id}`,
    check_suite: { id: check.suite },
    app: appOf(check.app),
  })
}

/** The numbers of Apps; that of GitHub's Actions is the real one. */
const apps: Readonly<Record<string, number>> = { 'github-actions': 15_368, 'other-ci': 72 }

export function appNumber(slug: string): number {
  return apps[slug] ?? 1
}

export function appOf(slug: string): Record<string, unknown> {
  return filled('integration', { id: appNumber(slug), slug, name: slug, owner: userOf('github') })
}

export function workflowRunOf(run: FakeWorkflowRun): Record<string, unknown> {
  return filled('workflow-run', {
    id: run.id,
    name: run.name,
    check_suite_id: run.suite,
    head_branch: run.branch,
    head_sha: run.sha,
    status: run.status,
    conclusion: run.conclusion,
    html_url: `https://github.com/acme/shop/actions/runs/${run.id}`,
    created_at: isoOf(run.createdAt),
    updated_at: isoOf(run.createdAt),
    run_started_at: isoOf(run.createdAt),
  })
}
