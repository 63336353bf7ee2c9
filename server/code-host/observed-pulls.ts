/**
 * The pull requests as they were seen last. A full poll reads the list; between two of them a webhook says
 * which ones to read. The list can be older than what was read before, so what it takes away is read once more.
 */

import type { PullSnapshot, PullRequestNumber, CancelReason, Millis } from '../../engine/index.ts'
import { departureOf, type Departures, type Pull } from '../hosting/code-host.ts'
import type { Notes } from '../files/notes.ts'
import type { CodeHostApi, ReviewRules, SeenPull, Activity, ActivityEvent, Moment } from './api.ts'
import type { Asked, Read } from './comment-commands.ts'
import type { Oid } from '../git/git.ts'
import { testBranchPrefix } from '../identity/ids.ts'

const settledMs = 3_000

/** Those of test branches are of the queue itself. One in a fork can be named as they are. */
export const isOfSomebody = ({ branch }: Pull): boolean =>
  branch === null || !branch.startsWith(testBranchPrefix)

export class ObservedPulls {
  readonly #api: CodeHostApi
  readonly #branch: string
  readonly #branches: readonly string[]
  readonly #pulls = new Map<PullRequestNumber, SeenPull>()
  /** What the reviews of a pull request lack, and when it was updated last. */
  readonly #approvals = new Map<
    PullRequestNumber,
    { readonly lacks: string | null; readonly of: string }
  >()
  /** What was done to those in the queue, and when they were updated last. */
  readonly #changes = new Map<
    PullRequestNumber,
    { readonly events: readonly ActivityEvent[]; readonly of: string }
  >()
  /** What the queue was told of it last, by this server. */
  readonly #reported = new Map<PullRequestNumber, string | null>()

  /** `branches`: the target branches of all queues of the repository, which are nobody's change. */
  constructor(api: CodeHostApi, branch: string, branches: readonly string[]) {
    this.#api = api
    this.#branch = branch
    this.#branches = branches
  }

  get pulls(): ReadonlyMap<PullRequestNumber, SeenPull> {
    return this.#pulls
  }

  /** The open pull request whose branch is the base of this one, if the bases lead to the target branch. */
  below(pull: Pull): PullRequestNumber | null {
    const isAbove = !this.#branches.includes(pull.base) && this.targetOf(pull) === this.#branch
    return isAbove ? (this.#ofBranch(pull.base)?.number ?? null) : null
  }

  /** The target branch of a queue to which the bases lead, through open pull requests; null: they lead to none. */
  targetOf(pull: Pull): string | null {
    const seen = new Set<PullRequestNumber>()
    let at: Pull | undefined = pull
    while (at && !seen.has(at.number)) {
      if (this.#branches.includes(at.base)) return at.base
      seen.add(at.number)
      at = this.#ofBranch(at.base)
    }
    return null
  }

  #ofBranch(branch: string): Pull | undefined {
    const open = [...this.#pulls.values()].filter(({ state }) => state === 'open')
    const those = open.filter((pull) => pull.branch === branch)
    return those.find((pull) => pull.base === this.#branch) ?? those[0]
  }

  /** For who tells the queue. */
  unapprovedFor(number: PullRequestNumber): string | null {
    const lacks = this.#approvals.get(number)?.lacks ?? null
    this.#reported.set(number, lacks)
    return lacks
  }

  /**
   * Reads the list of the open ones. Returns those of the queue that it takes away, others that it had before, and those
   * that it does not have but somebody waits for: read each once more. One can slip between two of its pages.
   */
  async readAll(
    frozen: ReadonlyMap<PullRequestNumber, PullSnapshot>,
    awaited: ReadonlySet<PullRequestNumber>,
  ): Promise<PullRequestNumber[]> {
    const listed = (await this.#api.openPulls()).filter(isOfSomebody)
    const numbers = new Set(listed.map(({ number }) => number))
    const gone = [...this.#pulls.values()].filter(({ number }) => !numbers.has(number))
    for (const { number } of gone) this.#pulls.delete(number)
    for (const pull of listed) this.#pulls.set(pull.number, pull)
    const leaving = [...frozen].flatMap(([number, snapshot]) => {
      const pull = this.#pulls.get(number)
      return !pull || departureOf(pull, snapshot, this.#branch) !== null ? number : []
    })
    const wereOpen = gone.flatMap(({ number, state }) => (state === 'open' ? number : []))
    const missing = [...awaited].filter((number) => !this.#pulls.has(number))
    return [...new Set([...leaving, ...wereOpen, ...missing])]
  }

  /** Reads one. Those for other branches are of interest only while they are in the queue. */
  async read(number: PullRequestNumber): Promise<SeenPull | null> {
    const pull = await this.#api.pull(number)
    const { departures } = this.#pulls.get(number) ?? {}
    if (pull) this.#pulls.set(number, departures ? { ...pull, departures } : pull)
    else this.#pulls.delete(number)
    return pull
  }

  /**
   * Reads the reviews of a pull request that was updated; `isDue`: also of any other, because whose review counts
   * can change without it. True: its approval is not what the queue was told.
   */
  async review(number: PullRequestNumber, rules: ReviewRules, isDue = false): Promise<boolean> {
    const pull = this.#pulls.get(number)
    const before = this.#approvals.get(number)
    const of = `${JSON.stringify(rules)} ${pull?.updatedAt ?? ''}`
    if (before?.of === of && !isDue) return before.lacks !== this.#reported.get(number)
    const lacks = await this.#api.unapprovedFor(number, rules)
    const isKept = this.#api.isUpdatedByReviews && this.#isSettled(pull)
    this.#approvals.set(number, { lacks, of: isKept ? of : '' })
    return lacks !== this.#reported.get(number)
  }

  /** Adds what was done to a pull request, also what was undone since; read anew if it was updated. */
  async addDepartures(number: PullRequestNumber): Promise<SeenPull | null> {
    const pull = this.#pulls.get(number)
    if (!pull) return null
    const { updatedAt: of } = pull
    const known = this.#changes.get(number)
    const events = known?.of === of ? known.events : await this.#api.changes(number)
    this.#changes.set(number, { events, of: this.#isSettled(pull) ? of : '' })
    const seen = { ...pull, departures: departuresIn(events) }
    this.#pulls.set(number, seen)
    return seen
  }

  /** What was done to one in the queue, as it was read last. */
  changesOf(number: PullRequestNumber): readonly ActivityEvent[] {
    return this.#changes.get(number)?.events ?? []
  }

  /** Instants can be whole seconds: in the one of the last update more can happen. */
  #isSettled(pull: SeenPull | undefined): boolean {
    return this.#api.now() - Date.parse(pull?.updatedAt ?? '') > settledMs
  }

  /** Drops what is known of approvals of those that left the queue. */
  forget(isQueued: (number: PullRequestNumber) => boolean): void {
    for (const number of this.#approvals.keys()) {
      if (!isQueued(number) && !this.#pulls.has(number)) this.#approvals.delete(number)
    }
    for (const number of this.#reported.keys()) if (!isQueued(number)) this.#reported.delete(number)
    for (const number of this.#changes.keys()) {
      if (!isQueued(number)) this.#changes.delete(number)
    }
  }
}

// What was done to a pull request on its host, and what that means for a request: it is about the commit
// that stood when somebody with the right asked, and it is over as soon as that changes.

/** What ends a request, in the words that its pull request gets. */
const ends: Readonly<Record<ActivityEvent['is'], string | null>> = {
  labelled: null,
  unlabelled: null,
  pushed: 'somebody has pushed since it was asked for: ask again',
  closed: 'it was closed since it was asked for: ask again',
  reopened: 'it was closed and reopened since it was asked for: ask again',
  drafted: 'it was made a draft since it was asked for: ask again',
  retargeted: 'its base was changed since it was asked for: ask again',
}

/** What takes one out of the queue though it was undone since. A push that was undone leaves what was asked for. */
const leaves: Partial<Readonly<Record<ActivityEvent['is'], CancelReason>>> = {
  closed: 'PR_CLOSED',
  drafted: 'PR_CONVERTED_TO_DRAFT',
  retargeted: 'PR_BASE_BRANCH_CHANGED',
}

export function departuresIn(events: readonly ActivityEvent[]): Departures {
  return events.flatMap(({ is }) => leaves[is] ?? [])
}

const unknownHead =
  'the host does not say which commit stood when it was asked for, and the queue had not seen this one before: ask again'

/**
 * Why a request does not count for the head of now; null: it does. What came after it ends it. Of events at
 * the same instant nobody knows the order, and of a host that tells no pushes nobody knows the head: then the
 * request counts only if the head was there at the poll before it, and the request was not.
 */
export function whyOver(
  when: Moment,
  { events, tellsPushes }: Activity,
  atPollBefore: { readonly hadHead: boolean; readonly wasAsked: boolean },
): string | null {
  const changes = events.filter(({ is }) => ends[is] !== null)
  const since = changes.findLast((event) => compareMoments(event.when, when) > 0)
  if (since) return ends[since.is]
  if (!atPollBefore.hadHead && !tellsPushes) return unknownHead
  if (atPollBefore.hadHead && !atPollBefore.wasAsked) return null
  const beside = changes.find((event) => compareMoments(event.when, when) === 0)
  return beside ? ends[beside.is] : null
}

/** Negative: `a` was before. 0: nobody knows. */
export function compareMoments(a: Moment, b: Moment): number {
  return a.place !== null && b.place !== null ? a.place - b.place : a.at - b.at
}

/** Who gave a pull request the label that it has, and when; null: the host does not say. */
export function lastEventAbout(
  label: string,
  is: 'labelled' | 'unlabelled',
  { events }: Pick<Activity, 'events'>,
): ActivityEvent | null {
  const last = events.findLast((event) => event.label === label)
  return last?.is === is ? last : null
}

// What must be known about the host after a restart: from when on requests count, up to where comments
// were read, which head each open pull request had at the last poll, and who has the enqueueing label. If it
// is lost, requests count from then on.

export type Memory = Read & {
  /** What was asked for before is no request: an instant of the host in milliseconds; null: not known yet. */
  readonly since: number | null
  /** The commands in comments about which the host could not say enough, oldest first. */
  readonly undecided: readonly Asked[]
  /** The label that submits; empty: none does; absent: an older version wrote it. */
  readonly label?: string
  /** The last submission of before it submits; absent: an older version wrote it. */
  readonly submission?: number
  /** Those whose label is known. */
  readonly labelled: readonly PullRequestNumber[]
  /** When the label was set by which one was asked for, as its host tells it: one that was set later is another request. */
  readonly setAt: Readonly<Record<string, Millis>>
  /** Labelled drafts: the head for which the label waits, by number. */
  readonly waiting: Readonly<Record<string, Oid>>
  /** The thumbs below comments that may not be shown yet. */
  readonly reactions: readonly (Pick<Asked, 'comment' | 'number'> & { readonly isDone: boolean })[]
  /** The words of refusals that are in no comment yet, by number. */
  readonly refusals: Readonly<Record<string, readonly string[]>>
  /** When those ended whose end is shown on the host, by number: the last hour of them. */
  readonly shown: Readonly<Record<string, Millis>>
  /** The head of each open pull request for the branch at the last poll, by number. */
  readonly heads: Readonly<Record<string, Oid>>
}

const nothing: Memory = {
  since: null,
  commentsSince: null,
  lastComment: 0,
  undecided: [],
  labelled: [],
  setAt: {},
  waiting: {},
  reactions: [],
  refusals: {},
  shown: {},
  heads: {},
}

export class KeptMemory {
  readonly #notes: Notes
  #memory: Memory
  /** What the notes hold. */
  #saved: Memory
  #saving: Promise<void> = Promise.resolve()

  constructor(notes: Notes) {
    this.#notes = notes
    this.#memory = read(notes)
    this.#saved = this.#memory
  }

  get memory(): Memory {
    return this.#memory
  }

  /** Changes what is known; it is kept after the next `save`. */
  change(change: Partial<Memory>): void {
    const next = { ...this.#memory, ...change }
    if (JSON.stringify(next) !== JSON.stringify(this.#memory)) this.#memory = next
  }

  /** One after the other: a later one knows more. */
  save(): Promise<void> {
    this.#saving = this.#saving.catch(() => undefined).then(() => this.#write())
    return this.#saving
  }

  async #write(): Promise<void> {
    const memory = this.#memory
    if (memory === this.#saved) return
    await this.#notes.write(`${JSON.stringify(memory)}\n`)
    this.#saved = memory
  }
}

/** What an older version wrote has no instant: its folder is not fresh, so all counts. */
function read(notes: Notes): Memory {
  try {
    const text = notes.read()
    if (text === null) return nothing
    const memory: Partial<Memory> = JSON.parse(text)
    return { ...nothing, since: 0, ...memory }
  } catch {
    return nothing
  }
}
