/** The live page of a server: who watches, and who is signed in. */

import type { TokenFile } from '../auth/token-file.ts'
import type { DataFolder } from '../store/data-folder.ts'
import { Feed, type FeedParts } from './feed.ts'
import type { Pages } from './page-parts.ts'
import { Sessions } from './sessions.ts'

export type PageOptions = {
  readonly pages: Pages
  /** Everybody sees the queues, without what is for members. Default: false. */
  readonly publicPage?: boolean
  /** The address at which people reach the server; with https, cookies are for https only. */
  readonly publicUrl?: string
}

export type LivePage = {
  readonly pages: Pages
  readonly feed: Feed
  readonly sessions: Sessions
  readonly publicPage: boolean
  readonly publicHost: string
  readonly isSecure: boolean
}

/** Throws if the file of the sessions is not valid. */
export function openLivePage(
  { pages, publicPage = false, publicUrl = '' }: PageOptions,
  { folder, auth, ...parts }: FeedParts & { readonly folder: DataFolder; readonly auth: TokenFile },
): LivePage {
  const sessions = new Sessions(folder.sessions, auth)
  const feed = new Feed(parts)
  const publicHost = publicUrl === '' ? '' : new URL(publicUrl).host
  const isSecure = publicUrl.startsWith('https:')
  return { pages, feed, sessions, publicPage, publicHost, isSecure }
}
