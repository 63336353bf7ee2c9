/**
 * What a code host with pull requests of its own can do for a queue, over its API. GitHub, Gitea and GitLab
 * have an adapter each, which knows their words; all rules are in this folder. Every request that fails
 * rejects with `CodeHostFailed`.
 */

import type { Millis, PullRequestNumber } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import type { GitAccess } from '../git/mirror.ts'
import type { Pressed, Pull } from '../hosting/code-host.ts'
import type { RequiredCheck, Seen } from './verdict.ts'

export type SeenPull = Pull & {
  /** Changes with what people do to it; with a review only if the host says so. */
  readonly updatedAt: string
  /** Another one after each new comment, and perhaps after something else. */
  readonly talk: string
}

/** What the branch asks of reviews. A host that gives its own verdict needs no more than the number. */
export type ReviewRules = {
  readonly approvals: number
  /** One request for changes is enough to wait. */
  readonly isBlockedByRejection: boolean
  /** A review that was asked for and not given is enough to wait. */
  readonly isBlockedByRequest: boolean
  /** An approval of an earlier head does not count. */
  readonly isStaleIgnored: boolean
}

/** What protects the target branch. */
export type Rules = {
  readonly checks: readonly RequiredCheck[]
  readonly reviews: ReviewRules
}

/** Of a branch that asks for nothing. */
export const noReviewRules: ReviewRules = {
  approvals: 0,
  isBlockedByRejection: false,
  isBlockedByRequest: false,
  isStaleIgnored: false,
}

type Reviews = {
  /** How many approvals the branch asks for. */
  readonly needed: number
} & Readonly<Record<'approvedBy' | 'objectedBy', readonly string[]>> &
  /** Those whose approval was dismissed, or is about an earlier head. */
  Readonly<Partial<Record<'awaitedFrom' | 'withdrawnFrom', readonly string[]>>>

/** What reviews lack, in words; null: nothing. */
export function lackOf({
  needed,
  approvedBy,
  objectedBy,
  awaitedFrom = [],
  withdrawnFrom = [],
}: Reviews): string | null {
  const given = approvedBy.length === 0 ? '' : `, by ${approvedBy.join(', ')}`
  const lacks = [
    objectedBy.length === 0 ? [] : `changes are requested by ${objectedBy.join(', ')}`,
    awaitedFrom.length === 0 ? [] : `a review is awaited from ${awaitedFrom.join(', ')}`,
    approvedBy.length >= needed ? [] : `${approvedBy.length} of ${needed} approvals${given}`,
  ].flat()
  return lacks.length === 0 ? null : [...lacks, ...offWords(withdrawnFrom)].join('; ')
}

/** Whose review does not count any more, in words; none for nobody. */
export const offWords = (people: readonly string[]): string[] =>
  people.length === 0
    ? []
    : [`the review of ${[...new Set(people)].join(', ')} does not count any more`]

export type Person = {
  readonly login: string
  readonly id: number
}

/** What somebody may do in the repository. */
export type Right = {
  /** As the host calls it: `write`, `triage`, `developer`. */
  readonly role: string
  readonly mayWrite: boolean
}

/** Of an account that is gone, or that the host does not know. */
export const noRight: Right = { role: 'unknown account', mayWrite: false }

/** An instant of the host, in milliseconds. */
export type Moment = {
  /** Of some hosts whole seconds, so two events can have the same. */
  readonly at: Millis
  /** On a host that numbers events and comments in their order; null: only the instant is known. */
  readonly place: number | null
}

export type ActivityEvent = {
  readonly is:
    | 'labelled'
    | 'unlabelled'
    | 'pushed'
    | 'closed'
    | 'reopened'
    | 'drafted'
    | 'retargeted'
  readonly when: Moment
  /** Null: the account is gone, or the host does not say it. */
  readonly by: Person | null
  /** The name of the label. */
  readonly label?: string
}

/** Later ones may be missing, but none in between. */
export type Activity = {
  readonly events: readonly ActivityEvent[]
  /** False: the host does not say when the pull request was pushed to. */
  readonly tellsPushes: boolean
}

export type Comment = {
  readonly id: number
  readonly number: PullRequestNumber
  readonly by: Person
  readonly isByBot: boolean
  readonly body: string
  readonly when: Moment
  /** As the host writes instants: they can be compared as text. */
  readonly createdAt: string
  readonly updatedAt: string
}

/** What the queue wrote. A host can change line ends. */
type OwnComment = Pick<Comment, 'id' | 'body'>

/** A status of a commit, as the queue shows it. */
type Status = {
  readonly context: string
  readonly state: 'pending' | 'success' | 'failure' | 'error'
  readonly description: string
  /** Where people read more; null: nobody can reach it. */
  readonly url: string | null
}

/** How the host comes to show a pull request as merged. */
type Merging =
  /** By itself, if its head is in what was pushed; else only by its merge button. */
  | {
      readonly by: 'button'
      /** Presses it. Returns the commit on the branch. */
      readonly press: (number: PullRequestNumber, pressed: Pressed) => Promise<Oid>
      /** True if a refusal means that the host still looks at the merge before. */
      readonly isBusy: (refusal: { readonly status: number; readonly message: string }) => boolean
    }
  /** It is told the commit, whatever has been pushed. */
  | {
      readonly by: 'mark'
      readonly mark: (number: PullRequestNumber, commit: Oid) => Promise<void>
    }

type TestPull = {
  readonly title: string
  readonly body: string
  readonly branch: string
  readonly base: string
}

/** How fast a host is asked: tests and benchmarks need not wait. */
export type Pace = { readonly isThrottled: boolean; readonly retryAfterMs: number }

export type CodeHostApi = {
  /** Its name, for people: `GitHub`. */
  readonly name: string
  /** The instant on its clock, by the last answer. */
  now(): Millis
  /** Whose credentials they are. */
  self(): Promise<Person>
  /** Credentials for git, in the environment: in no argument, no address and no file. */
  readonly gitAccess: (url: string) => ReturnType<GitAccess>

  /** The open pull requests of the repository, also those of test branches. */
  openPulls(): Promise<SeenPull[]>
  /** Null: there is no such pull request. */
  pull(number: PullRequestNumber): Promise<SeenPull | null>
  /** True: a review changes the instant of its pull request. */
  readonly isUpdatedByReviews: boolean
  /** True: all that CI does for a push is there at once, as one pipeline. False: checks come one by one. */
  readonly hasPipelines: boolean
  /** What its reviews lack, in words; null: the host would let it merge, as far as they go. Asked each time. */
  unapprovedFor(number: PullRequestNumber, rules: ReviewRules): Promise<string | null>
  /** Those of its queue that the host requires to merge before it and that have not; absent: the host knows of none. */
  blockers?(pull: SeenPull): Promise<readonly PullRequestNumber[]>
  close(number: PullRequestNumber): Promise<void>
  /** Gives it another base. */
  retarget(number: PullRequestNumber, base: string): Promise<void>
  rules(branch: string): Promise<Rules>
  /** Opens a draft for a test branch, so that CI runs for it; there may be one already. */
  openTestPull(pull: TestPull): Promise<void>

  /** Comments of the repository that were changed since, each once, oldest first. */
  comments(since: string): Promise<Comment[]>
  /** What somebody may do at this moment. */
  rightOf(person: Person): Promise<Right>
  /** What was done to a pull request, as far as it can end a request. */
  activity(number: PullRequestNumber): Promise<Activity>
  /** Those of its events that end a request though its head is the same; others may be among them. */
  changes(number: PullRequestNumber): Promise<readonly ActivityEvent[]>
  /** Shows below a comment that what it asks for is done, or not. */
  react(comment: Pick<Comment, 'id' | 'number'>, isDone: boolean): Promise<void>
  /** The comment of the queue's own account that begins with a tag; null: there is none. */
  ownComment(number: PullRequestNumber, tag: string): Promise<OwnComment | null>
  addComment(number: PullRequestNumber, body: string): Promise<number>
  /** False: somebody has removed it. */
  editComment(number: PullRequestNumber, id: number, body: string): Promise<boolean>

  setStatus(commit: Oid, status: Status): Promise<void>
  /** As labels and events name it here: some hosts do not tell large letters from small ones. */
  readonly nameOfLabel: (name: string) => string
  /** Lets people choose a label. No fault if it is there. */
  makeLabel(name: string): Promise<void>
  addLabel(number: PullRequestNumber, name: string): Promise<void>
  /** No fault if it is not there. */
  removeLabel(number: PullRequestNumber, name: string): Promise<void>

  /** What CI says about a commit on a test branch. */
  checks(commit: Oid, branch: string): Promise<Seen>
  /** Ends the CI of a commit whose verdict nobody waits for. */
  stopCi(commit: Oid, branch: string): Promise<void>

  readonly merging: Merging
}
