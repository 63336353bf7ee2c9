/** What was done to a merge request of GitLab: events of labels and states, and its versions. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { Activity, Deed } from '../forge/api.ts'
import type { GitLabClient } from './client.ts'
import { isBot } from './comments.ts'
import type { LabelEvent, StateEvent, User, Version } from './shapes.ts'

const states: Readonly<Record<string, Deed['is']>> = { closed: 'closed', reopened: 'reopened' }

/** A push makes a version, and so does another target branch. The first one came with the merge request. */
export async function activityOf(
  client: GitLabClient,
  number: PullRequestNumber,
): Promise<Activity> {
  const at = `/merge_requests/${number}`
  const labels = await client.all<LabelEvent>(`${at}/resource_label_events`)
  const changes = await client.all<StateEvent>(`${at}/resource_state_events`)
  const versions = await client.all<Version>(`${at}/versions`)
  const inOrder = versions.toSorted(({ id: a = 0 }, { id: b = 0 }) => a - b)
  const deeds: Deed[] = [
    ...labels.map(({ action, label, user, created_at }): Deed => {
      const is = action === 'add' ? 'labelled' : 'unlabelled'
      return { is, when: momentOf(created_at), by: personOf(user), label: label?.name ?? '' }
    }),
    ...changes.flatMap(({ state = '', user, created_at }): Deed | [] => {
      const is = states[state]
      return is === undefined ? [] : { is, when: momentOf(created_at), by: personOf(user) }
    }),
    ...inOrder.slice(1).map(({ head_commit_sha: head, created_at }, index): Deed => {
      const is = head === inOrder[index]?.head_commit_sha ? 'retargeted' : 'pushed'
      return { is, when: momentOf(created_at), by: null }
    }),
  ]
  return { deeds: deeds.sort((a, b) => a.when.at - b.when.at), tellsPushes: true }
}

function momentOf(text = '1970-01-01') {
  return { at: Date.parse(text), place: null }
}

/** Accounts of access tokens ask for nothing. */
function personOf(user: User | null | undefined) {
  const { username: login = '', id = 0 } = user ?? {}
  return login === '' || isBot(login) ? null : { login, id }
}
