/** GitLab for tests, and a server whose queue works on a project there. */

import type { FakeDialect, Webhook, Happening, PullAction } from '../../forge/testing/dialect.ts'
import {
  forgeWorld,
  type ForgeWorld,
  type ForgeWorldOptions,
} from '../../forge/testing/forge-world.ts'
import { countedReviews, mayWrite, type FakeState } from '../../forge/testing/state.ts'
import { gitlabAdapter } from '../adapter.ts'
import { Published } from '../../forge/testing/published.ts'
import { routes } from './routes.ts'
import { pipelineOf } from './shapes.ts'

export const gitlabToken = 'glpat-TokenOfATest00000'

const requests = '/projects/{id}/merge_requests'

export const gitlab: FakeDialect = {
  ...{ kind: 'gitlab', host: 'GitLab', adapter: gitlabAdapter, token: gitlabToken },
  optionsOf: (place) => ({ kind: 'gitlab', ...place, token: () => gitlabToken }),
  prefix: '/api/v4',
  published: new Published('gitlab'),
  routes,
  graphql: null,
  paging: {
    usual: 20,
    most: 100,
    headersOf: ({ page, pages, size, total }) => ({
      'x-page': String(page),
      'x-next-page': page < pages ? String(page + 1) : '',
      'x-per-page': String(size),
      'x-total': String(total),
      'x-total-pages': String(pages),
    }),
  },
  list: `GET ${requests}`,
  one: `GET ${requests}/{merge_request_iid}`,
  deeds: `GET ${requests}/{eventable_id}/resource_label_events`,
  ci: 'GET /projects/{id}/pipelines',
  comment: `POST ${requests}/{noteable_id}/notes`,
  mark: null,
  refusalOf: ({ authorization }) =>
    authorization === `Bearer ${gitlabToken}` ? null : '401 Unauthorized',
  isGitUser: (_, token) => token === gitlabToken,
  pullRef: (number) => `refs/merge-requests/${number}/head`,
  ghost: 'ghost',
  limited: { status: 429, body: { message: 'Retry later' } },
  webhookOf,
  headersOf: (event, _, secret) => ({ 'x-gitlab-event': event, 'x-gitlab-token': secret }),
  ...{ page: '-/merge_requests', hasStatus: false, hasTriage: false },
  // An objection counts always.
  isApproved: (pull, state) => {
    const { approvals, objections } = countedReviews(pull, ({ user }) => mayWrite(state, user))
    return objections === 0 && approvals >= (state.rules?.approvals ?? 0)
  },
  others: [],
}

export function gitlabWorld(options?: ForgeWorldOptions): Promise<ForgeWorld> {
  return forgeWorld(gitlab, options)
}

const actions: Readonly<Record<PullAction, string>> = {
  opened: 'open',
  pushed: 'update',
  closed: 'close',
  reopened: 'reopen',
  drafted: 'update',
  readied: 'update',
  labelled: 'update',
  unlabelled: 'update',
}

const project = { id: 1, path_with_namespace: 'acme/shop' }

/** The fields that GitLab's webhooks have for sure: no schema of them is published. */
function webhookOf(happening: Happening, { workflowRuns }: FakeState): Webhook | null {
  const webhook = (name: string, fields: object): Webhook => {
    return { name, payload: { project, ...fields }, faults: [] }
  }
  const ofMergeRequest = (iid: number, action: string): Webhook =>
    webhook('Merge Request Hook', { object_attributes: { iid, action } })
  switch (happening.is) {
    case 'pull':
      return ofMergeRequest(happening.pull.number, actions[happening.action])
    case 'review':
      return ofMergeRequest(happening.pull.number, 'approved')
    case 'comment': {
      const { id, number, body } = happening.comment
      const attributes = { id, note: body, noteable_type: 'MergeRequest' }
      return webhook('Note Hook', { object_attributes: attributes, merge_request: { iid: number } })
    }
    case 'run':
      return webhook('Pipeline Hook', { object_attributes: pipelineOf(happening.run) })
    case 'check': {
      const { id, sha, name, suite } = happening.check
      const run = workflowRuns.find((each) => each.suite === suite)
      return webhook('Job Hook', { build_id: id, build_name: name, sha, ref: run?.branch })
    }
    case 'push':
      return webhook('Push Hook', { ref: 'refs/heads/main', after: happening.after })
    case 'status':
      return null
  }
}
