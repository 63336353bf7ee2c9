/** Which webhooks GitHub sends: the difference between what was, and what is. */

import type { HookEvent } from './hook-payloads.ts'
import { isoOf, type FakePull, type FakeState } from './state.ts'

type KnownPull = Pick<FakePull, 'head' | 'state' | 'isDraft' | 'base'> & {
  readonly labels: readonly string[]
  readonly reviews: number
}

/** What the last webhooks were about. */
export type Told = {
  readonly pulls: ReadonlyMap<number, KnownPull>
  /** What is known of comments, checks, runs and statuses, by id. */
  readonly others: ReadonlyMap<number, string>
}

export const nothingTold: Told = { pulls: new Map(), others: new Map() }

export function toldOf({ pulls, comments, checks, workflowRuns, statuses }: FakeState): Told {
  return {
    pulls: new Map(
      [...pulls].map(([number, { head, state, isDraft, base, labels, reviews }]) => {
        const known = { head, state, isDraft, base, labels: [...labels], reviews: reviews.length }
        return [number, known] as const
      }),
    ),
    others: new Map([
      ...comments.map(({ id, body }) => [id, body] as const),
      ...[...checks, ...workflowRuns].map(({ id, status }) => [id, status] as const),
      ...statuses.map(({ id, state }) => [id, state] as const),
    ]),
  }
}

/** The events since then, oldest first as far as that is known. */
export function eventsSince(before: Told, state: FakeState): HookEvent[] {
  const isNews = (id: number, now: string): boolean => before.others.get(id) !== now
  const pulls = [...state.pulls.values()].flatMap((pull) =>
    pullEvents(before.pulls.get(pull.number), pull),
  )
  const comments = state.comments.flatMap(({ id, number, body, user }) => {
    if (!isNews(id, body)) return []
    const action = before.others.has(id) ? 'edited' : 'created'
    const issue = { number, pull_request: pullLink(number) }
    return event('issue_comment', action, { issue, comment: { id, body, user: { login: user } } })
  })
  const checks = state.checks.flatMap(({ id, sha, name, status, conclusion, startedAt }) => {
    if (!isNews(id, status) || status === 'queued') return []
    const isOver = status === 'completed'
    const about = { id, head_sha: sha, name, status, conclusion, started_at: isoOf(startedAt) }
    const completed_at = isOver ? isoOf(startedAt) : null
    const check_run = { ...about, completed_at, pull_requests: [] }
    return event('check_run', isOver ? 'completed' : 'created', { check_run })
  })
  const runs = state.workflowRuns.flatMap(({ id, sha, branch, status, conclusion }) => {
    if (!isNews(id, status) || status !== 'completed') return []
    const workflow_run = { id, head_sha: sha, head_branch: branch, status, conclusion }
    return event('workflow_run', 'completed', { workflow_run })
  })
  const by = { date: isoOf(state.now()) }
  const statuses = state.statuses.flatMap(({ id, sha, context, state: is, description }) => {
    if (!isNews(id, is)) return []
    const commit = { commit: { author: by, committer: by } }
    return event('status', null, { id, sha, context, state: is, description, commit })
  })
  return [...pulls, ...comments, ...checks, ...runs, ...statuses]
}

function event(name: string, action: string | null, fields: HookEvent['fields']): [HookEvent] {
  return [{ name, action, fields }]
}

function pullLink(number: number) {
  const url = `https://api.github.com/repos/acme/shop/pulls/${number}`
  const html = `https://github.com/acme/shop/pull/${number}`
  return { url, html_url: html, diff_url: `${html}.diff`, patch_url: `${html}.patch` }
}

function pullEvents(before: KnownPull | undefined, now: FakePull): HookEvent[] {
  const { number, labels, base } = now
  const head = { sha: now.head, ref: now.branch }
  const pull_request = { number, state: now.state, draft: now.isDraft, head, base: { ref: base } }
  const about = (action: string): [HookEvent] =>
    event('pull_request', action, { number, pull_request })
  if (!before) return about('opened')
  return [
    before.head === now.head ? [] : about('synchronize'),
    before.state === now.state ? [] : about(now.state === 'closed' ? 'closed' : 'reopened'),
    before.isDraft === now.isDraft
      ? []
      : about(now.isDraft ? 'converted_to_draft' : 'ready_for_review'),
    labels.every((label) => before.labels.includes(label)) ? [] : about('labeled'),
    before.labels.every((label) => labels.includes(label)) ? [] : about('unlabeled'),
    before.reviews === now.reviews.length
      ? []
      : event('pull_request_review', 'submitted', { pull_request: { number, head } }),
  ].flat()
}
