/** GitHub for tests. */

import { createHmac } from 'node:crypto'
import type { FakeDialect } from '../../forge/testing/dialect.ts'
import { linkOf } from '../../forge/testing/call.ts'
import { FakeForge, type FakeOptions } from '../../forge/testing/fake-forge.ts'
import { isKnown, refusalOf } from './authorized.ts'
import { published } from './filled.ts'
import { webhookOf } from './hook-events.ts'
import { routes } from './routes.ts'

export { personalToken } from './authorized.ts'

const githubFake: FakeDialect = {
  kind: 'github',
  prefix: '/api/v3',
  published,
  routes,
  graphql: '/api/graphql',
  paging: { usual: 30, most: 100, headersOf: linkOf },
  list: 'GET /repos/{owner}/{repo}/pulls',
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
  seesMerges: true,
}

export class FakeGitHub extends FakeForge {
  constructor(options: FakeOptions) {
    super(githubFake, options)
  }
}
