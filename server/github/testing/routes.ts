/** Pull requests: the list, one of them, their reviews, and the merge button. */

import { recordIn } from '../../code-host/rest.ts'
import {
  cancelled,
  editedPull,
  listed,
  mergedByButton,
  ofPull,
  opened,
  talkRoutes,
} from '../../code-host/testing/acts.ts'
import {
  made,
  notFound,
  ok,
  pageOf,
  refused,
  textIn,
  type Answer,
  type Call,
  type Route,
} from '../../code-host/testing/call.ts'
import {
  lastReviews,
  mayWrite,
  type FakePull,
  type FakeState,
  isoOf,
  type FakeActivity,
  change,
  nextId,
} from '../../code-host/testing/state.ts'
import {
  listedPull,
  singlePull,
  checkOf,
  statusOf,
  workflowRunOf,
  filled,
  userOf,
  commentOf,
  labelOf,
} from './shapes.ts'

const repo = '/repos/{owner}/{repo}'

const one = `${repo}/pulls/{pull_number}`
const named = 'pull_number'

export const pullRoutes: Readonly<Record<string, Route>> = {
  [`GET ${repo}/pulls`]: (state, call) => {
    const wanted = call.query.get('state') ?? 'open'
    const found = listed(state, wanted, call.query.get('base'))
    return pageOf(found.map((pull) => listedPull(state, pull)))
  },

  [`GET ${one}`]: ofPull(named, (pull, state) => ok(singlePull(state, pull))),

  [`PATCH ${one}`]: ofPull(
    named,
    (pull, state, { body }) => editedPull(state, pull, body) ?? ok(singlePull(state, pull)),
  ),

  [`POST ${repo}/pulls`]: async (state, { body }) => {
    const asked = {
      branch: textIn(body, 'head'),
      base: textIn(body, 'base'),
      title: textIn(body, 'title'),
      body: textIn(body, 'body'),
      isDraft: body['draft'] === true,
    }
    const pull = await opened(state, asked, (number) => `refs/pull/${number}/head`)
    const words = `A pull request already exists for acme:${asked.branch}.`
    return pull ? made(singlePull(state, pull)) : invalidPull(words)
  },

  'POST /graphql': (state, { body }) => {
    const number = Number(recordIn(body['variables'])['number'])
    const pull = state.pulls.get(number)
    if (pull) return ok({ data: { repository: { pullRequest: verdictOn(state, pull) } } })
    const message = `Could not resolve to a PullRequest with the number of ${number}.`
    return ok({ data: null, errors: [{ type: 'NOT_FOUND', message }] })
  },

  [`PUT ${one}/merge`]: ofPull(named, (pull, state, { body }) =>
    pull.stack
      ? refused(403, 'Merging stacked PRs via this endpoint is not supported')
      : merge(state, pull, body),
  ),

  [`PUT ${one}/merge-async`]: ofPull(named, (pull, _, { body }) => {
    if (pull.mergeCommit !== null) return asyncResult(200, 'merged', { sha: pull.mergeCommit })
    if (pull.state === 'closed' || pull.isDraft) return asyncResult(400, 'failed')
    const { stack = {} } = pull
    const isGoing = stack.merge !== undefined
    stack.merge ??= { body, looks: 0 }
    pull.stack = stack
    return asyncResult(isGoing ? 409 : 202, 'pending', pendingOf(pull))
  }),

  /** Its first answer is that it is under way. */
  [`GET ${one}/merge-async/{uuid}`]: ofPull(named, async (pull, state, { path }) => {
    const { merge: going, refused: why } = pull.stack ?? {}
    if (!going || path['uuid'] !== uuidOf(pull)) return notFound
    if (pull.mergeCommit !== null) return asyncResult(200, 'merged', { sha: pull.mergeCommit })
    if (going.looks++ === 0) return asyncResult(200, 'pending', pendingOf(pull))
    const answer =
      why === undefined ? await merge(state, pull, recordIn(going.body)) : refused(405, why)
    const { sha, message } = recordIn(answer.body)
    if (typeof sha === 'string') return asyncResult(200, 'merged', { sha })
    return asyncResult(200, 'failed', { message })
  }),
}

/** Why a pull request cannot be opened. */
export function invalidPull(message: string): Answer {
  return invalid({ resource: 'PullRequest', code: 'custom', message })
}

function invalid(error: Readonly<Record<string, string>>): Answer {
  const documentation_url = 'https://docs.github.com/rest'
  return { status: 422, body: { message: 'Validation Failed', errors: [error], documentation_url } }
}

const uuidOf = ({ number }: FakePull): string =>
  `630b9d5e-3f2a-4f7e-8b0c-${String(number).padStart(12, '0')}`

const pendingOf = (pull: FakePull) => ({
  uuid: uuidOf(pull),
  merge_method: 'default',
  merge_action: 'direct_merge',
  expected_head_sha: pull.head,
})

function asyncResult(code: number, status: string, details: object = {}): Answer {
  return { status: code, body: { status, details: { message: `It is ${status}.`, ...details } } }
}

/** The verdict of GitHub: null if the branch asks for none, and where required reviewers of a ruleset do. */
function verdictOn(state: FakeState, pull: FakePull) {
  const { approvals = 0, others = [] } = state.rules ?? {}
  const reviews = lastReviews(pull).filter(({ user }) => mayWrite(state, user))
  const objects = reviews.some((review) => review.state === 'CHANGES_REQUESTED')
  const approved = reviews.filter((review) => review.state === 'APPROVED').length >= approvals
  const isAsked = approvals > 0 && !others.includes('reviewers')
  const verdict = objects ? 'CHANGES_REQUESTED' : approved ? 'APPROVED' : 'REVIEW_REQUIRED'
  return {
    reviewDecision: isAsked ? verdict : null,
    latestOpinionatedReviews: {
      nodes: reviews.map(({ state: is, user }) => ({ state: is, author: { login: user } })),
      pageInfo: { hasNextPage: false, endCursor: null },
    },
  }
}

/** The merge button. */
async function merge(
  state: FakeState,
  pull: FakePull,
  body: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const { methods } = state
  const asked = textIn(body, 'merge_method', 'merge')
  const method = asked === 'squash' || asked === 'rebase' ? asked : 'merge'
  if (pull.state === 'closed') return refused(405, 'Pull Request is not mergeable')
  if (pull.isDraft) return refused(405, 'Pull Request is still a draft')
  if (state.isButtonDenied) {
    return refused(405, 'Repository rule violations found. Cannot update this protected ref.')
  }
  if (body['sha'] !== undefined && body['sha'] !== pull.head) {
    return refused(409, 'Head branch was modified. Review and try the merge again.')
  }
  if (!methods[method]) {
    return refused(405, `${method} merges are not allowed on this repository.`)
  }
  const text = `${textIn(body, 'commit_title', pull.title)}\n\n${textIn(body, 'commit_message')}`
  const commit = await mergedByButton(state, pull, { method, text })
  if (commit === null) return refused(405, 'Pull Request is not mergeable')
  return ok({ sha: commit, merged: true, message: 'Pull Request merged' })
}

// Checks, statuses and workflow runs.

export const checkRoutes: Readonly<Record<string, Route>> = {
  [`GET ${repo}/commits/{ref}/check-runs`]: ({ checks }, call) => {
    const found = checks.filter(({ sha }) => sha === call.path['ref'])
    const wrap: Answer['wrap'] = (page, total) => ({ total_count: total, check_runs: page })
    return { ...pageOf(found.map((check) => checkOf(check))), wrap }
  },

  [`GET ${repo}/commits/{ref}/statuses`]: ({ statuses }, call) => {
    const found = statuses.filter(({ sha }) => sha === call.path['ref']).reverse()
    return pageOf(found.map((status) => statusOf(status)))
  },

  [`GET ${repo}/actions/runs`]: ({ workflowRuns }, call) => {
    const [branch, sha] = [call.query.get('branch'), call.query.get('head_sha')]
    const found = workflowRuns
      .filter((run) => branch === null || run.branch === branch)
      .filter((run) => sha === null || run.sha === sha)
    const wrap: Answer['wrap'] = (page, total) => ({ total_count: total, workflow_runs: page })
    return { ...pageOf(found.map((run) => workflowRunOf(run))), wrap }
  },

  [`POST ${repo}/actions/runs/{run_id}/cancel`]: (state, { path }) => {
    const run = state.workflowRuns.find(({ id }) => id === Number(path['run_id']))
    if (!run) return notFound
    if (run.status === 'completed') {
      return refused(409, 'Cannot cancel a workflow run that is completed.')
    }
    cancelled(state, run)
    return { status: 202, body: {} }
  },
}

// What was done to a pull request and its branch: the timeline, and the activity of a repository.

export const activityRoutes: Readonly<Record<string, Route>> = {
  [`GET ${repo}/issues/{issue_number}/timeline`]: (state, call) => {
    const number = Number(call.path['issue_number'])
    const isOfIt = (each: { readonly number: number }): boolean => each.number === number
    const activities = state.activities.filter(isOfIt).flatMap((activity) => {
      const event = eventOf(activity)
      return event === null ? [] : { id: activity.id, event }
    })
    const comments = state.comments.filter(isOfIt).map(({ id, user, body, createdAt }) => {
      const at = isoOf(createdAt)
      const about = { id, user: userOf(user), actor: userOf(user), body, event: 'commented' }
      const fields = { ...about, created_at: at, updated_at: at, author_association: 'NONE' }
      return { id, event: filled('timeline-comment-event', fields) }
    })
    const all = [...activities, ...comments].sort((a, b) => a.id - b.id).map(({ event }) => event)
    return pageOf(all)
  },

  /** Of forks too: who may read a repository may ask this. The newest first. */
  [`GET ${repo}/activity`]: (state, call) => {
    const found = state.activities.filter((activity) => activity.is === 'branch')
    const pushes = found.filter(({ number }) => {
      const pull = state.pulls.get(number)
      const owner = pull?.isFork === true ? pull.author : state.owner
      return owner === call.path['owner'] && `refs/heads/${pull?.branch}` === call.query.get('ref')
    })
    const isGone = pushes.some(({ number }) => state.pulls.get(number)?.isForkGone === true)
    if (isGone) return notFound
    const all = pushes.reverse().map((push) => activityOf(state, push))
    return byCursor(all, call)
  },
}

/** A page of a list that names the next one by a cursor. */
function byCursor(all: readonly unknown[], { query }: Call): Answer {
  const [from, size] = [Number(query.get('after') ?? 0), Number(query.get('per_page') ?? 30)]
  const next = from + size
  const link = `<https://api.github.com/next?after=${next}>; rel="next"`
  const headers = next < all.length ? { headers: { link } } : {}
  return { status: 200, body: all.slice(from, next), ...headers }
}

const events = {
  closed: 'closed',
  reopened: 'reopened',
  drafted: 'convert_to_draft',
  readied: 'ready_for_review',
  retargeted: 'base_ref_changed',
} as const

/** A push with force is an event; other pushes show as commits, with the instants that the pusher gave them. */
function eventOf(activity: FakeActivity): object | null {
  const about = { id: activity.id, actor: userOf(activity.by), created_at: isoOf(activity.at) }
  if (activity.is === 'labelled' || activity.is === 'unlabelled') {
    const event = activity.is === 'labelled' ? 'labeled' : 'unlabeled'
    const label = { name: activity.label, color: 'ededed' }
    return filled(`${event}-issue-event`, { ...about, event, label })
  }
  if (activity.is === 'pushed') {
    return filled('timeline-committed-event', { event: 'committed', sha: activity.head })
  }
  if (activity.is !== 'branch') {
    return filled('state-change-issue-event', { ...about, event: events[activity.is] })
  }
  return activity.isForced && activity.wasOpen
    ? filled('state-change-issue-event', { ...about, event: 'head_ref_force_pushed' })
    : null
}

function activityOf(state: FakeState, activity: Extract<FakeActivity, { readonly is: 'branch' }>) {
  const nothing = '0'.repeat(40)
  return filled('activity', {
    id: activity.id,
    before: activity.before ?? nothing,
    after: activity.after,
    ref: `refs/heads/${state.pulls.get(activity.number)?.branch ?? ''}`,
    timestamp: isoOf(activity.at),
    activity_type:
      activity.before === null ? 'branch_creation' : activity.isForced ? 'force_push' : 'push',
    actor: userOf(activity.by),
  })
}

// Comments, reactions and labels.

const issue = `${repo}/issues/{issue_number}`

const isSameLabel = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

export const commentRoutes: Readonly<Record<string, Route>> = {
  ...talkRoutes(repo, {
    issue: 'issue_number',
    comment: 'comment_id',
    commentOf,
    statusOf,
    reactionOf: (state, content) => {
      return filled('reaction', { id: nextId(state), user: userOf(state.login), content })
    },
    noState: 'Validation Failed',
    refusalOf: (text) =>
      /[^\0-\uFFFF]/u.test(text) ? "description doesn't accept 4-byte Unicode" : null,
  }),

  [`GET ${issue}/comments`]: ({ comments }, call) => {
    const found = comments.filter(({ number }) => number === Number(call.path['issue_number']))
    return pageOf(found.map((comment) => commentOf(comment)))
  },

  [`POST ${repo}/labels`]: ({ labels }, { body }) => {
    const name = textIn(body, 'name')
    if (labels.some((each) => isSameLabel(each, name))) {
      return invalid({ resource: 'Label', code: 'already_exists', field: 'name' })
    }
    labels.push(name)
    return made(labelOf(name))
  },

  [`POST ${issue}/labels`]: ofPull('issue_number', (pull, state, { body }) => {
    const names = Array.isArray(body['labels']) ? body['labels'].map(String) : []
    change(state, pull, { labels: [...new Set([...pull.labels, ...names])], by: state.login })
    return ok(pull.labels.map((name) => labelOf(name)))
  }),

  [`DELETE ${issue}/labels/{name}`]: ofPull('issue_number', (pull, state, { path }) => {
    const name = path['name'] ?? ''
    const labels = pull.labels.filter((each) => !isSameLabel(each, name))
    if (labels.length === pull.labels.length) return refused(404, 'Label does not exist')
    change(state, pull, { labels, by: state.login })
    return ok(pull.labels.map((each) => labelOf(each)))
  }),
}
