/**
 * Shows the state of the queue on its host: one status, one comment that is edited in place, one label. It is
 * best effort and never in the way of a merge: what fails is tried again, later each time.
 */

import { setTimeout as wait } from 'node:timers/promises'
import { isTerminal, type Event, type PullRequestNumber } from '../../engine/index.ts'
import { Backoff } from '../hosting/backoff.ts'
import type { CodeHostParts } from '../hosting/code-host.ts'
import type { CodeHostApi, SeenPull } from './api.ts'
import type { KeptMemory, ObservedPulls } from './observed-pulls.ts'
import { hasStatus, isLimited } from './rest.ts'
import {
  commentOf,
  contextOf,
  isSameStatus,
  labelOf,
  reportOf,
  saysAlready,
  stateLabels,
  tagOf,
  type Report,
} from './report.ts'
import { noteShown, unshownIn } from './shown-ends.ts'
import { snapshotOf, tipOf } from '../hosting/hosted-parts.ts'
import { concernedBy } from '../views/pull-request.ts'

type Parts = Pick<CodeHostParts, 'queue' | 'others' | 'mirror' | 'logger' | 'now'> & {
  readonly api: CodeHostApi
  /** Where people reach the live page; null: nobody said it. */
  readonly publicUrl: string | null
  readonly file: KeptMemory
  readonly observed: Pick<ObservedPulls, 'pulls'>
  /** Changes of a pull request within this time become one. */
  readonly gapMs: number
  /** Before what failed is tried again for the first time. */
  readonly againMs: number
}

/** Between two pull requests, as a part of the gap: 2 s. Each takes up to two changes of GitHub's about 80 a minute. */
const gapParts = 5

type Shown = Pick<SeenPull, 'number' | 'head' | 'base' | 'state'>

type Reported = { readonly report: Report; readonly at: number }

/** What is written, by what comes first: on some hosts that it has merged, then the status and the label. */
const lines = ['merge', 'mark', 'comment'] as const
type Line = (typeof lines)[number]

const nobody = () => new Set<PullRequestNumber>()

const shownBy = ['statusCheckEnabled', 'commentsEnabled', 'stateLabelsEnabled'] as const

export class StatusReporter {
  readonly #parts: Parts
  /** Those whose change may not be on disk yet. */
  readonly #changed = new Set<PullRequestNumber>()
  readonly #due = { merge: nobody(), mark: nobody(), comment: nobody() }
  readonly #reported = {
    mark: new Map<PullRequestNumber, Reported>(),
    comment: new Map<PullRequestNumber, Reported>(),
  }
  /** What failed, by line and number, and when it is tried again. */
  readonly #failed = new Map<string, { readonly backoff: Backoff; readonly until: number }>()
  /** Nothing is written before: the host allows no more requests. */
  #pausedUntil = -Infinity
  readonly #limit: Backoff
  readonly #comments = new Map<PullRequestNumber, number>()
  /** Those that the host does not let be marked as merged, until they are submitted again. */
  readonly #unmarkable = new Set<PullRequestNumber>()
  #running: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null
  readonly #closing = new AbortController()

  constructor(parts: Parts) {
    this.#parts = parts
    const { queue, file } = parts
    for (const number of Object.keys(file.memory.refusals)) this.#due.comment.add(Number(number))
    this.#limit = new Backoff(parts.againMs)
    for (const number of unshownIn(queue, file)) this.#changed.add(number)
    queue.followers.add(this.#follow)
  }

  readonly #follow = (events: readonly Event[]): void => {
    const { queue } = this.#parts.queue.engine
    for (const event of events) {
      const { type } = event
      if (event.type === 'queueConfigured' && shownBy.some((key) => event.set[key]))
        this.#showAnew()
      if (type === 'pullRequestSubmitted' || type === 'pullRequestMoved') {
        this.#changed.add(event.number)
        this.#keepRefusals(event.number, [])
      }
      if (type === 'pullRequestSubmitted') this.#unmarkable.delete(event.number)
      // Who waits shows why the queue stands, and no longer when it goes on.
      const isOfAll = type === 'queueStateChanged' || type === 'tipTested'
      const concerned = isOfAll ? this.#reported.mark.keys() : concernedBy(event, queue)
      for (const number of concerned) this.#noteOutdated(number)
    }
  }

  /** It has changed if something else would be shown of it now. */
  #noteOutdated(number: PullRequestNumber): void {
    const shown = this.#reported.mark.get(number)?.report
    if (!shown || this.#changed.has(number)) return
    const { queue, publicUrl } = this.#parts
    if (reportOf(queue, number, publicUrl)?.comment !== shown.comment) this.#changed.add(number)
  }

  /** What was not shown while a setting was off is shown of all who wait. */
  #showAnew(): void {
    for (const reported of Object.values(this.#reported)) reported.clear()
    for (const { number, state } of Object.values(this.#parts.queue.engine.queue.pullRequests))
      if (!isTerminal(state)) this.#changed.add(number)
  }

  /** A request that the queue refuses is answered in the comment too. */
  refuse(number: PullRequestNumber, words: string): void {
    const unwritten = this.#refusalsOf(number)
    if (!unwritten.includes(words)) this.#keepRefusals(number, [...unwritten, words])
    this.#due.comment.add(number)
  }

  #refusalsOf(number: PullRequestNumber): readonly string[] {
    return this.#parts.file.memory.refusals[number] ?? []
  }

  /** The words that are in no comment yet. The next start writes them if this one does not. */
  #keepRefusals(number: PullRequestNumber, unwritten: readonly string[]): void {
    const { file } = this.#parts
    const { [number]: _written, ...others } = file.memory.refusals
    file.change({ refusals: unwritten.length === 0 ? others : { ...others, [number]: unwritten } })
  }

  /** What has merged is marked as merged once more if the host still shows it as open, with nothing changed since. */
  remind(pull: Shown): void {
    const { number } = pull
    if (!this.#isMerged(number) || this.#unmarkable.has(number)) return
    if (this.#isStillOpen(number, pull)) this.#due.merge.add(number)
  }

  /** Shows what has changed. Call it when that is on disk. Settles when nothing more is due now. */
  show(): Promise<void> {
    for (const number of this.#changed)
      for (const line of lines)
        if (line !== 'merge' || this.#isMerged(number)) this.#due[line].add(number)
    this.#changed.clear()
    return this.#begin()
  }

  async #begin(): Promise<void> {
    if (this.#isClosed) return
    this.#running ??= this.#run().finally(() => {
      this.#running = null
    })
    await this.#running
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

  /** Writes one thing after the other, and chooses anew after each: a merge waits for no comment. */
  async #run(): Promise<void> {
    for (;;) {
      if (this.#isClosed) return
      const next = this.#next()
      if (typeof next === 'number') {
        this.#beginAfter(next)
        return
      }
      await this.#try(next)
    }
  }

  #beginAfter(waitMs: number): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    if (waitMs === Infinity) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.#begin()
    }, waitMs)
    this.#timer.unref()
  }

  /** What to write now: merges, other marks, comments; or the wait until something is due. */
  #next(): { readonly line: Line; readonly number: PullRequestNumber } | number {
    const now = this.#parts.now()
    let waitMs = Infinity
    for (const line of lines) {
      const numbers = [...this.#due[line]]
      if (line === 'mark')
        numbers.sort((a, b) => Number(this.#isMerged(b)) - Number(this.#isMerged(a)))
      for (const number of numbers) {
        const left = Math.max(this.#pausedUntil, this.#dueAt(line, number)) - now
        if (left <= 0) return { line, number }
        waitMs = Math.min(waitMs, left)
      }
    }
    return waitMs
  }

  #dueAt(line: Line, number: PullRequestNumber): number {
    const failed = this.#failed.get(`${line} ${number}`)
    if (failed) return failed.until
    if (line === 'merge') return -Infinity
    const last = this.#reported[line].get(number)?.at ?? -Infinity
    return line === 'mark' && this.#isMerged(number) ? -Infinity : last + this.#parts.gapMs
  }

  #isMerged(number: PullRequestNumber): boolean {
    return this.#parts.queue.engine.queue.pullRequests[number]?.state === 'MERGED'
  }

  /** What fails is tried again, later each time. */
  async #try({ line, number }: { readonly line: Line; readonly number: PullRequestNumber }) {
    const { api, logger, now, againMs } = this.#parts
    const key = `${line} ${number}`
    this.#due[line].delete(number)
    try {
      const hasWritten = await this.#write(line, number)
      this.#failed.delete(key)
      this.#limit.worked()
      if (hasWritten) await this.#rest()
    } catch (error) {
      this.#due[line].add(number)
      // It may be there though its answer was lost.
      if (line !== 'merge') this.#reported[line].delete(number)
      const backoff = this.#failed.get(key)?.backoff ?? new Backoff(againMs)
      this.#failed.set(key, { backoff, until: now() + backoff.next() })
      if (isLimited(error)) this.#pausedUntil = now() + this.#limit.next()
      logger.warn({ err: error, number }, `${api.name} could not be told about a pull request`)
    }
  }

  /** True: something was written, so the next one waits a little. */
  async #write(line: Line, number: PullRequestNumber): Promise<boolean> {
    if (line !== 'merge') return line === 'mark' ? this.#mark(number) : this.#comment(number)
    await this.#markMerged(number)
    return false
  }

  async #rest(): Promise<void> {
    const { signal } = this.#closing
    await wait(this.#parts.gapMs / gapParts, undefined, { signal }).catch(() => undefined)
  }

  /** Shows what is different from what was shown last. */
  async #mark(number: PullRequestNumber): Promise<boolean> {
    const { queue, others, now, publicUrl } = this.#parts
    const own = reportOf(queue, number, publicUrl)
    if (!own) return false
    const report = { ...own, label: labelOf([queue, ...others()], number) }
    await this.#markState(number, report, this.#reported.mark.get(number)?.report)
    this.#reported.mark.set(number, { report, at: now() })
    this.#forgetEnded(number)
    return !this.#isMerged(number)
  }

  /** Writes the comment, and closes what would stay open. */
  async #comment(number: PullRequestNumber): Promise<boolean> {
    const { api, queue, now, publicUrl } = this.#parts
    const { commentsEnabled } = queue.engine.queue.configuration
    const report = reportOf(queue, number, publicUrl)
    const isLeft = report !== null && (await this.#isLeftOpen(number, report))
    const isNew = report?.comment !== this.#reported.comment.get(number)?.report.comment
    const refusals = this.#refusalsOf(number)
    const isDue = commentsEnabled && (isNew || refusals.length > 0)
    const hasWritten = isDue && (await this.#say(number, report, { isLeft, refusals }))
    if (isLeft) await api.close(number)
    // Others can have come meanwhile.
    this.#keepRefusals(number, this.#refusalsOf(number).slice(refusals.length))
    if (report) this.#reported.comment.set(number, { report, at: now() })
    this.#forgetEnded(number)
    return hasWritten
  }

  /** Edits the comment of the queue, or writes the first one. False: it says so already. */
  async #say(
    number: PullRequestNumber,
    report: Report | null,
    more: Parameters<typeof commentOf>[2],
  ): Promise<boolean> {
    const { api, queue } = this.#parts
    const body = commentOf(queue, report, more)
    const known = this.#comments.get(number)
    const found = known === undefined ? await api.ownComment(number, tagOf(queue)) : null
    const id = known ?? found?.id
    if (id !== undefined) {
      this.#comments.set(number, id)
      if (found && saysAlready(queue, found.body, body)) return false
      if (await api.editComment(number, id, body)) return true
      // Somebody has removed it: the answer to the next one can be lost.
      this.#comments.delete(number)
    }
    this.#comments.set(number, await api.addComment(number, body))
    return true
  }

  /** Nothing follows on one that has left the queue, unless it comes again. */
  #forgetEnded(number: PullRequestNumber): void {
    const { state = 'MERGED', stateChangedAt } =
      this.#parts.queue.engine.queue.pullRequests[number] ?? {}
    const isDue = this.#changed.has(number) || lines.some((line) => this.#due[line].has(number))
    if (!isTerminal(state) || isDue) return
    this.#comments.delete(number)
    for (const reported of Object.values(this.#reported)) reported.delete(number)
    if (stateChangedAt !== undefined) noteShown(this.#parts.file, number, stateChangedAt)
  }

  /**
   * Marks one that has merged and is still open, on a host that does not see it by itself. The commit is the one that
   * names it, if the queue knows it as its own: the number in another may be somebody else's. A change that was on the
   * branch already has none, and counts as merged with the tip.
   */
  async #markMerged(number: PullRequestNumber): Promise<void> {
    const { api, mirror, logger, queue } = this.#parts
    const { merging } = api
    const tip = tipOf(this.#parts)
    // A reminder can come while the host is asked.
    if (!this.#isMerged(number) || tip === null || this.#unmarkable.has(number)) return
    if (merging.by !== 'mark' || !(await this.#isShownOpen(number))) return
    const own = new Set(queue.history.tips.values())
    const commit = (await mirror.landingsOf(number, tip)).find((each) => own.has(each)) ?? tip
    try {
      await merging.mark(number, commit)
    } catch (error) {
      if (!isNotAllowed(error)) throw error
      const words = `${api.name} does not allow to mark pull requests as merged: allow it in the settings of the repository`
      logger.warn({ err: error, number }, words)
      this.#unmarkable.add(number)
    }
  }

  async #isShownOpen(number: PullRequestNumber): Promise<boolean> {
    return this.#isStillOpen(number, await this.#parts.api.pull(number))
  }

  /** Open on its host for the branch, at the head that was submitted: what changed since has not merged. */
  #isStillOpen(number: PullRequestNumber, pull: Shown | null): boolean {
    const { queue } = this.#parts
    const isHere = pull?.state === 'open' && pull.base === queue.ref.targetBranch
    return isHere && pull.head === snapshotOf(this.#parts, number)?.head
  }

  /**
   * True if the host will not show it as merged by itself: it does so only when the commits of the pull request
   * are on the branch, and here only their change is.
   */
  async #isLeftOpen(number: PullRequestNumber, report: Report): Promise<boolean> {
    const { queue, api, mirror } = this.#parts
    const { reason } = queue.engine.queue.pullRequests[number] ?? {}
    const tip = tipOf(this.#parts)
    if (!this.#isMerged(number) || reason !== 'MANUAL_MERGE' || tip === null) return false
    if (api.merging.by === 'mark' || !(await this.#isShownOpen(number))) return false
    return !(await mirror.isAncestor(report.head, tip))
  }

  /** Sets the status, and leaves one of the labels of states on a pull request, or none. */
  async #markState(
    number: PullRequestNumber,
    report: Report,
    before: Report | undefined,
  ): Promise<void> {
    const { api, queue } = this.#parts
    const { statusCheckEnabled, stateLabelsEnabled } = queue.engine.queue.configuration
    const { head, status: state, description, url, label } = report
    if (statusCheckEnabled && !isSameStatus(report, before)) {
      await api.setStatus(head, { context: contextOf(queue), state, description, url })
    }
    if (stateLabelsEnabled && label !== before?.label) await this.#label(number, label, before)
  }

  /** A poll sees only open ones, and nothing that was set since: what may be there is asked for. */
  async #label(
    number: PullRequestNumber,
    label: string | null,
    before: Report | undefined,
  ): Promise<void> {
    const { api, observed } = this.#parts
    const known = before && observed.pulls.get(number)?.labels
    const seen = known ?? (await api.pull(number))?.labels ?? []
    const all: readonly string[] = Object.values(stateLabels)
    const has = new Set([...seen, before?.label ?? ''].filter((name) => all.includes(name)))
    for (const name of has) if (name !== label) await api.removeLabel(number, name)
    const isThere = before === undefined && label !== null && seen.includes(label)
    if (label !== null && !isThere) await api.addLabel(number, label)
  }
}

const isNotAllowed = hasStatus(405)
