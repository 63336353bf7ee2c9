/** What was done to a pull request on Gitea: its timeline, which has everything in its order. */

import type { TimelineComment } from 'gitea-js'
import type { PullRequestNumber } from '../../engine/index.ts'
import type { Activity, Deed } from '../forge/api.ts'
import type { GiteaClient } from './client.ts'

/** A label has this text when it was given, and none when it was taken away. */
const given = '1'

const deeds: Readonly<Record<string, Deed['is']>> = {
  close: 'closed',
  reopen: 'reopened',
  pull_push: 'pushed',
  change_target_branch: 'retargeted',
}

/**
 * All of it at once, which is what Gitea gives without a page. By pages, some could be empty before the last,
 * because it leaves out references from repositories that this account may not see.
 */
export async function activityOf(
  client: GiteaClient,
  number: PullRequestNumber,
): Promise<Activity> {
  const { owner, repo } = client
  const found = await client.ask<TimelineComment[] | null>(
    `GET issues/${number}/timeline`,
    ({ repos }) => repos.issueGetCommentsAndTimeline(owner, repo, number),
  )
  // Gitea writes an empty list as null.
  const all = found === null ? [] : found.flatMap((each) => deedOf(each) ?? [])
  all.sort((a, b) => (a.when.place ?? 0) - (b.when.place ?? 0))
  return { deeds: all, tellsPushes: true }
}

function deedOf(comment: TimelineComment): Deed | null {
  const { id = 0, user, label } = comment
  const is = whatIs(comment)
  if (is === undefined) return null
  const when = { at: Date.parse(comment.created_at ?? '1970-01-01'), place: id }
  // An account that is gone has no number.
  const by = user?.login === undefined || (user.id ?? 0) <= 0 ? null : userOf(user)
  return { is, when, by, ...(label?.name === undefined ? {} : { label: label.name }) }
}

function whatIs(comment: TimelineComment): Deed['is'] | undefined {
  const { type = '', body } = comment
  if (type === 'label') return body === given ? 'labelled' : 'unlabelled'
  return isDrafting(comment) ? 'drafted' : deeds[type]
}

/** Gitea takes a pull request for a draft by the beginning of its title; an administrator can choose others. */
const draft = /^(?:wip:|\[wip\])/i

function isDrafting({ type, old_title: from = '', new_title: to = '' }: TimelineComment): boolean {
  return type === 'change_title' && draft.test(to) && !draft.test(from)
}

function userOf({ login = '', id = 0 }: NonNullable<TimelineComment['user']>) {
  return { login, id }
}
