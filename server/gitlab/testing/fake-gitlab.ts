/** GitLab for tests. */

import type { FakeDialect, Webhook } from '../../forge/testing/dialect.ts'
import { FakeForge, type FakeOptions } from '../../forge/testing/fake-forge.ts'
import type { Happening, PullAction } from '../../forge/testing/happenings.ts'
import type { FakeState } from '../../forge/testing/state.ts'
import { published } from './published.ts'
import { routes } from './routes.ts'
import { pipelineOf } from './shapes.ts'

/** The token that the fake accepts. */
export const gitlabToken = 'glpat-TokenOfATest00000'

const gitlabFake: FakeDialect = {
  kind: 'gitlab',
  prefix: '/api/v4',
  published,
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
  list: 'GET /projects/{id}/merge_requests',
  refusalOf: ({ authorization }) =>
    authorization === `Bearer ${gitlabToken}` ? null : '401 Unauthorized',
  isGitUser: (_, token) => token === gitlabToken,
  pullRef: (number) => `refs/merge-requests/${number}/head`,
  ghost: 'ghost',
  limited: { status: 429, body: { message: 'Retry later' } },
  webhookOf,
  headersOf: (event, _, secret) => ({ 'x-gitlab-event': event, 'x-gitlab-token': secret }),
  seesMerges: true,
}

export class FakeGitLab extends FakeForge {
  constructor(options: FakeOptions) {
    super(gitlabFake, options)
  }
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
