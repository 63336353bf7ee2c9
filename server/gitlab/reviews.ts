/** Whether the reviews of a merge request let it merge, as GitLab says, and by whom it lacks what. */

import type { PullRequestNumber } from '../../engine/index.ts'
import { offWords, type SeenPull } from '../forge/api.ts'
import { isMissing, orElse, isHidden, type RestClient } from '../forge/rest.ts'
import type { ApprovalRule, ApprovalState, MergeRequest, Note, Block } from './shapes.ts'

/** The status of a merge request names only one of several obstacles. */
export async function unapprovedFor(
  client: RestClient,
  number: PullRequestNumber,
): Promise<string | null> {
  const path = `/merge_requests/${number}`
  const { detailed_merge_status: verdict, target_branch: base = '' } =
    await client.get<MergeRequest>(path)
  if (verdict === 'requested_changes') {
    const by = whose(await lastReviews(client, path), 'objects')
    return `changes are requested${by.length === 0 ? '' : ` by ${by.join(', ')}`}`
  }
  const { elsewhere } = await blockersOf(client, { number, base })
  const lacks = [...(await lacksOf(client, path, verdict === 'not_approved')), ...elsewhere]
  if (lacks.length === 0) return null
  const off = whose(await lastReviews(client, path), 'withdrew')
  return [...lacks, ...offWords(off)].join('; ')
}

async function lacksOf(client: RestClient, path: string, isRefused: boolean): Promise<string[]> {
  const state = client.get<ApprovalState>(`${path}/approval_state`)
  // Without a paid tier nothing can be required.
  const { rules = [] } = await state.catch(orElse(isMissing, { rules: [] }))
  const lacks = rules.filter(({ approved = false }) => !approved).map(lackOfRule)
  return lacks.length === 0 && isRefused ? ['an approval that GitLab asks for'] : lacks
}

function lackOfRule({ name = '', approvals_required = 1, approved_by = [] }: ApprovalRule): string {
  const given = approved_by.map(({ username = '' }) => username).join(', ')
  const by = given === '' ? '' : `, by ${given}`
  return `${approved_by.length} of ${approvals_required} approvals of the rule ${name}${by}`
}

type Review = 'approves' | 'withdrew' | 'objects'

/** What GitLab notes in words, the same in every language. */
const notes: readonly (readonly [RegExp, Review])[] = [
  [/^approved this merge request/, 'approves'],
  [/^unapproved this merge request/, 'withdrew'],
  [/^requested changes/, 'objects'],
]
/**
 * A push took away the approvals of those whom the note mentions: "reset approvals from @ada, @lee, and @mia by pushing to
 * the branch", of who pushed. A new base or a call of the API takes them away without a note.
 */
const reset = /^reset approvals from (.+) by pushing/

/** People by their last review, as far as the newest page of notes tells. */
async function lastReviews(client: RestClient, path: string): Promise<ReadonlyMap<string, Review>> {
  const newest = { order_by: 'created_at', sort: 'desc' }
  const found = await client.all<Note>(`${path}/notes`, newest, () => true)
  const last = new Map<string, Review>()
  for (const { body = '', system, author } of found.toReversed()) {
    if (system !== true) continue
    const is = notes.find(([words]) => words.test(body))?.[1]
    if (is !== undefined) last.set(author?.username ?? '', is)
    const [, mentioned = ''] = reset.exec(body) ?? []
    for (const [, login = ''] of mentioned.matchAll(/@([\w.-]+)/g)) last.set(login, 'withdrew')
  }
  return last
}

const whose = (last: ReadonlyMap<string, Review>, wanted: Review): string[] =>
  [...last].flatMap(([login, is]) => (is === wanted ? login : []))

// What GitLab's dependencies say that must merge before a merge request. Rule: A-361.

type Blockers = {
  /** Those that the queue can land first. */
  readonly here: readonly PullRequestNumber[]
  /** What the others lack, in words. */
  readonly elsewhere: readonly string[]
}

/** Those that have not merged. One is of the queue if it is for the same branch, or is what this one is built on. */
export async function blockersOf(
  client: RestClient,
  { number, base }: Pick<SeenPull, 'number' | 'base'>,
): Promise<Blockers> {
  const here: PullRequestNumber[] = []
  const elsewhere: string[] = []
  const path = `/merge_requests/${number}/blocks`
  // Without a paid tier there are none.
  const blocks = await client.all<Block>(path).catch(orElse(isHidden, []))
  for (const { blocking_merge_request: blocker, blocked_merge_request: own } of blocks) {
    if (blocker?.state === 'merged') continue
    const { iid = 0, target_branch, source_branch } = blocker ?? {}
    const isNear = target_branch === base || source_branch === base
    if (isNear && blocker?.project_id === own?.project_id) here.push(iid)
    else
      elsewhere.push(
        `${blocker?.references?.full ?? 'one that this account may not see'} must merge first`,
      )
  }
  return { here, elsewhere }
}
