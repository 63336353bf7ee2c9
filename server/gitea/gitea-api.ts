/** Gitea and Forgejo, as the rules of `forge/` see them. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import { noRight } from '../forge/api.ts'
import type {
  Comment,
  ForgeApi,
  Person,
  ReviewRules,
  Right,
  Status,
  TestPull,
} from '../forge/api.ts'
import { ForgeFailed, isMissing } from '../forge/failed.ts'
import { activityOf } from './activity.ts'
import type { GiteaClient } from './client.ts'
import * as comments from './comments.ts'
import { addLabel, labelNamed, removeLabel } from './labels.ts'
import { openPulls, pullAt } from './pulls.ts'
import { unapprovedFor } from './reviews.ts'
import { rulesOf } from './rules.ts'
import { checksOf } from './statuses.ts'

const conflict = 409
const writers = new Set(['write', 'admin', 'owner'])

export class GiteaApi implements ForgeApi {
  readonly forge = 'Gitea'
  readonly #client: GiteaClient

  constructor(client: GiteaClient) {
    this.#client = client
  }

  get clockAheadMs(): number {
    return this.#client.clockAheadMs
  }

  self = async () => ({ login: await this.#client.login(), id: 0 })
  gitAccess = (url: string) => Promise.resolve(this.#client.gitAccess(url))
  openPulls = () => openPulls(this.#client)
  pull = (number: PullRequestNumber) => pullAt(this.#client, number)
  readonly isUpdatedByReviews = false
  rules = (branch: string) => rulesOf(this.#client, branch)

  unapprovedFor = (number: PullRequestNumber, rules: ReviewRules) =>
    unapprovedFor(this.#client, number, rules)

  close = (number: PullRequestNumber) => this.#change(number, { state: 'closed' })
  retarget = (number: PullRequestNumber, base: string) => this.#change(number, { base })

  async #change(
    number: PullRequestNumber,
    changes: { readonly state: 'closed' } | { readonly base: string },
  ): Promise<void> {
    const { owner, repo } = this.#client
    await this.#client.ask(`PATCH pulls/${number}`, ({ repos }) =>
      repos.repoEditPullRequest(owner, repo, number, changes),
    )
  }

  async openTestPull({ title, body, branch, base }: TestPull): Promise<void> {
    const { owner, repo } = this.#client
    try {
      await this.#client.ask('POST pulls', ({ repos }) =>
        repos.repoCreatePullRequest(owner, repo, {
          // Gitea takes it for a draft by its title.
          ...{ title: `WIP: ${title}`, body, head: branch, base },
        }),
      )
    } catch (error) {
      // There is one for the branch already.
      if (!(error instanceof ForgeFailed) || error.status !== conflict) throw error
    }
  }

  comments = (since: string) => comments.commentsSince(this.#client, since)

  async rightOf({ login }: Person): Promise<Right> {
    const { owner, repo } = this.#client
    try {
      const { permission = '' } = await this.#client.ask(
        `GET collaborators/${login}/permission`,
        ({ repos }) => repos.repoGetRepoPermissions(owner, repo, login),
      )
      return { role: permission, mayWrite: writers.has(permission) }
    } catch (error) {
      // The account is gone; or the host is too old to say it, which `doctor` finds.
      if (isMissing(error)) return noRight
      throw error
    }
  }

  activity = (number: PullRequestNumber) => activityOf(this.#client, number)
  changes = async (number: PullRequestNumber) => (await this.activity(number)).deeds

  async react({ id }: Pick<Comment, 'id'>, isHeeded: boolean): Promise<void> {
    const { owner, repo } = this.#client
    const content = isHeeded ? '+1' : '-1'
    await this.#client.ask(`POST issues/comments/${id}/reactions`, ({ repos }) =>
      repos.issuePostCommentReaction(owner, repo, id, { content }),
    )
  }

  ownComment = (number: PullRequestNumber, tag: string) =>
    comments.ownComment(this.#client, number, tag)
  addComment = (number: PullRequestNumber, body: string) =>
    comments.addComment(this.#client, number, body)
  editComment = (_: PullRequestNumber, id: number, body: string) =>
    comments.editComment(this.#client, id, body)

  async setStatus(commit: Oid, { context, state, description, url }: Status): Promise<void> {
    const { owner, repo } = this.#client
    const link = url === null ? {} : { target_url: url }
    await this.#client.ask(`POST statuses/${commit}`, ({ repos }) =>
      repos.repoCreateStatus(owner, repo, commit, { context, state, description, ...link }),
    )
  }

  makeLabel = async (name: string) => void (await labelNamed(this.#client, name))
  addLabel = (number: PullRequestNumber, name: string) => addLabel(this.#client, number, name)
  removeLabel = (number: PullRequestNumber, name: string) => removeLabel(this.#client, number, name)

  checks = (commit: Oid) => checksOf(this.#client, commit)

  /** Gitea has no request that cancels a run; Forgejo has one, which is not used. */
  stopCi = (): Promise<void> => Promise.resolve()

  /** It notices a push only if its repository is set so; this it takes for any commit on the branch. */
  readonly merging = {
    by: 'mark',
    mark: (number: PullRequestNumber, commit: Oid) => this.#mark(number, commit),
  } as const

  async #mark(number: PullRequestNumber, commit: Oid): Promise<void> {
    const { owner, repo } = this.#client
    await this.#client.ask(`POST pulls/${number}/merge`, ({ repos }) =>
      repos.repoMergePullRequest(owner, repo, number, {
        ...{ Do: 'manually-merged', MergeCommitID: commit },
      }),
    )
  }
}
