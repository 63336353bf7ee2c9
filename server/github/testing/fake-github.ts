/** GitHub for tests, and a server whose queue works on a repository there. */

import { createHmac } from 'node:crypto'
import type { FakeDialect } from '../../forge/testing/dialect.ts'
import { linkOf } from '../../forge/testing/call.ts'
import {
  forgeWorld,
  type ForgeWorld,
  type ForgeWorldOptions,
} from '../../forge/testing/forge-world.ts'
import { countedReviews, mayWrite } from '../../forge/testing/state.ts'
import { githubAdapter } from '../adapter.ts'
import { isKnown, personalToken, refusalOf } from './authorized.ts'
import { published } from './shapes.ts'
import { webhookOf } from './hook-events.ts'
import { checkRoutes } from './check-routes.ts'
import { deedRoutes } from './deed-routes.ts'
import { pullRoutes } from './pull-routes.ts'
import { repositoryRoutes } from './repository-routes.ts'
import { talkRoutes } from './talk-routes.ts'

export { personalToken } from './authorized.ts'

const repo = '/repos/{owner}/{repo}'

export const github: FakeDialect = {
  ...{ kind: 'github', host: 'GitHub', adapter: githubAdapter, token: personalToken },
  optionsOf: (place, auth = { kind: 'token', token: () => personalToken }) => ({
    ...{ kind: 'github', ...place, auth },
  }),
  prefix: '/api/v3',
  published,
  routes: { ...pullRoutes, ...deedRoutes, ...checkRoutes, ...talkRoutes, ...repositoryRoutes },
  graphql: '/api/graphql',
  paging: { usual: 30, most: 100, headersOf: linkOf },
  list: `GET ${repo}/pulls`,
  one: `GET ${repo}/pulls/{pull_number}`,
  deeds: `GET ${repo}/issues/{issue_number}/timeline`,
  ci: `GET ${repo}/commits/{ref}/check-runs`,
  comment: `POST ${repo}/issues/{issue_number}/comments`,
  mark: null,
  refusalOf: ({ authorization }, about) => refusalOf(authorization, about),
  isGitUser: (user, token) => user === 'x-access-token' && isKnown(token),
  pullRef: (number) => `refs/pull/${number}/head`,
  ghost: 'ghost',
  limited: {
    status: 403,
    body: { message: 'API rate limit exceeded for installation ID 77.' },
  },
  webhookOf,
  headersOf: (event, body, secret) => ({
    'x-github-event': event,
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
  ...{ page: 'pull', hasStatus: true, hasTriage: true },
  // An objection counts where an approval is asked for.
  isApproved: (pull, state) => {
    const needed = state.rules?.approvals ?? 0
    const { approvals, objections } = countedReviews(pull, ({ user }) => mayWrite(state, user))
    return needed === 0 || (approvals >= needed && objections === 0)
  },
  others: ['reviewers'],
}

export function githubWorld(options?: ForgeWorldOptions): Promise<ForgeWorld> {
  return forgeWorld(github, options)
}
