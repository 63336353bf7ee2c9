/**
 * The pull requests as they were seen last. A full look reads the list; between two of them a webhook says
 * which ones to read. The list can be older than what was read before, so what it takes away is read once more.
 */

import type { Card, PullRequestNumber } from '../../engine/index.ts'
import { departureOf, type Departures, type Pull } from '../hosting/forge.ts'
import { departuresIn } from './activity.ts'
import type { ForgeApi, ReviewRules, SeenPull } from './api.ts'

const settledMs = 3_000

export class Sightings {
  readonly #api: ForgeApi
  readonly #branch: string
  readonly #pulls = new Map<PullRequestNumber, SeenPull>()
  /** What the reviews of a pull request lack, and when it was updated last. */
  readonly #approvals = new Map<
    PullRequestNumber,
    { readonly lacks: string | null; readonly of: string }
  >()
  /** What was done to those in the queue, and when they were updated last. */
  readonly #departures = new Map<
    PullRequestNumber,
    { readonly is: Departures; readonly of: string }
  >()
  /** What the queue was told of it last, by this server. */
  readonly #told = new Map<PullRequestNumber, string | null>()

  readonly #now: () => number

  constructor(api: ForgeApi, branch: string, now: () => number) {
    this.#api = api
    this.#now = now
    this.#branch = branch
  }

  get pulls(): ReadonlyMap<PullRequestNumber, SeenPull> {
    return this.#pulls
  }

  /**
   * The open pull request whose branch is the base of this one, if its own base leads to the target branch. `others`:
   * the branches of other queues, which are nobody's change.
   */
  below({ base, number }: Pull, others: readonly string[]): PullRequestNumber | null {
    const open = [...this.#pulls.values()].filter(({ state }) => state === 'open')
    const byBranch = (branch: string) => {
      if (branch === this.#branch || others.includes(branch)) return undefined
      const those = open.filter((pull) => pull.branch === branch)
      return those.find((pull) => pull.base === this.#branch) ?? those[0]
    }
    const below = byBranch(base)
    const seen = new Set([number])
    let at = below
    while (at && !seen.has(at.number)) {
      if (at.base === this.#branch) return below?.number ?? null
      seen.add(at.number)
      at = byBranch(at.base)
    }
    return null
  }

  /** For who tells the queue. */
  unapprovedFor(number: PullRequestNumber): string | null {
    const lacks = this.#approvals.get(number)?.lacks ?? null
    this.#told.set(number, lacks)
    return lacks
  }

  /**
   * Reads the list of the open ones. Returns those of the queue that it takes away, and those that it does not have but
   * somebody waits for: read each once more.
   */
  async readAll(
    frozen: ReadonlyMap<PullRequestNumber, Card>,
    awaited: ReadonlySet<PullRequestNumber>,
  ): Promise<PullRequestNumber[]> {
    const listed = await this.#api.openPulls()
    const numbers = new Set(listed.map(({ number }) => number))
    for (const number of this.#pulls.keys()) if (!numbers.has(number)) this.#pulls.delete(number)
    for (const pull of listed) this.#pulls.set(pull.number, pull)
    const leaving = [...frozen].flatMap(([number, card]) => {
      const pull = this.#pulls.get(number)
      return !pull || departureOf(pull, card, this.#branch) !== null ? number : []
    })
    return [...leaving, ...[...awaited].filter((number) => !this.#pulls.has(number))]
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
    if (before?.of === of && !isDue) return before.lacks !== this.#told.get(number)
    const lacks = await this.#api.unapprovedFor(number, rules)
    const isKept = this.#api.isUpdatedByReviews && this.#isSettled(pull)
    this.#approvals.set(number, { lacks, of: isKept ? of : '' })
    return lacks !== this.#told.get(number)
  }

  /** Adds what was done to a pull request, also what was undone since; read anew if it was updated. */
  async addDepartures(number: PullRequestNumber): Promise<SeenPull | null> {
    const pull = this.#pulls.get(number)
    if (!pull) return null
    const { updatedAt: of } = pull
    const known = this.#departures.get(number)
    const is = known?.of === of ? known.is : departuresIn(await this.#api.changes(number))
    this.#departures.set(number, { is, of: this.#isSettled(pull) ? of : '' })
    const seen = { ...pull, departures: is }
    this.#pulls.set(number, seen)
    return seen
  }

  /** Instants can be whole seconds: in the one of the last update more can happen. */
  #isSettled(pull: SeenPull | undefined): boolean {
    const age = this.#now() + this.#api.clockAheadMs - Date.parse(pull?.updatedAt ?? '')
    return age > settledMs
  }

  /** Drops what is known of approvals of those that left the queue. */
  forget(isQueued: (number: PullRequestNumber) => boolean): void {
    for (const number of this.#approvals.keys()) {
      if (!isQueued(number) && !this.#pulls.has(number)) this.#approvals.delete(number)
    }
    for (const number of this.#told.keys()) if (!isQueued(number)) this.#told.delete(number)
    for (const number of this.#departures.keys()) {
      if (!isQueued(number)) this.#departures.delete(number)
    }
  }
}
