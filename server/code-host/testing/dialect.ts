/** What a fake host of one kind knows, beside what all of them do: its words. */

import type { IncomingHttpHeaders } from 'node:http'
import type { CodeHostOptions, GitHubOptions } from '../../hosting/options.ts'
import type { Adapter } from '../code-hosts.ts'
import type { Answer, Paging, Route } from './call.ts'
import type { Published } from './published.ts'
import type {
  FakePull,
  FakeState,
  FakeCheck,
  FakeComment,
  FakeStatus,
  FakeWorkflowRun,
} from './state.ts'

export type Webhook = {
  /** `pull_request`. */
  readonly name: string
  readonly payload: object
  /** What does not fit the published schema of the event. */
  readonly faults: readonly string[]
}

export type HostName = 'Gitea' | 'GitLab' | 'GitHub'

/** Where the API of a fake is, and what proves its webhooks. */
type Place = Pick<GitHubOptions, 'owner' | 'name' | 'api' | 'webhookSecrets'>

export type FakeDialect = {
  readonly kind: CodeHostOptions['kind']
  readonly host: HostName
  readonly adapter: Adapter
  /** The token that the fake accepts. */
  readonly token: string
  /** How a server reaches it; GitHub also as an App. */
  readonly optionsOf: (place: Place, auth?: GitHubOptions['auth']) => CodeHostOptions
  /** Before every path of the API: `/api/v3`. */
  readonly prefix: string
  readonly published: Published
  readonly routes: Readonly<Record<string, Route>>
  /** The path of GraphQL, and its answer while the limit is used up; null: the host is not asked by it. */
  readonly graphql: { readonly path: string; readonly limited: Answer } | null
  readonly paging: Paging
  /** The names of the operations that list pull requests, and read one. */
  readonly list: string
  readonly one: string
  /** The one that says what was done to a pull request. */
  readonly activities: string
  /** The first that is asked about the CI of a commit. */
  readonly ci: string
  /** The one that writes a comment. */
  readonly comment: string
  /** The one that marks what was pushed as merged; null: a pull request whose head is on the branch counts as merged. */
  readonly mark: string | null
  /** Why the credentials of a request are not accepted; null if they are. */
  readonly refusalOf: (
    headers: IncomingHttpHeaders,
    about: { readonly path: string; readonly now: number },
  ) => string | null
  readonly isGitUser: (user: string, token: string) => boolean
  /** Where git finds the head of a pull request. */
  readonly pullRef: (number: number) => string
  /** Under which name the host shows what an account did that is deleted. */
  readonly ghost: string
  /** Answered to any other request while the limit is used up. */
  readonly limited: Answer
  /** Null: the host has no webhook for this. */
  readonly webhookOf: (happening: Happening, state: FakeState) => Webhook | null
  /** The headers of a webhook. */
  readonly headersOf: (
    event: string,
    body: string,
    secret: string,
  ) => Readonly<Record<string, string>>
  /** What stands in the address of a pull request before its number. */
  readonly page: string
  /** False: the host shows no status of the queue on a commit. */
  readonly hasStatus: boolean
  /** False: the host has no role between reading and writing. */
  readonly hasTriage: boolean
  /** True if the host would merge it, as far as reviews go. */
  readonly isApproved: (pull: FakePull, state: FakeState) => boolean
  /** What the branch can ask for beside a number of approvals. */
  readonly others: readonly string[]
}

// What has happened on a fake host since its last webhooks: the difference between what was, and what is.

export type PullAction =
  | 'opened'
  | 'pushed'
  | 'closed'
  | 'reopened'
  | 'drafted'
  | 'readied'
  | 'labelled'
  | 'unlabelled'

export type Happening =
  | { readonly is: 'pull'; readonly action: PullAction; readonly pull: FakePull }
  | { readonly is: 'review'; readonly pull: FakePull }
  | { readonly is: 'comment'; readonly isNew: boolean; readonly comment: FakeComment }
  | { readonly is: 'check'; readonly check: FakeCheck }
  | { readonly is: 'run'; readonly run: FakeWorkflowRun }
  | { readonly is: 'status'; readonly status: FakeStatus }
  | { readonly is: 'push'; readonly after: string }

type KnownPull = Pick<FakePull, 'head' | 'state' | 'isDraft'> & {
  readonly labels: readonly string[]
  readonly reviews: number
}

/** What the last webhooks were about. */
export type Delivered = {
  readonly pulls: ReadonlyMap<number, KnownPull>
  /** What is known of comments, checks, runs and statuses, by id. */
  readonly others: ReadonlyMap<number, string>
}

export const nothingDelivered: Delivered = { pulls: new Map(), others: new Map() }

export function deliveredOf({
  pulls,
  comments,
  checks,
  workflowRuns,
  statuses,
}: FakeState): Delivered {
  return {
    pulls: new Map(
      [...pulls].map(([number, { head, state, isDraft, labels, reviews }]) => {
        const known = { head, state, isDraft, labels: [...labels], reviews: reviews.length }
        return [number, known] as const
      }),
    ),
    others: new Map([
      ...comments.map(({ id, body }) => [id, body] as const),
      ...[...checks, ...workflowRuns].map(({ id, status }) => [id, status] as const),
      ...statuses.map(({ id, state }) => [id, state] as const),
    ]),
  }
}

/** What has happened since then, oldest first as far as that is known. */
export function happeningsSince(
  { pulls: known, others }: Delivered,
  state: FakeState,
): Happening[] {
  const isNew = (id: number, now: string): boolean => others.get(id) !== now
  return [
    ...[...state.pulls.values()].flatMap((pull) => ofPull(known.get(pull.number), pull)),
    ...state.comments
      .filter(({ id, body }) => isNew(id, body))
      .map((comment) => ({ is: 'comment', isNew: !others.has(comment.id), comment }) as const),
    ...state.checks
      .filter(({ id, status }) => isNew(id, status) && status !== 'queued')
      .map((check) => ({ is: 'check', check }) as const),
    ...state.workflowRuns
      .filter(({ id, status }) => isNew(id, status) && status === 'completed')
      .map((run) => ({ is: 'run', run }) as const),
    ...state.statuses
      .filter((status) => isNew(status.id, status.state))
      .map((status) => ({ is: 'status', status }) as const),
  ]
}

function ofPull(before: KnownPull | undefined, pull: FakePull): Happening[] {
  const { head, state, isDraft, labels, reviews } = pull
  const about = (action: PullAction): Happening => ({ is: 'pull', action, pull })
  if (!before) return [about('opened')]
  return [
    before.head === head ? [] : about('pushed'),
    before.state === state ? [] : about(state === 'closed' ? 'closed' : 'reopened'),
    before.isDraft === isDraft ? [] : about(isDraft ? 'drafted' : 'readied'),
    labels.every((label) => before.labels.includes(label)) ? [] : about('labelled'),
    before.labels.every((label) => labels.includes(label)) ? [] : about('unlabelled'),
    before.reviews === reviews.length ? [] : ({ is: 'review', pull } as const),
  ].flat()
}
