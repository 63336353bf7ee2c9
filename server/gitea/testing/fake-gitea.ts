/** Gitea for tests, and a server whose queue works on a repository there. */

import { createHmac } from 'node:crypto'
import { linkOf } from '../../forge/testing/call.ts'
import type { FakeDialect, Webhook, Happening, PullAction } from '../../forge/testing/dialect.ts'
import {
  forgeWorld,
  type ForgeWorld,
  type ForgeWorldOptions,
} from '../../forge/testing/forge-world.ts'
import { countedReviews } from '../../forge/testing/state.ts'
import { giteaAdapter } from '../adapter.ts'
import { published } from './shapes.ts'
import { routes } from './routes.ts'

export const giteaToken = '5f0c0ffee5f0c0ffee5f0c0ffee5f0c0ffee5f0c'

const repo = '/repos/{owner}/{repo}'

export const gitea: FakeDialect = {
  ...{ kind: 'gitea', host: 'Gitea', adapter: giteaAdapter, token: giteaToken },
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
  deeds: `GET ${repo}/issues/{index}/timeline`,
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
  ...{ page: 'pulls', hasStatus: true, hasTriage: false },
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

export function giteaWorld(options?: ForgeWorldOptions): Promise<ForgeWorld> {
  return forgeWorld(gitea, options)
}

const actions: Readonly<Record<PullAction, string>> = {
  opened: 'opened',
  pushed: 'synchronized',
  closed: 'closed',
  reopened: 'reopened',
  drafted: 'edited',
  readied: 'edited',
  labelled: 'label_updated',
  unlabelled: 'label_cleared',
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
