/** Why a request had no answer of its server, for people. */

import { codeOf } from '../terminal/text.ts'

type ConnectionFault = {
  /** One line. */
  readonly words: string
  /** True: something listens there, so it need not be started. */
  readonly isReached: boolean
}

/**
 * What the system, TLS or a driver says of a connection that failed. `fetch` and Octokit keep it in the cause of their
 * own error.
 */
export function connectionFault(error: unknown): ConnectionFault {
  if (!(error instanceof Error)) return { words: String(error), isReached: false }
  if (error.cause instanceof Error) return connectionFault(error.cause)
  // Node tries several addresses of a host, and gives an error for each.
  const all = error instanceof AggregateError ? error.errors.map(connectionWords) : [error.message]
  const line = [...new Set(all)].join('; ').replaceAll(/\s+/g, ' ').trim()
  const said = `${codeOf(error)} ${line}`
  const found = inOtherTerms.find(({ says }) => says.test(said))
  return { words: found?.means ?? line, isReached: found?.isReached === true }
}

export const connectionWords = (error: unknown): string => connectionFault(error).words

/** What Node, OpenSSL and the driver of PostgreSQL say in their own terms. */
const inOtherTerms = [
  { says: /^CERT_HAS_EXPIRED /, means: 'its certificate has expired', isReached: true },
  {
    says: /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+) /,
    means: 'its certificate is not from a known authority: name yours in NODE_EXTRA_CA_CERTS',
    isReached: true,
  },
  {
    says: /^ERR_TLS_CERT_ALTNAME_INVALID /,
    means: 'its certificate is for another name',
    isReached: true,
  },
  {
    says: /wrong version number|packet length too long/,
    means: 'it speaks http, not https',
    isReached: true,
  },
  {
    says: /valid JSON$|JSON input$/,
    means: 'what answers there is no API: check the address',
    isReached: true,
  },
  { says: /client password must be a/, means: 'it asks for a password, and none was given' },
  { says: / timeout expired$/, means: 'it does not answer' },
]

/** What an answer that is no success says; a page of HTML, as proxies send it, only by its title. */
export function answerWords(text: string): string {
  if (!/^\s*</.test(text)) return text
  return /<title>\s*([^<]*?)\s*<\/title>/i.exec(text)?.[1] ?? 'a page without a title'
}
