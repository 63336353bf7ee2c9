/** What a fake host of one kind knows, beside what all of them do: its words. */

import type { IncomingHttpHeaders } from 'node:http'
import type { ForgeOptions, GitHubOptions } from '../../hosting/options.ts'
import type { Adapter } from '../forges.ts'
import type { Answer, Paging, Route } from './call.ts'
import type { Happening } from './happenings.ts'
import type { Published } from './published.ts'
import type { FakePull, FakeState } from './state.ts'

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
  readonly kind: ForgeOptions['kind']
  readonly host: HostName
  readonly adapter: Adapter
  /** The token that the fake accepts. */
  readonly token: string
  /** How a server reaches it; GitHub also as an App. */
  readonly optionsOf: (place: Place, auth?: GitHubOptions['auth']) => ForgeOptions
  /** Before every path of the API: `/api/v3`. */
  readonly prefix: string
  readonly published: Published
  readonly routes: Readonly<Record<string, Route>>
  /** The path of GraphQL; null: the host is not asked by it. */
  readonly graphql: string | null
  readonly paging: Paging
  /** The names of the operations that list pull requests, and read one. */
  readonly list: string
  readonly one: string
  /** The one that says what was done to a pull request. */
  readonly deeds: string
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
  /** Answered while the limit of requests is used up. */
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
