/** Pull requests of the fake Gitea: the list, one of them, their reviews, and the mark of a merge. */

import { editedPull, listed, opened } from '../../forge/testing/acts.ts'
import { notFound, textIn, type Answer, type Call, type Route } from '../../forge/testing/call.ts'
import {
  lastReviews,
  markMerged,
  mayWrite,
  type FakePull,
  type FakeState,
} from '../../forge/testing/state.ts'
import { filled, pullOf, userOf } from './shapes.ts'

const repo = '/repos/{owner}/{repo}'

const states: Readonly<Record<string, string>> = { CHANGES_REQUESTED: 'REQUEST_CHANGES' }

function pullIn({ pulls }: FakeState, { path }: Call): FakePull | undefined {
  return pulls.get(Number(path['index']))
}

export const pullRoutes: Readonly<Record<string, Route>> = {
  [`GET ${repo}/pulls`]: (state, call) => {
    const found = listed(state, call.query.get('state') ?? 'open', null)
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

  [`POST ${repo}/pulls`]: created,

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

async function created(state: FakeState, { body }: Call): Promise<Answer> {
  const title = textIn(body, 'title')
  const asked = {
    ...{ branch: textIn(body, 'head'), base: textIn(body, 'base'), title },
    ...{ body: textIn(body, 'body'), isDraft: title.startsWith('WIP:') },
  }
  const pull = await opened(state, asked, (number) => `refs/pull/${number}/head`)
  if (!pull) return { status: 409, body: { message: 'pull request already exists' } }
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
