/** What a fake host of one kind knows, beside what all of them do: its words. */

import type { IncomingHttpHeaders } from 'node:http'
import type { ForgeOptions } from '../../hosting/options.ts'
import type { Answer, Paging, Route } from './call.ts'
import type { Happening } from './happenings.ts'
import type { Published } from './published.ts'
import type { FakeState } from './state.ts'

export type Webhook = {
  /** `pull_request`. */
  readonly name: string
  readonly payload: object
  /** What does not fit the published schema of the event. */
  readonly faults: readonly string[]
}

export type FakeDialect = {
  readonly kind: ForgeOptions['kind']
  /** Before every path of the API: `/api/v3`. */
  readonly prefix: string
  readonly published: Published
  readonly routes: Readonly<Record<string, Route>>
  /** The path of GraphQL; null: the host is not asked by it. */
  readonly graphql: string | null
  readonly paging: Paging
  /** The name of the operation that lists pull requests. */
  readonly list: string
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
  /** True if a pull request counts as merged once its head is on the branch. */
  readonly seesMerges: boolean
}
