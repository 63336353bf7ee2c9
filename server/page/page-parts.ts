/** What the routes of the page need of the server. */

import type { Auth } from '../auth/token-file.ts'
import type { Failures } from '../auth/failures.ts'
import type { ServerContext } from '../operations/perform.ts'
import type { Feed } from './feed.ts'
import type { Sessions } from './sessions.ts'
import type { QueueRegistry } from '../queues/queue-registry.ts'

/** The folders of the built pages. */
export type Pages = { readonly live: string; readonly play: string }

export type PageParts = ServerContext & {
  readonly pages: Pages
  readonly feed: Feed
  readonly sessions: Sessions
  /** Looked up at each request, because a shared log can be replaced. */
  readonly registry: () => QueueRegistry
  readonly auth: Auth
  readonly failures: Failures
  readonly now: () => number
  /** True: everybody sees the queues, without what is for members. */
  readonly publicPage: boolean
  /** The host of the address at which people reach the server; empty if nobody told it. */
  readonly publicHost: string
  /** True: people reach the server over https only. */
  readonly isSecure: boolean
}
