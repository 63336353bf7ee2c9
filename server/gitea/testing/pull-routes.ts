/** Pull requests of the fake Gitea: the list, one of them, their reviews, and the mark of a merge. */

import { notFound, textIn, type Answer, type Call, type Route } from '../../forge/testing/call.ts'
import {
  editedPull,
  lastReviews,
  markMerged,
  mayWrite,
  type FakePull,
  type FakeState,
} from '../../forge/testing/state.ts'
import { filled } from './filled.ts'
import { pullOf, userOf } from './shapes.ts'

const repo = '/repos/{owner}/{repo}'

const states: Readonly<Record<string, string>> = { CHANGES_REQUESTED: 'REQUEST_CHANGES' }

function pullIn({ pulls }: FakeState, { path }: Call): FakePull | undefined {
  return pulls.get(Number(path['index']))
}

export const pullRoutes: Readonly<Record<string, Route>> = {
  [`GET ${repo}/pulls`]: (state, call) => {
    const wanted = call.query.get('state') ?? 'open'
    const found = [...state.pulls.values()]
      .filter((pull) => wanted === 'all' || pull.state === wanted)
      .sort((a, b) => b.number - a.number)
    return { status: 200, items: found.map((pull) => pullOf(state, pull)) }
  },

  [`GET ${repo}/pulls/{index}`]: (state, call) => {
    const pull = pullIn(state, call)
    return pull ? { status: 200, body: pullOf(state, pull) } : notFound
  },

  [`PATCH ${repo}/pulls/{index}`]: (state, call) => {
    const pull = pullIn(state, call)
    if (!pull) return notFound
    return editedPull(state, pull, call.body) ?? { status: 201, body: pullOf(state, pull) }
  },

  [`POST ${repo}/pulls`]: opened,

  [`GET ${repo}/pulls/{index}/reviews`]: (state, call) => {
    const pull = pullIn(state, call)
    if (!pull) return notFound
    const last = lastReviews(pull)
    const reviews = pull.reviews.map((review, index) =>
      filled('PullReview', {
        id: index + 1,
        user: userOf(review.user),
        state: states[review.state] ?? review.state,
        commit_id: review.commit,
        // As it was when they gave it; an earlier one of the same person is not any more.
        official: (review.isByWriter ?? mayWrite(state, review.user)) && last.includes(review),
        stale: review.commit !== pull.head,
        dismissed: review.state === 'DISMISSED',
      }),
    )
    return { status: 200, items: reviews }
  },

  [`POST ${repo}/pulls/{index}/merge`]: merged,
}

async function opened(state: FakeState, { body }: Call): Promise<Answer> {
  const { repository } = state
  const branch = textIn(body, 'head')
  const isThere = [...state.pulls.values()].some((pull) => {
    return pull.state === 'open' && pull.branch === branch
  })
  if (isThere) return { status: 409, body: { message: 'pull request already exists' } }
  const number = Math.max(0, ...state.pulls.keys()) + 1
  const head = await repository.oidOf(`refs/heads/${branch}`)
  const title = textIn(body, 'title')
  const pull: FakePull = {
    ...{ number, title, branch, head, body: textIn(body, 'body'), author: state.login },
    ...{
      base: textIn(body, 'base'),
      isFork: false,
      state: 'open',
      isDraft: title.startsWith('WIP:'),
    },
    ...{ mergedAt: null, mergeCommit: null, labels: [], reviews: [], updatedAt: state.now() },
  }
  state.pulls.set(number, pull)
  await repository.set(`refs/pull/${number}/head`, head)
  return { status: 201, body: pullOf(state, pull) }
}

/** Gitea takes any commit that is on the branch, if the repository allows it. */
async function merged(state: FakeState, call: Call): Promise<Answer> {
  const { repository, methods } = state
  const pull = pullIn(state, call)
  if (!pull) return notFound
  const isMark = call.body['Do'] === 'manually-merged'
  if (!isMark || !methods.manual) return { status: 405, body: { message: 'Invalid merge style' } }
  if (pull.state === 'closed') return { status: 405, body: { message: 'The PR is already merged' } }
  const commit = textIn(call.body, 'MergeCommitID')
  const tip = await repository.oidOf(`refs/heads/${pull.base}`)
  if (!(await repository.isReachable(commit, tip)))
    return { status: 409, body: { message: 'Wrong commit ID' } }
  markMerged(state, pull, commit)
  return { status: 200 }
}
