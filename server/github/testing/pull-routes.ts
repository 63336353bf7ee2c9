/** Pull requests: the list, one of them, their reviews, and the merge button. */

import { recordIn } from '../../forge/rest.ts'
import { editedPull, listed, mergedByButton, opened } from '../../forge/testing/acts.ts'
import { notFound, textIn, type Answer, type Route } from '../../forge/testing/call.ts'
import { lastReviews, mayWrite, type FakePull, type FakeState } from '../../forge/testing/state.ts'
import { listedPull, singlePull } from './shapes.ts'

const repo = '/repos/{owner}/{repo}'

export const pullRoutes: Readonly<Record<string, Route>> = {
  [`GET ${repo}/pulls`]: (state, call) => {
    const wanted = call.query.get('state') ?? 'open'
    const found = listed(state, wanted, call.query.get('base'))
    return { status: 200, items: found.map((pull) => listedPull(state, pull)) }
  },

  [`GET ${repo}/pulls/{pull_number}`]: (state, { path }) => {
    const pull = state.pulls.get(Number(path['pull_number']))
    return pull ? { status: 200, body: singlePull(state, pull) } : notFound
  },

  [`PATCH ${repo}/pulls/{pull_number}`]: (state, { path, body }) => {
    const pull = state.pulls.get(Number(path['pull_number']))
    if (!pull) return notFound
    return editedPull(state, pull, body) ?? { status: 200, body: singlePull(state, pull) }
  },

  [`POST ${repo}/pulls`]: async (state, { body }) => {
    const asked = {
      ...{ branch: textIn(body, 'head'), base: textIn(body, 'base') },
      ...{
        title: textIn(body, 'title'),
        body: textIn(body, 'body'),
        isDraft: body['draft'] === true,
      },
    }
    const pull = await opened(state, asked, (number) => `refs/pull/${number}/head`)
    if (!pull) return refused(422, 'Validation Failed')
    return { status: 201, body: singlePull(state, pull) }
  },

  'POST /graphql': (state, { body }) => {
    const number = Number(recordIn(body['variables'])['number'])
    const pull = state.pulls.get(number)
    if (!pull) {
      const message = `Could not resolve to a PullRequest with the number of ${number}.`
      return { status: 200, body: { data: null, errors: [{ type: 'NOT_FOUND', message }] } }
    }
    return { status: 200, body: { data: { repository: { pullRequest: verdictOn(state, pull) } } } }
  },

  [`PUT ${repo}/pulls/{pull_number}/merge`]: async (state, { path, body }) => {
    const pull = state.pulls.get(Number(path['pull_number']))
    if (pull?.stack) return refused(403, 'Merging stacked PRs via this endpoint is not supported')
    return pull ? merge(state, pull, body) : notFound
  },

  [`PUT ${repo}/pulls/{pull_number}/merge-async`]: (state, { path, body }) => {
    const pull = state.pulls.get(Number(path['pull_number']))
    if (!pull) return notFound
    if (pull.mergeCommit !== null) return asyncResult(200, 'merged', { sha: pull.mergeCommit })
    if (pull.state === 'closed' || pull.isDraft) return asyncResult(400, 'failed')
    const { stack = {} } = pull
    const isGoing = stack.merge !== undefined
    stack.merge ??= { body, looks: 0 }
    pull.stack = stack
    return asyncResult(isGoing ? 409 : 202, 'pending', pendingOf(pull))
  },

  /** Its first answer is that it is under way. */
  [`GET ${repo}/pulls/{pull_number}/merge-async/{uuid}`]: async (state, { path }) => {
    const pull = state.pulls.get(Number(path['pull_number']))
    const going = pull?.stack?.merge
    if (!pull || !going || path['uuid'] !== uuidOf(pull)) return notFound
    if (pull.mergeCommit !== null) return asyncResult(200, 'merged', { sha: pull.mergeCommit })
    if (going.looks++ === 0) return asyncResult(200, 'pending', pendingOf(pull))
    const why = pull.stack?.refused
    const answer =
      why === undefined ? await merge(state, pull, recordIn(going.body)) : refused(405, why)
    const { sha, message } = recordIn(answer.body)
    if (typeof sha === 'string') return asyncResult(200, 'merged', { sha })
    return asyncResult(200, 'failed', { message })
  },
}

const uuidOf = ({ number }: FakePull): string =>
  `630b9d5e-3f2a-4f7e-8b0c-${String(number).padStart(12, '0')}`

const pendingOf = (pull: FakePull) => ({
  ...{ uuid: uuidOf(pull), merge_method: 'default', merge_action: 'direct_merge' },
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

const refused = (status: number, message: string): Answer => ({ status, body: { message } })

/** The merge button. */
async function merge(
  state: FakeState,
  pull: FakePull,
  body: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const { methods } = state
  const written = textIn(body, 'merge_method', 'merge')
  const method = written === 'squash' || written === 'rebase' ? written : 'merge'
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
  return { status: 200, body: { sha: commit, merged: true, message: 'Pull Request merged' } }
}
