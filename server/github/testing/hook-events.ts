/** Which webhooks GitHub sends about what happens. */

import type { Webhook } from '../../forge/testing/dialect.ts'
import type { Happening, PullAction } from '../../forge/testing/happenings.ts'
import { isoOf, type FakeCheck, type FakeState } from '../../forge/testing/state.ts'
import { faultsOfPayload, payloadOf, type HookEvent } from './hook-payloads.ts'

const actions: Readonly<Record<PullAction, string>> = {
  opened: 'opened',
  pushed: 'synchronize',
  closed: 'closed',
  reopened: 'reopened',
  drafted: 'converted_to_draft',
  readied: 'ready_for_review',
  labelled: 'labeled',
  unlabelled: 'unlabeled',
}

export function webhookOf(happening: Happening, state: FakeState): Webhook {
  const made = eventOf(happening, state)
  const payload = payloadOf(made)
  return { name: made.name, payload, faults: faultsOfPayload(made, payload) }
}

function eventOf(happening: Happening, state: FakeState): HookEvent {
  switch (happening.is) {
    case 'pull': {
      const { number, head: sha, branch: ref, base, isDraft: draft, ...pull } = happening.pull
      const head = { sha, ref }
      const pull_request = { number, state: pull.state, draft, head, base: { ref: base } }
      return event('pull_request', actions[happening.action], { number, pull_request })
    }
    case 'review': {
      const { number, head: sha, branch: ref } = happening.pull
      const pull_request = { number, head: { sha, ref } }
      return event('pull_request_review', 'submitted', { pull_request })
    }
    case 'comment': {
      const { id, number, body, user } = happening.comment
      const issue = { number, pull_request: pullLink(number) }
      const comment = { id, body, user: { login: user } }
      return event('issue_comment', happening.isNew ? 'created' : 'edited', { issue, comment })
    }
    case 'check':
      return checkEvent(happening.check)
    case 'run': {
      const { id, sha, branch, status, conclusion } = happening.run
      const workflow_run = { id, head_sha: sha, head_branch: branch, status, conclusion }
      return event('workflow_run', 'completed', { workflow_run })
    }
    case 'status': {
      const { id, sha, context, state: is, description } = happening.status
      const by = { date: isoOf(state.now()) }
      const commit = { commit: { author: by, committer: by } }
      return event('status', null, { id, sha, context, state: is, description, commit })
    }
    case 'push':
      return event('push', null, { ref: 'refs/heads/main', after: happening.after })
  }
}

function checkEvent({ id, sha, name, status, conclusion, startedAt }: FakeCheck): HookEvent {
  const isOver = status === 'completed'
  const about = { id, head_sha: sha, name, status, conclusion, started_at: isoOf(startedAt) }
  const completed_at = isOver ? isoOf(startedAt) : null
  const check_run = { ...about, completed_at, pull_requests: [] }
  return event('check_run', isOver ? 'completed' : 'created', { check_run })
}

function event(name: string, action: string | null, fields: HookEvent['fields']): HookEvent {
  return { name, action, fields }
}

function pullLink(number: number) {
  const url = `https://api.github.com/repos/acme/shop/pulls/${number}`
  const html = `https://github.com/acme/shop/pull/${number}`
  return { url, html_url: html, diff_url: `${html}.diff`, patch_url: `${html}.patch` }
}
