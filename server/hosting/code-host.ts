/**
 * A host with pull requests of its own, such as GitHub: what git cannot say about a repository. It never
 * decides; the steps of the reconciler do.
 */

import type { Logger } from 'pino'
import type {
  Actor,
  CancelReason,
  PullSnapshot,
  Millis,
  PullRequestNumber,
  TestRun,
} from '../../engine/index.ts'
import type { MergeMethod } from '../git/snapshot.ts'
import type { Oid } from '../git/git.ts'
import type { Landed } from '../git/land.ts'
import type { GitAccess, Mirror } from '../git/mirror.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { Notes } from '../files/notes.ts'
import type { HostOptions } from './options.ts'
import type { PlacingPorts, Tester } from './testers.ts'

/** What took a pull request out of the queue, or would have, in order: also what was undone before the poll. */
export type Departures = readonly CancelReason[]

/** What a request is bound to. */
export type Standing = Required<Pick<PullSnapshot, 'head' | 'departures'>> &
  Pick<PullSnapshot, 'base'>

/** A pull request as the host shows it. */
export type Pull = {
  readonly number: PullRequestNumber
  readonly head: Oid
  readonly state: 'open' | 'closed' | 'merged'
  readonly isDraft: boolean
  readonly base: string
  /** Its own branch; null: it is in a fork. */
  readonly branch: string | null
  readonly title: string
  readonly body: string
  /** The name of its author on the host. */
  readonly author: string
  readonly labels: readonly string[]
  /** The commit on the branch; null if it has not merged. */
  readonly mergedAs: Oid | null
  /** Absent: not asked, as of one that is not in the queue. */
  readonly departures?: Departures
  /** True: the label that asked for it is gone. Absent: not asked, or it is there, or something else asked. */
  readonly isUnlabelled?: boolean
  /** Those of the queue that the host requires to merge first, as far as they have not; absent: not asked, or none. */
  readonly blockers?: readonly PullRequestNumber[]
}

/** What somebody with the right asks for on the host: by a label, or by a comment. */
export type HostRequest = {
  readonly number: PullRequestNumber
  /** Who asked, with which right and how; null: the host does not say it. */
  readonly by: Actor | null
  /** Tells them what became of it; null: it was done. */
  readonly answer: (refused: string | null) => void
  /** It is asked for again at the next poll, because the host could not say enough about it now. */
  readonly later: () => void
} & (
  | (Standing & {
      readonly is: 'submit'
      readonly priority?: number
      readonly noBatch?: boolean
    })
  | { readonly is: 'cancel' | 'restart' }
)

/** What one poll of the host has shown. */
export type CodeHostObservation = {
  /** Open pull requests of the repository, and every one that was asked for. */
  readonly pulls: ReadonlyMap<PullRequestNumber, Pull>
  readonly requests: readonly HostRequest[]
  /** Those whose readiness may be another now. */
  readonly reviewed: readonly PullRequestNumber[]
}

/** A member that the host would not merge any more as it was tested. */
export type Departed = {
  readonly number: PullRequestNumber
  readonly isPushedTo: boolean
  readonly words?: string
}

/** What the merge button is to merge, and the message of the commit. */
export type Pressed = {
  readonly method: MergeMethod
  /** The head that was tested: the host refuses if it has another. */
  readonly head: Oid
  readonly title: string
  readonly message: string
}

export type ButtonRefusal = {
  readonly fault: Error & { readonly status: number }
  /** True: the host still looks at the merge before. */
  readonly isBusy: boolean
}

/** The merge button of a host. After a push of other commits than those of a pull request it would show that as closed. */
export type MergeButton = {
  /** Presses it. Returns the commit on the branch, or why there is none. */
  press(number: PullRequestNumber, pressed: Pressed): Promise<Oid | ButtonRefusal>
  /** The pull request as it is this moment; null: there is none. */
  pull(number: PullRequestNumber): Promise<Pull | null>
  /** The wait before it is pressed again, if it is busy. */
  readonly againMs: number
}

export type LandedOnHost = Landed | ({ readonly is: 'departed' } & Departed)

export type CodeHost = {
  /** Its name, for people: `GitHub`. */
  readonly name: string
  /** The tests that the host runs; null if the queue has tests of its own. */
  readonly tester: Tester | null
  /** The checks that must pass, as a text that differs if they do; null: they are not known, or others test. */
  checksAsked(): string | null
  /** Faults in words, beside those of git. */
  readonly faults: () => readonly string[]
  /** Polls the host. `frozen` are those in the queue, `awaited` others for whom these wait. */
  poll(
    frozen: ReadonlyMap<PullRequestNumber, PullSnapshot>,
    awaited: ReadonlySet<PullRequestNumber>,
  ): Promise<CodeHostObservation>
  /** What a request of this moment is bound to; undefined if there is no such pull request. */
  standingOf(number: PullRequestNumber): Promise<Standing | undefined>
  /** The pull request as it is this moment, with its approval; null if there is none. */
  pull(number: PullRequestNumber): Promise<Pull | null>
  /**
   * The open pull request whose branch is the base of this one, if that is for the target branch, directly or in the
   * same way; null: there is none.
   */
  below(pull: Pull): PullRequestNumber | null
  /** The queue has cancelled one because it was seen to be unlabelled. */
  leftByLabel(number: PullRequestNumber): void
  /**
   * True: somebody may have said something about one of them since comments were read, as the host showed it last; a
   * poll that reads them follows.
   */
  hears(numbers: readonly PullRequestNumber[]): boolean
  /** Gives a pull request the target branch as its base, if it has another one. */
  retarget(number: PullRequestNumber): Promise<void>
  /** What the reviews of a pull request lack, in words; null: nothing. */
  unapprovedFor(number: PullRequestNumber): string | null
  /** By which squashed and rebased ones land; null: git pushes what was tested, and the host is told. */
  readonly button: MergeButton | null
  /** What a failed question about one pull request means for that one alone; null: it concerns everybody. */
  readonly meaningForOne: (fault: unknown) => 'refusal' | 'passing' | null
  /** Shows the durable state of the queue on the host. Settles when nothing more is due now. */
  show(): Promise<void>
  /** The server stops: from now on nothing is asked about another pull request, of which there can be hundreds. */
  stop(): void
  close(): Promise<void>
}

/** What a webhook says: what to poll. It is never believed further. */
export type HookNotification = {
  readonly pulls: readonly PullRequestNumber[]
  readonly commits: readonly Oid[]
  readonly hasComment: boolean
}

export type CodeHostParts = {
  readonly notes: Notes
  readonly queue: ManagedQueue
  readonly mirror: Mirror
  /** The target branches of all queues of the repository. */
  readonly branches: readonly string[]
  /** The other ones of these queues. */
  readonly others: () => readonly ManagedQueue[]
  readonly logger: Logger
  readonly now: () => Millis
  /** A poll is due. */
  readonly onNotified: () => void
  /** No run can get a verdict: the queue is to pause, and nobody fails. */
  readonly onNoVerdict: (run: TestRun, words: string) => void
} & PlacingPorts

/** Makes the host of a queue. */
export type CodeHosts = {
  /** The variables with which git reaches a repository; null if it needs none. */
  readonly gitAccess: (options: HostOptions) => GitAccess | null
  /** Null: a repository without pull requests of its own. */
  readonly open: (options: HostOptions, parts: CodeHostParts) => CodeHost | null
  /** The same for a queue on which nobody works, of which it only shows the state. */
  readonly openToShow: (options: HostOptions, parts: CodeHostParts) => CodeHost | null
}

export const noCodeHosts: CodeHosts = {
  gitAccess: () => null,
  open: () => null,
  openToShow: () => null,
}

/** Why a pull request of the queue is no longer to merge there; null if it is. */
export function departureOf(
  pull: Pull,
  frozen: Pick<PullSnapshot, 'head' | 'departures' | 'base'>,
  targetBranch: string,
): CancelReason | 'merged' | null {
  if (pull.state === 'closed') return 'PR_CLOSED'
  // It can have merged into its other base.
  const isAbove = pull.base === frozen.base && pull.state === 'open'
  if (pull.base !== targetBranch && !isAbove) return 'PR_BASE_BRANCH_CHANGED'
  if (pull.state === 'merged') return 'merged'
  if (pull.head !== frozen.head) return 'PR_PUSHED_TO'
  if (pull.isDraft) return 'PR_CONVERTED_TO_DRAFT'
  const departures = countedOf(pull.departures ?? [], frozen.base)
  return departures.length > (frozen.departures ?? Infinity) ? (departures.at(-1) ?? null) : null
}

/** What it is bound to at this moment. */
export function standingOf(
  { head, base }: Pull,
  departures: Departures,
  targetBranch: string,
): Standing {
  if (base === targetBranch) return { head, departures: departures.length }
  return { head, base, departures: countedOf(departures, base).length }
}

/** When one that it is built on has merged, the host or the queue changes the base of what stays. */
function countedOf(departures: Departures, base: string | undefined): Departures {
  if (base === undefined) return departures
  return departures.filter((reason) => reason !== 'PR_BASE_BRANCH_CHANGED')
}
