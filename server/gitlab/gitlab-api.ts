/** GitLab, as the rules of `forge/` see it. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import { noReviewRules } from '../forge/api.ts'
import type {
  Comment,
  ForgeApi,
  MergeButton,
  Person,
  Right,
  Rules,
  TestPull,
} from '../forge/api.ts'
import { ForgeFailed, isMissing } from '../forge/failed.ts'
import { activityOf, changesOf } from './activity.ts'
import type { GitLabClient } from './client.ts'
import * as comments from './comments.ts'
import { mergeButton } from './merge-button.ts'
import { openPulls, pullAt } from './merge-requests.ts'
import { checksOf, stopPipelines } from './pipelines.ts'
import type { ApprovalRule, ApprovalState, Member, MergeRequest } from './shapes.ts'

const conflict = 409
/** From this level on people may push. */
const developer = 30

const roles: Readonly<Record<number, string>> = {
  10: 'guest',
  15: 'planner',
  20: 'reporter',
  30: 'developer',
  40: 'maintainer',
  50: 'owner',
}

export class GitLabApi implements ForgeApi {
  readonly forge = 'GitLab'
  readonly merging: { readonly by: 'button' } & MergeButton
  readonly #client: GitLabClient

  constructor(client: GitLabClient) {
    this.#client = client
    this.merging = { by: 'button', ...mergeButton(client) }
  }

  get clockAheadMs(): number {
    return this.#client.clockAheadMs
  }

  self = () => this.#client.self()
  gitAccess = (url: string) => Promise.resolve(this.#client.gitAccess(url))
  openPulls = () => openPulls(this.#client)
  pull = (number: PullRequestNumber) => pullAt(this.#client, number)

  readonly isUpdatedByReviews = false
  /** GitLab requires no checks by name: its pipelines count. What it asks of reviews only it knows. */
  rules = (): Promise<Rules> =>
    Promise.resolve({ checks: [{ name: '*', app: null }], reviews: noReviewRules })

  /** The status of a merge request names only one of several obstacles. */
  async unapprovedFor(number: PullRequestNumber): Promise<string | null> {
    const path = `/merge_requests/${number}`
    const { detailed_merge_status: verdict } = await this.#client.get<MergeRequest>(path)
    if (verdict === 'requested_changes') return 'changes are requested'
    const refused = verdict === 'not_approved' ? 'an approval that GitLab asks for' : null
    try {
      const { rules = [] } = await this.#client.get<ApprovalState>(`${path}/approval_state`)
      const lacks = rules.filter(({ approved = false }) => !approved).map(lackOfRule)
      return lacks.length === 0 ? refused : lacks.join('; ')
    } catch (error) {
      // Without a paid tier nothing can be required.
      if (isMissing(error)) return refused
      throw error
    }
  }

  async close(number: PullRequestNumber): Promise<void> {
    await this.#client.change('PUT', `/merge_requests/${number}`, { state_event: 'close' })
  }

  async retarget(number: PullRequestNumber, base: string): Promise<void> {
    await this.#client.change('PUT', `/merge_requests/${number}`, { target_branch: base })
  }

  async openTestPull({ title, body, branch, base }: TestPull): Promise<void> {
    try {
      await this.#client.change('POST', '/merge_requests', {
        // GitLab takes it for a draft by its title.
        ...{ title: `Draft: ${title}`, description: body },
        ...{ source_branch: branch, target_branch: base },
      })
    } catch (error) {
      // There is one for the branch already.
      if (!(error instanceof ForgeFailed) || error.status !== conflict) throw error
    }
  }

  comments = (since: string) => comments.commentsSince(this.#client, since)

  async rightOf({ id }: Person): Promise<Right> {
    try {
      const { access_level: level = 0 } = await this.#client.get<Member>(`/members/all/${id}`)
      return { role: roles[level] ?? `level ${level}`, mayWrite: level >= developer }
    } catch (error) {
      if (isMissing(error)) return { role: 'no member', mayWrite: false }
      throw error
    }
  }

  activity = (number: PullRequestNumber) => activityOf(this.#client, number)
  changes = (number: PullRequestNumber) => changesOf(this.#client, number)

  async react({ id, number }: Pick<Comment, 'id' | 'number'>, isHeeded: boolean): Promise<void> {
    const name = isHeeded ? 'thumbsup' : 'thumbsdown'
    await this.#client.change('POST', `/merge_requests/${number}/notes/${id}/award_emoji`, { name })
  }

  ownComment = (number: PullRequestNumber, tag: string) =>
    comments.ownComment(this.#client, number, tag)
  addComment = (number: PullRequestNumber, body: string) =>
    comments.addComment(this.#client, number, body)
  editComment = (number: PullRequestNumber, id: number, body: string) =>
    comments.editComment(this.#client, { number, id, body })

  /** It would be a job in the pipeline of the merge request, and hold up its merge button. */
  setStatus = (): Promise<void> => Promise.resolve()

  async makeLabel(name: string): Promise<void> {
    try {
      await this.#client.change('POST', '/labels', { name, color: '#8c959f' })
    } catch (error) {
      // It is there.
      if (!(error instanceof ForgeFailed) || error.status !== conflict) throw error
    }
  }

  async addLabel(number: PullRequestNumber, name: string): Promise<void> {
    await this.#client.change('PUT', `/merge_requests/${number}`, { add_labels: [name] })
  }

  async removeLabel(number: PullRequestNumber, name: string): Promise<void> {
    await this.#client.change('PUT', `/merge_requests/${number}`, { remove_labels: [name] })
  }

  checks = (commit: Oid, branch: string) => checksOf(this.#client, commit, branch)
  stopCi = (commit: Oid, branch: string) => stopPipelines(this.#client, commit, branch)
}

function lackOfRule({ name = '', approvals_required = 1, approved_by = [] }: ApprovalRule): string {
  const given = approved_by.map(({ username = '' }) => username).join(', ')
  const by = given === '' ? '' : `, by ${given}`
  return `${approved_by.length} of ${approvals_required} approvals of the rule ${name}${by}`
}
