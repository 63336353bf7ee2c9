/**
 * What people ask the queue for on its host: by the enqueueing label, and by comments. A request is about one
 * pull request and one commit, and counts if who asked may write at that moment.
 */

import type { Logger } from 'pino'
import type { PullRequestNumber } from '../../engine/index.ts'
import { standingOf, type HostRequest, type Pull, type Standing } from '../hosting/code-host.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import {
  compareMoments,
  departuresIn,
  lastEventAbout,
  whyOver,
  type KeptMemory,
  type Memory,
} from './observed-pulls.ts'
import type { Activity, ActivityEvent, CodeHostApi, Moment } from './api.ts'
import { actorOf, askerOf } from './asker.ts'
import { newCommands, type Asked } from './comment-commands.ts'
import { onHostClock } from './host-clock.ts'
import { concernsOne } from './rest.ts'

type Parts = {
  readonly api: CodeHostApi
  readonly queue: ManagedQueue
  readonly file: KeptMemory
  /** The target branches of all queues of the repository. */
  readonly branches: readonly string[]
  readonly logger: Logger
  readonly now: () => number
  /** True for one that the queue merges: its base is the target branch, or leads to it. */
  readonly isHere: (pull: Pull) => boolean
  /** Reads a pull request as it is this moment; null: there is none. */
  readonly read: (number: PullRequestNumber) => Promise<Pull | null>
  /** Tells in the comment of the queue why a request is refused. */
  readonly refuse: (number: PullRequestNumber, words: string) => void
}

/** What became of a label. */
type Judged =
  | { readonly is: 'queued' }
  /** The pull request that it stood for has left the queue. */
  | { readonly is: 'left' }
  | { readonly is: 'request'; readonly request: HostRequest }
  /** It counts for this head as soon as the draft is ready for review. */
  | { readonly is: 'waits'; readonly head: string }
  /** It is not open for the branch any more. */
  | { readonly is: 'gone' }
  /** It was set before this server began to listen. */
  | { readonly is: 'earlier' }
  | { readonly is: 'refused'; readonly words: string }

/** When and among which events somebody asked; `wasAsked`: a poll before has seen the same label. */
type ByWhat = { readonly when: Moment; readonly activity: Activity; readonly wasAsked?: boolean }

type Pulls = ReadonlyMap<PullRequestNumber, Pull>

type Reading = {
  /** Those that leave the queue now: what was asked for before is over. */
  readonly leaving: ReadonlySet<PullRequestNumber>
  readonly isCommentDue: boolean
}

export class Requests {
  /** The last answer of the host to a request of one pull request that failed; null: it went well since. */
  fault: string | null = null
  readonly #parts: Parts
  /** What was known before the requests that are not answered yet. */
  #before: Memory
  #unanswered = 0
  /** When the label of one in the queue was taken away, as this poll has seen it. */
  #unlabelled = new Map<PullRequestNumber, Moment>()
  readonly #startedAt: number

  constructor(parts: Parts) {
    this.#parts = parts
    this.#startedAt = parts.now()
    this.#before = parts.file.memory
  }

  /**
   * What is asked for now, of the pull requests for the branch. It counts as known when all of it was
   * answered; until then a fault, or a crash, makes it be asked again, which changes nothing for what was
   * done already.
   */
  async read(pulls: Pulls, { leaving, isCommentDue }: Reading): Promise<HostRequest[]> {
    const { file } = this.#parts
    if (this.#unanswered > 0) file.change(this.#before)
    else await file.save()
    this.#before = file.memory
    this.#unanswered = 1
    if (file.memory.since === null)
      file.change({ since: onHostClock(this.#startedAt, this.#parts) })
    this.#unlabelled = new Map()
    const byLabel = await this.#byLabel(pulls, leaving)
    const byComment = isCommentDue ? await this.#byComment(pulls) : []
    const open = [...pulls.values()].filter(({ state }) => state === 'open')
    file.change({ heads: Object.fromEntries(open.map(({ number, head }) => [number, head])) })
    const requests = [...byLabel, ...byComment]
    this.#unanswered = requests.length
    return requests.map((request) => ({
      ...request,
      answer: (refused) => {
        this.#unanswered -= 1
        request.answer(refused)
      },
    }))
  }

  /** What was answered is known at the next start. Call it when what it did is durable. */
  async keep(): Promise<void> {
    if (this.#unanswered === 0) await this.#parts.file.save()
  }

  /** The label submits, its removal cancels, and it goes with the request that it stood for. */
  async #byLabel(pulls: Pulls, leaving: Reading['leaving']): Promise<HostRequest[]> {
    const { queue, file } = this.#parts
    const label = this.#label
    if (!queue.engine.queue.configuration.labelCommandsEnabled || label === '') return []
    const queued = new Set(queue.positions().numbers())
    const before = new Set(file.memory.labelled)
    const labelled: PullRequestNumber[] = []
    const waiting: Record<string, string> = {}
    const requests: HostRequest[] = []
    const earlier: PullRequestNumber[] = []
    // The list has the newest first; who asked first is not known.
    const open = [...pulls.values()].filter(({ state }) => state === 'open')
    for (const pull of open.sort((a, b) => a.number - b.number)) {
      const { number } = pull
      const isLeaving = leaving.has(number)
      const isKnown = before.has(number)
      if (!pull.labels.includes(label)) {
        if (isKnown && !isLeaving && queued.has(number))
          requests.push(await this.#cancelled(number, label))
        continue
      }
      const isQueued = queued.has(number) && !isLeaving
      const found = await this.#standing(pull, { label, isKnown, isQueued, isLeaving })
      if (found.is === 'request') requests.push(found.request)
      if (found.is === 'waits') waiting[number] = found.head
      if (found.is === 'refused') this.#parts.refuse(number, found.words)
      if (found.is === 'earlier') earlier.push(number)
      if (await this.#keepsLabel(number, label, found)) labelled.push(number)
    }
    const left = [...before].filter((number) => pulls.get(number)?.state !== 'open')
    labelled.push(...(await this.#afterLeaving(left, label, queued)))
    file.change({ labelled, waiting })
    this.#noteEarlier(label, earlier)
    return requests
  }

  get #label(): string {
    const { api, queue } = this.#parts
    return api.nameOfLabel(queue.engine.queue.configuration.enqueueingLabel)
  }

  /** Closed, merged, or for another branch: the label goes; those in the queue leave it first. Returns which stay. */
  async #afterLeaving(
    left: readonly PullRequestNumber[],
    label: string,
    queued: ReadonlySet<PullRequestNumber>,
  ): Promise<PullRequestNumber[]> {
    const stays: PullRequestNumber[] = []
    for (const number of left) {
      if (queued.has(number) || !(await this.#removeLabel(number, label))) stays.push(number)
    }
    return stays
  }

  /** What the label of an open pull request stands for. */
  async #standing(
    { number, isDraft, head }: Pull,
    {
      label,
      isKnown,
      isQueued,
      isLeaving,
    }: { readonly label: string } & Readonly<Record<'isKnown' | 'isQueued' | 'isLeaving', boolean>>,
  ): Promise<Judged> {
    if (isQueued) return { is: 'queued' }
    const had = isKnown && !isLeaving
    const waitsFor = this.#parts.file.memory.waiting[number]
    if (had && waitsFor === undefined) return { is: 'left' }
    if (isDraft && waitsFor === head) return { is: 'waits', head }
    const judged = await this.#judgeLabel(number, label, isKnown && isLeaving)
    // Why it leaves is said already.
    return isLeaving && judged.is === 'refused' ? { is: 'left' } : judged
  }

  /** A label that stands for nothing is removed, so that adding it again says something. True: it is there. */
  async #keepsLabel(number: PullRequestNumber, label: string, { is }: Judged): Promise<boolean> {
    if (is === 'gone') return false
    const stands = is === 'queued' || is === 'request' || is === 'waits'
    return stands || !(await this.#removeLabel(number, label))
  }

  /** False: it may be there still, and must not be taken for a new one. */
  async #removeLabel(number: PullRequestNumber, label: string): Promise<boolean> {
    const { api, logger } = this.#parts
    try {
      await api.removeLabel(number, label)
      return true
    } catch (error) {
      if (!concernsOne(error)) throw error
      logger.warn({ err: error, number }, 'a label could not be removed')
      return false
    }
  }

  #noteEarlier(label: string, numbers: readonly PullRequestNumber[]): void {
    if (numbers.length === 0) return
    const words = `these pull requests had the label ${label} before this server began to listen, which is no request: it was removed, set it again`
    this.#parts.logger.warn({ queue: this.#parts.queue.name, numbers }, words)
  }

  async #judgeLabel(number: PullRequestNumber, label: string, wasAsked: boolean): Promise<Judged> {
    const found = await this.#ofOne(() => this.#judged(number, label, wasAsked))
    return 'failed' in found ? { is: 'refused', words: found.failed } : found.value
  }

  /**
   * Decides about a label that is new, that a draft had which is ready for review now, or (`wasAsked`) that one has
   * which leaves the queue: it can have been set again.
   */
  async #judged(number: PullRequestNumber, label: string, wasAsked: boolean): Promise<Judged> {
    const { api, file, read } = this.#parts
    // The list may be older than the events.
    const pull = await read(number)
    if (!this.#isOpenHere(pull) || !pull.labels.includes(label)) return { is: 'gone' }
    const activity = await api.activity(number)
    const set = lastEventAbout(label, 'labelled', activity)
    if (!set) {
      const words = `${api.name} does not say who has set the label ${label}: ask with a comment /enqueue`
      return { is: 'refused', words }
    }
    // Instants of hosts can be whole seconds.
    const since = Math.trunc((file.memory.since ?? 0) / 1_000) * 1_000
    if (set.when.at < since) return { is: 'earlier' }
    const asker = await askerOf(api, set.by, 'label')
    if ('refused' in asker) return { is: 'refused', words: asker.refused }
    const over = this.#whyOver(pull, { when: set.when, activity, wasAsked })
    if (over !== null) return { is: 'refused', words: over }
    const { head } = pull
    const waitsFor = file.memory.waiting[number] ?? head
    if (waitsFor !== head) return { is: 'refused', words: pushedSince }
    if (pull.isDraft) return { is: 'waits', head }
    const answer = (refused: string | null): void => {
      if (refused !== null) this.#parts.refuse(number, refused)
    }
    const standing = this.#standingIn(pull, activity)
    return {
      is: 'request',
      request: { number, is: 'submit', ...standing, by: asker.actor, answer },
    }
  }

  #isOpenHere(pull: Pull | null): pull is Pull {
    return pull?.state === 'open' && this.#parts.isHere(pull)
  }

  #standingIn(pull: Pull, { events }: Activity): Standing {
    return standingOf(pull, departuresIn(events), this.#parts.queue.ref.targetBranch)
  }

  #whyOver({ number, head }: Pull, { when, activity, wasAsked = false }: ByWhat): string | null {
    const hadHead = this.#parts.file.memory.heads[number] === head
    return whyOver(when, activity, { hadHead, wasAsked })
  }

  /** Everybody who can take the label away may cancel by that. */
  async #cancelled(number: PullRequestNumber, label: string): Promise<HostRequest> {
    const found = await this.#ofOne(() => this.#parts.api.activity(number))
    const event: ActivityEvent | null =
      'failed' in found ? null : lastEventAbout(label, 'unlabelled', found.value)
    if (event) this.#unlabelled.set(number, event.when)
    const by = event?.by ? actorOf(event.by, null, 'removal of the label') : null
    return { number, is: 'cancel', by, answer: () => undefined }
  }

  async #byComment(pulls: Pulls): Promise<HostRequest[]> {
    const { api, file, queue } = this.#parts
    if (!queue.engine.queue.configuration.commandsEnabled) {
      file.change({ commentsSince: null })
      return []
    }
    const requests: HostRequest[] = []
    for (const asked of await newCommands(api, file)) {
      const judged = await this.#ofOne(async () => {
        const pull = pulls.get(asked.number) ?? (await this.#parts.read(asked.number))
        return pull && (this.#notHere(pull) ?? this.#commanded(asked, pull))
      })
      const refused = 'failed' in judged ? judged.failed : judged.value
      // A comment on an issue, or on a pull request that another queue answers.
      if (refused === null || refused === ofAnother) continue
      if (typeof refused !== 'string') requests.push(refused)
      else {
        this.#react(asked, false)
        this.#parts.refuse(asked.number, refused)
      }
    }
    return requests
  }

  /** Why nobody can command about a pull request here; null: they can. */
  #notHere(pull: Pull): string | null {
    const { queue, branches, isHere } = this.#parts
    const { targetBranch } = queue.ref
    const { number, base, state } = pull
    if (isHere(pull)) {
      return state === 'open' ? null : `pull request ${number} is ${state}`
    }
    // Of several queues one answers.
    if (branches.includes(base) || branches[0] !== targetBranch) return ofAnother
    const there = branches.join(', ')
    return `pull request ${number} asks to merge into ${base}; the queue merges into ${there}: change its base`
  }

  /** Who may write at this moment may command. Authors may take their own work out. */
  async #commanded(asked: Asked, { author, labels }: Pull): Promise<HostRequest | string> {
    const { read, api } = this.#parts
    const { number, by, when, command } = asked
    if (command.is === 'unknown') return command.words
    const isOwn = command.is === 'cancel' && author === by.login
    const asker = isOwn
      ? { actor: actorOf(by, 'author', 'comment') }
      : await askerOf(api, by, 'comment')
    if ('refused' in asker) return asker.refused
    const answer = (refused: string | null): void => {
      this.#react(asked, refused === null)
      if (refused !== null) this.#parts.refuse(number, refused)
    }
    if (command.is === 'cancel' && (await this.#isLabelledSince(asked, labels)))
      return labelledSince
    if (command.is !== 'submit') return { ...command, number, by: asker.actor, answer }
    const unlabelled = this.#unlabelled.get(number)
    if (unlabelled && compareMoments(unlabelled, when) > 0) return unlabelledSince
    const pull = await read(number)
    if (!this.#isOpenHere(pull)) return `pull request ${number} is not open for the branch any more`
    const activity = await api.activity(number)
    const over = this.#whyOver(pull, { when, activity })
    return (
      over ?? { ...command, number, ...this.#standingIn(pull, activity), by: asker.actor, answer }
    )
  }

  /** A cancel is read after the label that somebody has set after it. */
  async #isLabelledSince({ number, when }: Asked, labels: readonly string[]): Promise<boolean> {
    if (!labels.includes(this.#label)) return false
    const set = lastEventAbout(this.#label, 'labelled', await this.#parts.api.activity(number))
    return set !== null && compareMoments(set.when, when) > 0
  }

  #react({ comment, number }: Asked, isDone: boolean): void {
    const { api, logger } = this.#parts
    api.react({ id: comment, number }, isDone).catch((error: unknown) => {
      logger.warn({ err: error, number }, 'a comment could not be answered')
    })
  }

  /** An answer that concerns one pull request is said there, and holds up nobody else. */
  async #ofOne<Value>(
    work: () => Promise<Value>,
  ): Promise<{ readonly value: Value } | { readonly failed: string }> {
    try {
      const value = await work()
      this.fault = null
      return { value }
    } catch (error) {
      if (!concernsOne(error)) throw error
      this.fault = `a request cannot be judged: ${error.message}`
      this.#parts.logger.warn({ err: error }, 'a request cannot be judged')
      return { failed: `it cannot be judged, ${error.message}: ask again` }
    }
  }
}

const ofAnother = 'another queue answers'

const pushedSince = 'somebody has pushed since it was asked for: ask again'

const unlabelledSince = 'somebody has taken the label away since it was asked for: ask again'

const labelledSince = 'somebody has set the label since it was cancelled'
