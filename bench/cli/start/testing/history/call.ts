/** What clients of several servers asked, and what they were told: the history that `faultsIn` judges. */

export type State = 'WAITING' | 'MERGED' | 'FAILED' | 'CANCELLED'

type Asked = {
  readonly client: number
  /** The server that was asked. */
  readonly server: number
  readonly repository: string
  readonly number: number
  /** When the request was sent, in milliseconds of the one clock of all clients. */
  readonly sentMs: number
  /** When the answer came; null if none came, so that nobody knows whether it was done. */
  readonly answeredMs: number | null
}

/**
 * One call about one pull request. A change that was answered says in which state the pull request is
 * from then on; a read says what it was shown, null for a pull request that is not there.
 */
export type Call = Asked &
  (
    | { readonly kind: 'change'; readonly leaves: State }
    | { readonly kind: 'read'; readonly shown: State | null }
  )

/** A pull request as it is found when all is over, in the order in which they were submitted. */
export type Found = { readonly repository: string; readonly number: number; readonly state: State }
