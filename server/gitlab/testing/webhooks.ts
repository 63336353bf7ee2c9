/** Which webhooks GitLab sends about what happens. */

import type { Happening, PullAction, Webhook } from '../../code-host/testing/dialect.ts'
import type { FakeState } from '../../code-host/testing/state.ts'
import { pipelineOf } from './shapes.ts'

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
export function webhookOf(happening: Happening, { workflowRuns }: FakeState): Webhook | null {
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
