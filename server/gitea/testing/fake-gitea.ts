/** Pull requests of the fake Gitea: the list, one of them, their reviews, and the mark of a merge. */

import { createHmac } from 'node:crypto'
import { editedPull, listed, ofPull, opened, talkRoutes } from '../../code-host/testing/acts.ts'
import {
  linkOf,
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
  markMerged,
  mayWrite,
  type FakePull,
  type FakeState,
  change,
  countedReviews,
} from '../../code-host/testing/state.ts'
import {
  filled,
  pullOf,
  userOf,
  commentOf,
  labelOf,
  repositoryOf,
  statusOf,
  statusOfCheck,
  isShown,
  timelineOf,
  published,
} from './shapes.ts'
import type {
  FakeDialect,
  Webhook,
  Happening,
  PullAction,
} from '../../code-host/testing/dialect.ts'
import {
  codeHostWorld,
  type CodeHostWorld,
  type CodeHostWorldOptions,
} from '../../code-host/testing/code-host-world.ts'
import { giteaAdapter } from '../adapter.ts'

const repo = '/repos/{owner}/{repo}'

const states: Readonly<Record<string, string>> = { CHANGES_REQUESTED: 'REQUEST_CHANGES' }

const pullRoutes: Readonly<Record<string, Route>> = {
  [`GET ${repo}/pulls`]: (state, call) => {
    const found = listed(state, call.query.get('state') ?? 'open', null)
    return pageOf(found.map((pull) => pullOf(state, pull)))
  },

  [`GET ${repo}/pulls/{index}`]: ofPull('index', (pull, state) => ok(pullOf(state, pull))),

  [`PATCH ${repo}/pulls/{index}`]: ofPull(
    'index',
    (pull, state, { body }) => editedPull(state, pull, body) ?? made(pullOf(state, pull)),
  ),

  [`POST ${repo}/pulls`]: created,

  [`GET ${repo}/pulls/{index}/reviews`]: ofPull('index', (pull, state) => {
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
    return pageOf(reviews)
  }),

  [`POST ${repo}/pulls/{index}/merge`]: ofPull('index', merged),
}

async function created(state: FakeState, { body }: Call): Promise<Answer> {
  const title = textIn(body, 'title')
  const asked = {
    branch: textIn(body, 'head'),
    base: textIn(body, 'base'),
    title,
    body: textIn(body, 'body'),
    isDraft: title.startsWith('WIP:'),
  }
  const pull = await opened(state, asked, (number) => `refs/pull/${number}/head`)
  return pull ? made(pullOf(state, pull)) : refused(409, 'pull request already exists')
}

/** Gitea takes any commit that is on the branch, if the repository allows it. */
async function merged(pull: FakePull, state: FakeState, { body }: Call): Promise<Answer> {
  const { repository, methods } = state
  const isMark = body['Do'] === 'manually-merged'
  if (!isMark || !methods.manual) return refused(405, 'Invalid merge style')
  if (pull.state === 'closed') return refused(405, 'The PR is already merged')
  const commit = textIn(body, 'MergeCommitID')
  const tip = await repository.oidOf(`refs/heads/${pull.base}`)
  if (!(await repository.isReachable(commit, tip))) return refused(409, 'Wrong commit ID')
  // The date of its author becomes that of the merge, and must not be 0.
  if ((await repository.writtenAt(commit)) === 0) return refused(500, '')
  markMerged(state, pull, commit)
  return { status: 200 }
}

const notAdmin = 'user should be an owner or a collaborator with admin write of a repository'

// What the fake answers to each operation, as Gitea does.

const routes: Readonly<Record<string, Route>> = {
  ...pullRoutes,

  'GET /user': ({ login }) => ok(userOf(login)),
  [`GET ${repo}`]: (state) => ok(repositoryOf(state)),

  [`GET ${repo}/branches/{branch}`]: ({ rules, permissions }, { path }) => {
    const branch = {
      name: path['branch'],
      protected: rules !== null,
      effective_branch_protection_name: rules === null ? '' : 'main',
      enable_status_check: (rules?.checks.length ?? 0) > 0,
      status_check_contexts: rules?.checks ?? [],
      required_approvals: rules?.approvals ?? 0,
      user_can_push: permissions.push,
      user_can_merge: permissions.push,
    }
    return ok(filled('Branch', branch))
  },

  [`GET ${repo}/branch_protections/{name}`]: ({ rules, permissions }) => {
    if (!permissions.admin) return refused(403, notAdmin)
    if (rules === null) return notFound
    const others = rules.others ?? []
    const protection = {
      rule_name: 'main',
      required_approvals: rules.approvals,
      block_on_rejected_reviews: others.includes('rejections'),
      block_on_official_review_requests: others.includes('requests'),
      block_on_outdated_branch: others.includes('outdated'),
      ignore_stale_approvals: others.includes('stale'),
      require_signed_commits: others.includes('signatures'),
      protected_file_patterns: others.includes('files') ? '*.lock' : '',
    }
    return ok(filled('BranchProtection', protection))
  },

  [`GET ${repo}/collaborators/{collaborator}/permission`]: (
    { people, permissions, login: own },
    { path },
  ) => {
    if (!permissions.admin && path['collaborator'] !== own) {
      const message =
        'Only admins can query all permissions, repo admins can query all repo permissions'
      return refused(403, message)
    }
    const login = path['collaborator'] ?? ''
    if (login === 'Ghost') return refused(404, 'user does not exist')
    const permission = people.get(login) ?? 'read'
    const body = { permission, role_name: permission, user: userOf(login) }
    return ok(filled('RepoCollaboratorPermission', body))
  },

  [`GET ${repo}/commits/{ref}/statuses`]: ({ statuses, checks }, call) => {
    const isIt = ({ sha }: { readonly sha: string }): boolean => sha === call.path['ref']
    const found = [
      ...statuses.filter(isIt).map((status) => statusOf(status)),
      ...checks.filter(isIt).map((check) => statusOfCheck(check)),
    ]
    return pageOf(call.query.get('sort') === 'oldest' ? found : found.reverse())
  },

  ...talkRoutes(repo, {
    issue: 'index',
    comment: 'id',
    commentOf,
    statusOf,
    reactionOf: ({ login }, content) => filled('Reaction', { user: userOf(login), content }),
    noState: 'invalid state',
  }),

  [`GET ${repo}/issues/{index}/comments`]: ({ comments }, { path }) => {
    const found = comments.filter(({ number }) => number === Number(path['index']))
    return ok(found.map((comment) => commentOf(comment)))
  },

  [`GET ${repo}/issues/{index}/timeline`]: (state, call) => {
    const number = Number(call.path['index'])
    if (!state.pulls.has(number)) return notFound
    const all = [
      ...state.activities.filter((activity) => activity.number === number && isShown(activity)),
      ...state.comments.filter((comment) => comment.number === number),
    ].sort((a, b) => a.id - b.id)
    const found = all.map((each) => timelineOf(state, each))
    // Without a page it gives all of it.
    return call.query.has('page') ? pageOf(found) : ok(found)
  },

  [`GET ${repo}/labels`]: (state) => pageOf(state.labels.map((name) => labelOf(state, name))),
  [`POST ${repo}/labels`]: (state, { body }) => made(labelOf(state, textIn(body, 'name'))),

  [`POST ${repo}/issues/{index}/labels`]: ofPull('index', (pull, state, { body }) => {
    const ids = Array.isArray(body['labels']) ? body['labels'].map(Number) : []
    // Those that it does not know are left out.
    const names = ids.flatMap((id) => state.labels[id - 1] ?? [])
    const labels = [...new Set([...pull.labels, ...names])]
    change(state, pull, { labels, by: state.login })
    return ok(pull.labels.map((name) => labelOf(state, name)))
  }),

  [`DELETE ${repo}/issues/{index}/labels/{id}`]: ofPull('index', (pull, state, { path }) => {
    const name = state.labels[Number(path['id']) - 1]
    if (name === undefined) return refused(422, 'label does not exist')
    change(state, pull, { labels: pull.labels.filter((each) => each !== name), by: state.login })
    return { status: 204 }
  }),
}

// Gitea for tests, and a server whose queue works on a repository there.

export const giteaToken = '5f0c0ffee5f0c0ffee5f0c0ffee5f0c0ffee5f0c'

export const gitea: FakeDialect = {
  kind: 'gitea',
  host: 'Gitea',
  adapter: giteaAdapter,
  token: giteaToken,
  optionsOf: (place) => ({ kind: 'gitea', ...place, token: () => giteaToken }),
  prefix: '/api/v1',
  published,
  routes,
  graphql: null,
  paging: {
    usual: 30,
    most: 50,
    headersOf: (page) => ({ ...linkOf(page), 'x-total-count': String(page.total) }),
  },
  list: `GET ${repo}/pulls`,
  one: `GET ${repo}/pulls/{index}`,
  activities: `GET ${repo}/issues/{index}/timeline`,
  ci: `GET ${repo}/commits/{ref}/statuses`,
  comment: `POST ${repo}/issues/{index}/comments`,
  // It sees merges only if its repository is set so.
  mark: `POST ${repo}/pulls/{index}/merge`,
  refusalOf: ({ authorization }) =>
    authorization === `Bearer ${giteaToken}` ? null : 'user does not exist [uid: 0, name: ]',
  isGitUser: (_, token) => token === giteaToken,
  pullRef: (number) => `refs/pull/${number}/head`,
  ghost: 'Ghost',
  limited: { status: 429, body: { message: 'Too Many Requests' } },
  webhookOf,
  headersOf: (event, body, secret) => ({
    'x-gitea-event': event,
    'x-gitea-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
  page: 'pulls',
  hasStatus: true,
  hasTriage: false,
  // A review counts by the right that its author had then.
  isApproved: (pull, { rules }) => {
    const { approvals: needed = 0, others = [] } = rules ?? {}
    const { approvals, objections } = countedReviews(pull, ({ isByWriter, commit, state }) => {
      const isStale = others.includes('stale') && state === 'APPROVED' && commit !== pull.head
      return isByWriter === true && !isStale
    })
    return approvals >= needed && !(others.includes('rejections') && objections > 0)
  },
  others: ['rejections', 'stale'],
}

export function giteaWorld(options?: CodeHostWorldOptions): Promise<CodeHostWorld> {
  return codeHostWorld(gitea, options)
}

const actions: Readonly<Record<PullAction, string>> = {
  opened: 'opened',
  pushed: 'synchronized',
  closed: 'closed',
  reopened: 'reopened',
  drafted: 'edited',
  readied: 'edited',
  labelled: 'label_updated',
  unlabelled: 'label_updated',
}

const repository = { name: 'shop', full_name: 'acme/shop' }

/** The fields that Gitea's webhooks have for sure: no schema of them is published. */
function webhookOf(happening: Happening): Webhook | null {
  const webhook = (name: string, fields: object): Webhook => {
    return { name, payload: { repository, ...fields }, faults: [] }
  }
  switch (happening.is) {
    case 'pull': {
      const { number, state } = happening.pull
      const action = actions[happening.action]
      return webhook('pull_request', { action, number, pull_request: { number, state } })
    }
    case 'review': {
      const { number } = happening.pull
      const fields = { action: 'reviewed', number, pull_request: { number } }
      return webhook('pull_request_approved', fields)
    }
    case 'comment': {
      const { id, number, body, user } = happening.comment
      const action = happening.isNew ? 'created' : 'edited'
      const comment = { id, body, user: { login: user } }
      return webhook('issue_comment', { action, issue: { number }, comment, is_pull: true })
    }
    case 'check': {
      const { sha, name, status } = happening.check
      return webhook('status', { sha, context: name, state: status })
    }
    case 'status': {
      const { sha, context, state } = happening.status
      return webhook('status', { sha, context, state })
    }
    case 'push':
      return webhook('push', { ref: 'refs/heads/main', after: happening.after })
    case 'run':
      return null
  }
}
