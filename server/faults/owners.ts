/**
 * Whom a failure belongs to. What git, a code host or a slot answers is sorted by this table and nowhere else;
 * what follows from it is done by those who ask.
 */

/** Who acts, and what becomes of the others. */
export type Owner =
  /** One pull request: it leaves, with the words of git or the host, and the others go on. */
  | 'pull request'
  /** One slot: it is taken out of use, another takes its place, and the status of the queue says so. */
  | 'slot'
  /** The branch or the account: the queue is PAUSED with the words, tries again by itself, and goes on when it works. */
  | 'repository'
  /** Nobody: it is tried again, with growing waits, and says nothing about a pull request. */
  | 'nobody'
  /**
   * The words do not say it. It counts as the pull request's, unless another was refused before it and nothing has
   * landed since: then it is the repository's.
   */
  | 'unclear'

/** What was done when it failed. */
type Attempt =
  /** A push to the target branch, or of a test branch, that was answered. */
  | 'push'
  /** The merge button of a host. */
  | 'button'
  /** Any other request to a host about one pull request, its commit or a person. */
  | 'request'
  /** Emptying the folder of a test run. */
  | 'slot'
  /** Writing the files of a commit into it. */
  | 'checkout'

export type Failure = {
  readonly attempt: Attempt
  /** The status of the host's answer, 0 without one; absent: no host was asked. */
  readonly status?: number
  readonly words: string
}

export type Row = {
  readonly attempt: Attempt
  readonly owner: Owner
  /** Any of these; absent: any. */
  readonly status?: readonly number[]
  /** Absent: any. */
  readonly words?: RegExp
  /** What it is, for people. */
  readonly what: string
}

const unanswered = [0, 429, 500, 502, 503, 504]

/** The first row that fits decides. The last row of each attempt fits all. */
export const owners: readonly Row[] = [
  {
    attempt: 'push',
    owner: 'nobody',
    words:
      /failed to update ref|(?:cannot|unable to|failed to) lock|no space left|unable to create temporary|internal (?:server )?error|timed out|try again/i,
    what: 'the repository could not write it now',
  },
  {
    attempt: 'push',
    owner: 'pull request',
    words:
      /GH00[17]|secret|large files?|file size|exceeds .*limit|fsck|bad object|without .?workflows?\b|protected from changing files?|prohibited by the pattern|commit message|commit author|e-?mail/i,
    what: 'a rule about files, messages or people of the commits',
  },
  {
    attempt: 'push',
    owner: 'repository',
    words:
      /GH006|protected (?:branch|ref)|through a pull request|required status check|not allowed to push|permission|not permitted|read[- ]only|archived|checked out|deletion prohibited|account/i,
    what: 'the branch or the account takes no push',
  },
  { attempt: 'push', owner: 'unclear', what: 'a hook that says something else' },

  { attempt: 'button', owner: 'nobody', status: unanswered, what: 'the host does not answer now' },
  {
    attempt: 'button',
    owner: 'repository',
    status: [401],
    what: 'the account may not merge',
  },
  {
    attempt: 'button',
    owner: 'repository',
    words:
      /protected ref|not allowed on this repository|by a setting of the project|not accessible by|(?:push|write|admin) (?:access|rights?)|archived/i,
    what: 'the branch or the merge method is not allowed, or the account may not merge',
  },
  {
    attempt: 'button',
    owner: 'pull request',
    words:
      /\bstack|\((?:approvals?|blocked|broken|ci|commits|conflict|discussions|draft|external|jira|locked|merge_(?:request|time)|need|not|policies|requested|security|status|title)_?\w*\)$/i,
    what: 'the host says what this one lacks',
  },
  { attempt: 'button', owner: 'unclear', what: 'a refusal that says something else' },

  {
    attempt: 'request',
    owner: 'nobody',
    status: [0, 401, 429, 502, 503, 504],
    what: 'the host does not answer now, the token is not accepted, or the limit is used up',
  },
  { attempt: 'request', owner: 'pull request', what: 'an answer about what was asked for' },

  { attempt: 'slot', owner: 'slot', what: 'a folder that cannot be moved away' },

  {
    attempt: 'checkout',
    owner: 'pull request',
    words: /file name too long|invalid path/i,
    what: 'a name that git or the file system does not take',
  },
  { attempt: 'checkout', owner: 'nobody', what: 'the machine could not write it now' },
]

export function ownerOf(failure: Failure): Owner {
  return owners.find((row) => fits(row, failure))?.owner ?? 'unclear'
}

export function fits(row: Row, { attempt, status, words }: Failure): boolean {
  if (row.attempt !== attempt) return false
  const hasStatus = !row.status || (status !== undefined && row.status.includes(status))
  return hasStatus && (row.words?.test(words) ?? true)
}
