/**
 * Shows the state of the queue on its host: one status, one comment that is edited in place, one label. It is
 * best effort and never in the way of a merge: what fails is tried again at the next change or look.
 */

import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isTerminal, type Event, type PullRequestNumber } from '../../engine/index.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { Mirror } from '../git/mirror.ts'
import type { ForgeApi } from './api.ts'
import { isLimited } from './failed.ts'
import { isLeftOpen, whyClosed } from './left-open.ts'
import { tipOf } from '../hosting/hosted-parts.ts'
import { markMerged } from './marking.ts'
import { newsOf, type News } from './news.ts'
import { writeComment, writeLabel, writeStatus } from './telling.ts'

type Parts = {
  readonly api: ForgeApi
  readonly queue: ManagedQueue
  readonly mirror: Mirror
  readonly logger: Logger
  /** Where people reach the live page; null: nobody said it. */
  readonly publicUrl: string | null
  readonly now: () => number
  /** The labels that a pull request has, as far as they were seen. */
  readonly labelsOf: (number: PullRequestNumber) => readonly string[]
  /** Changes of a pull request within this time become one. */
  readonly gapMs: number
}

/**
 * Between two pull requests, as a part of the gap: 2 s. Each of them takes up to two changes, and GitHub allows
 * about 80 a minute, of which merges and drafts need some.
 */
const gapParts = 5

/** After a restart what left the queue within this time is told once more. */
const recentMs = 3_600_000

type Told = { readonly news: News; readonly at: number }

export class Teller {
  readonly #parts: Parts
  readonly #due = new Set<PullRequestNumber>()
  readonly #told = new Map<PullRequestNumber, Told>()
  readonly #comments = new Map<PullRequestNumber, number>()
  readonly #refusals = new Map<PullRequestNumber, string>()
  /** Those that the host does not let be marked as merged, until they are submitted again. */
  readonly #unmarkable = new Set<PullRequestNumber>()
  #running: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null
  readonly #closing = new AbortController()

  constructor(parts: Parts) {
    this.#parts = parts
    const { queue, now } = parts
    for (const { number, state, stateChangedAt } of Object.values(
      queue.engine.queue.pullRequests,
    )) {
      if (!isTerminal(state) || now() - stateChangedAt < recentMs) this.#due.add(number)
    }
    queue.followers.add(this.#follow)
  }

  readonly #follow = (events: readonly Event[]): void => {
    for (const event of events) {
      const { type } = event
      if (type === 'pullRequestSubmitted' || type === 'pullRequestMoved') {
        this.#due.add(event.number)
        this.#refusals.delete(event.number)
      }
      if (type === 'pullRequestSubmitted') this.#unmarkable.delete(event.number)
    }
  }

  /** A wish that the queue refuses is answered in the comment too. */
  refuse(number: PullRequestNumber, words: string): void {
    this.#refusals.set(number, words)
    this.#due.add(number)
  }

  /** The host still shows as open what has merged: it is told once more. */
  remind(number: PullRequestNumber): void {
    if (!this.#unmarkable.has(number)) this.#due.add(number)
  }

  /** Shows what has changed. Call it when that is on disk. */
  show(): void {
    if (this.#isClosed) return
    this.#running ??= this.#run().finally(() => {
      this.#running = null
    })
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#parts.queue.followers.delete(this.#follow)
    if (this.#timer) clearTimeout(this.#timer)
    await this.#running
  }

  async #run(): Promise<void> {
    const { api, logger, now, gapMs } = this.#parts
    let waitMs = Infinity
    for (const number of [...this.#due]) {
      if (this.#isClosed) return
      const left = (this.#told.get(number)?.at ?? -Infinity) + gapMs - now()
      if (left > 0) {
        waitMs = Math.min(waitMs, left)
        continue
      }
      this.#due.delete(number)
      try {
        await this.#tell(number)
        await this.#rest()
      } catch (error) {
        this.#due.add(number)
        logger.warn({ err: error, number }, `${api.forge} could not be told about a pull request`)
        if (isLimited(error)) return
      }
    }
    if (waitMs === Infinity || this.#timer !== null || this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.show()
    }, waitMs)
    this.#timer.unref()
  }

  async #rest(): Promise<void> {
    const { gapMs } = this.#parts
    const { signal } = this.#closing
    await wait(gapMs / gapParts, undefined, { signal }).catch(() => undefined)
  }

  /** Writes what is different from what was written last. */
  async #tell(number: PullRequestNumber): Promise<void> {
    const { api, queue, now, publicUrl } = this.#parts
    const { commentsEnabled } = queue.engine.queue.configuration
    const news = newsOf(queue, number, publicUrl)
    const isLeft = news !== null && (await this.#isLeftOpen(number, news))
    const before = this.#told.get(number)?.news
    const refusal = this.#refusals.get(number)
    if (news) await this.#mark(number, news, before)
    const isNew = news?.comment !== before?.comment || refusal !== undefined
    if (commentsEnabled && isNew) {
      const closed = isLeft ? whyClosed : null
      await writeComment(api, queue, { number, news, refusal, closed, known: this.#comments })
    }
    if (isLeft) await api.close(number)
    this.#refusals.delete(number)
    if (!news) return
    this.#told.set(number, { news, at: now() })
    await this.#markMerged(number, news)
    if (isTerminal(queue.engine.queue.pullRequests[number]?.state ?? 'MERGED')) {
      // Nothing follows, unless it comes again.
      this.#comments.delete(number)
      this.#told.delete(number)
    }
  }

  async #markMerged(number: PullRequestNumber, { head }: News): Promise<void> {
    const { state } = this.#parts.queue.engine.queue.pullRequests[number] ?? {}
    const tip = tipOf(this.#parts)
    // A reminder can come while the host is asked.
    if (state !== 'MERGED' || tip === null || this.#unmarkable.has(number)) return
    if (!(await markMerged(this.#parts, { number, head, tip }))) this.#unmarkable.add(number)
  }

  async #isLeftOpen(number: PullRequestNumber, { head }: News): Promise<boolean> {
    const { queue } = this.#parts
    const { state, reason } = queue.engine.queue.pullRequests[number] ?? {}
    const tip = tipOf(this.#parts)
    if (state !== 'MERGED' || reason !== 'MANUAL_MERGE' || tip === null) return false
    if (this.#parts.api.merging.by === 'mark') return false
    return isLeftOpen(this.#parts, { number, head, tip })
  }

  /** Sets the status and the label. */
  async #mark(number: PullRequestNumber, news: News, before: News | undefined): Promise<void> {
    const { api, queue, labelsOf } = this.#parts
    const { statusCheckEnabled, stateLabelsEnabled } = queue.engine.queue.configuration
    if (statusCheckEnabled && !isSameStatus(news, before)) await writeStatus(api, queue, news)
    if (stateLabelsEnabled && news.label !== before?.label) {
      await writeLabel(api, { number, label: news.label, has: labelsOf(number) })
    }
  }
}

function isSameStatus(news: News, before: News | undefined): boolean {
  return (
    before !== undefined &&
    news.head === before.head &&
    news.status === before.status &&
    news.description === before.description
  )
}
