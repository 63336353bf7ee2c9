/**
 * What people ask the queue for on its host: by the enqueueing label, and by comments. A request is about one
 * pull request and one commit, and counts if who asked may write at that moment.
 */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import type { HostRequest, Pull } from '../hosting/code-host.ts'
import { lastEventAbout, type Memory } from './observed-pulls.ts'
import type { ActivityEvent } from './api.ts'
import { actorOf, askerOf, isInByLabel } from './asker.ts'
import { ofNoQueue, requestsByComment } from './comment-requests.ts'
import { onHostClock } from './host-clock.ts'
import { concernsOne, meaningForOne } from './rest.ts'
import { Judging, type Decided, type Judged, type RequestParts, type Pulls } from './judging.ts'

type Reading = {
  /** Those that leave the queue now: what was asked for before is over. */
  readonly leaving: ReadonlySet<PullRequestNumber>
  readonly isCommentDue: boolean
  /** Open ones whose base no queue merges, if this queue answers for them. */
  readonly elsewhere: readonly Pull[]
  /** True of one whose bases lead to the branch of another queue. */
  readonly isOfAnother: (number: PullRequestNumber) => boolean
}

/** `wasAsked`: a poll before has seen the label. `isSame`: it has left since, at this head. */
type Asked = Readonly<Record<'wasAsked' | 'isSame', boolean>>

export class Requests {
  readonly #parts: RequestParts
  /** What was known before the requests that are not answered yet. */
  #before: Memory
  #unanswered = 0
  readonly #judging: Judging
  /** Which of those elsewhere had the label at the last poll; null: there was none. */
  #labelledElsewhere: ReadonlySet<PullRequestNumber> | null = null
  /** When the last poll that read all requests began; at first when this server did. */
  #readAt: number
  #hasRead = false

  constructor(parts: RequestParts) {
    this.#parts = parts
    this.#readAt = parts.now()
    const { file, queue } = parts
    // A server that was killed may have let them in before it kept whose label it knows.
    const { labelled, submission = 0 } = file.memory
    const queued = [...queue.positions().numbers()]
    const entered = queued.filter((number) => isInByLabel(queue, number, submission))
    file.change({ labelled: [...new Set([...labelled, ...entered])] })
    this.#before = file.memory
    this.#judging = new Judging(parts)
  }

  /** True if the label with which a pull request entered has been taken away since the last poll. */
  isUnlabelled({ number, labels }: Pull): boolean {
    const { labelled, label } = this.#parts.file.memory
    const isAsked = label !== '' && label === this.#label
    return isAsked && labelled.includes(number) && !labels.includes(label)
  }

  /** It has left because its label is gone: one that is set from now on is another request. */
  forgetLabelOf(number: PullRequestNumber): void {
    const { file } = this.#parts
    file.change({ labelled: file.memory.labelled.filter((each) => each !== number) })
  }

  /** The label that submits; empty: none does. */
  get #label(): string {
    const { labelCommandsEnabled } = this.#parts.queue.engine.queue.configuration
    return labelCommandsEnabled ? this.#judging.label : ''
  }

  /** What was set before a label submits is no request, and who entered by another one stays. Rule: A-179. */
  #listen(): void {
    const { file, queue } = this.#parts
    const label = this.#label
    const { since, label: before = label } = file.memory
    if (since !== null && before === label) return file.change({ label })
    const from = onHostClock(this.#readAt, this.#parts)
    const { submission } = queue.engine.queue.last
    file.change({ label, since: from, submission, labelled: [], waiting: {} })
  }

  /** The last answer of the host to a request of one pull request that failed; null: it went well since. */
  get fault(): string | null {
    return this.#judging.fault
  }

  /**
   * What is asked for now, of the pull requests for the branch. It counts as known when all of it was
   * answered; until then a fault, or a crash, makes it be asked again, which changes nothing for what was
   * done already.
   */
  async read(pulls: Pulls, reading: Reading): Promise<HostRequest[]> {
    const { file } = this.#parts
    const { isCommentDue, elsewhere } = reading
    // What was said is said, whatever is asked again.
    const { refusals, shown } = file.memory
    if (this.#unanswered > 0) file.change({ ...this.#before, refusals, shown })
    else await this.keep()
    this.#before = file.memory
    this.#unanswered = 1
    const at = this.#parts.now()
    this.#listen()
    this.#judging.undecided.clear()
    this.#answerElsewhere(elsewhere)
    const open = [...pulls.values()].filter(({ state }) => state === 'open')
    const isHeadNew = open.some(({ number, head }) => file.memory.heads[number] !== head)
    const byLabel = await this.#byLabel(pulls, reading)
    // A head is not known before what was said before it is read.
    const from = this.#hasRead ? this.#parts.api.now() : onHostClock(this.#readAt, this.#parts)
    const asking = { ...this.#parts, judging: this.#judging, from }
    const byComment = isCommentDue || isHeadNew ? await requestsByComment(pulls, asking) : []
    file.change({ heads: Object.fromEntries(open.flatMap((pull) => this.#headSeen(pull))) })
    const requests = [...byLabel, ...byComment]
    this.#unanswered = requests.length
    this.#readAt = at
    this.#hasRead = true
    return requests.map((request) => ({
      ...request,
      answer: (refused) => {
        this.#unanswered -= 1
        request.answer(refused)
      },
      later: () => {
        this.#unanswered -= 1
        this.#forgetHead(request.number)
        request.later()
      },
    }))
  }

  /** Says once that a label asks for nothing there. It stays: it may be meant for another server. */
  #answerElsewhere(elsewhere: readonly Pull[]): void {
    const { file, branches, refuse } = this.#parts
    const before = this.#labelledElsewhere
    const labelled = elsewhere.filter(({ labels }) => labels.includes(this.#label))
    for (const pull of labelled) {
      const { number } = pull
      const isNew = before?.has(number) === false && !file.memory.labelled.includes(number)
      if (isNew) refuse(number, ofNoQueue(pull, branches))
    }
    this.#labelledElsewhere = new Set(labelled.map(({ number }) => number))
  }

  /** Of one about which nothing was decided the head of before counts still. */
  #headSeen({ number, head }: Pull): (readonly [PullRequestNumber, Oid])[] {
    if (!this.#judging.undecided.has(number)) return [[number, head]]
    const before = this.#parts.file.memory.heads[number]
    return before === undefined ? [] : [[number, before]]
  }

  #forgetHead(number: PullRequestNumber): void {
    const { file } = this.#parts
    const { [number]: _seen, ...heads } = file.memory.heads
    const before = this.#before.heads[number]
    file.change({ heads: before === undefined ? heads : { ...heads, [number]: before } })
  }

  /** Of the label is known what was known before this poll. */
  #forgetLabel(number: PullRequestNumber): void {
    const { file } = this.#parts
    const { labelled, waiting, setAt } = file.memory
    const others = labelled.filter((each) => each !== number)
    const waitsFor = this.#before.waiting[number]
    file.change({
      labelled: this.#before.labelled.includes(number) ? [...others, number] : others,
      waiting: waitsFor === undefined ? waiting : { ...waiting, [number]: waitsFor },
      setAt: { ...setAt, [number]: this.#before.setAt[number] ?? 0 },
    })
  }

  /** What was answered is known at the next start. Call it when what it did is durable. */
  async keep(): Promise<void> {
    if (this.#unanswered > 0) return
    await this.#parts.file.save()
    await this.#react()
  }

  /** Not before it is kept that the comments were read: judged once more, one could get the other thumb. */
  async #react(): Promise<void> {
    const { api, file, logger } = this.#parts
    const { reactions } = file.memory
    // Kept until the next poll, so a start shows those again that a kill may have left out.
    file.change({ reactions: [] })
    for (const reaction of reactions) {
      const { comment, number, isDone } = reaction
      await api.react({ id: comment, number }, isDone).catch((error: unknown) => {
        logger.warn({ err: error, number }, 'a comment could not be answered')
        if (meaningForOne(error) === 'refusal') return
        file.change({ reactions: [...file.memory.reactions, reaction] })
      })
    }
  }

  /** The label submits, its removal cancels, and it goes with the request that it stood for. */
  async #byLabel(pulls: Pulls, { leaving, isOfAnother }: Reading): Promise<HostRequest[]> {
    const { queue, file, refuse } = this.#parts
    const label = this.#label
    if (label === '') return []
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
      const found = isQueued
        ? await this.#ofQueued(number, label, isKnown)
        : await this.#standing(pull, label, { isKnown, isLeaving })
      if (found.is === 'request') requests.push(found.request)
      if ('head' in found && found.head !== undefined) waiting[number] = found.head
      if (found.is === 'refused') {
        // Kept before the label goes, which the next start would not see any more.
        refuse(number, found.words)
        await file.save()
      }
      if (found.is === 'earlier') earlier.push(number)
      if (await this.#keepsLabel(number, found)) labelled.push(number)
    }
    const gone = [...before].filter((number) => pulls.get(number)?.state !== 'open')
    // Another queue judges the label that it finds.
    const left = gone.filter((number) => queued.has(number) || !isOfAnother(number))
    labelled.push(...(await this.#afterLeaving(left, label, queued)))
    const known = Object.entries(file.memory.setAt).filter(([of]) => labelled.includes(Number(of)))
    file.change({ labelled, waiting, setAt: Object.fromEntries(known) })
    this.#noteEarlier(label, earlier)
    return requests
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

  /** What the label of an open pull request stands for that is not in the queue, or leaves it. */
  async #standing(
    { number, isDraft, head }: Pull,
    label: string,
    { isKnown, isLeaving }: Readonly<Record<'isKnown' | 'isLeaving', boolean>>,
  ): Promise<Judged> {
    const { waiting, heads } = this.#parts.file.memory
    const waitsFor = waiting[number]
    const hasLeft = isKnown && !isLeaving && waitsFor === undefined
    if (isDraft && waitsFor === head) return { is: 'waits', head }
    const wasAsked = isKnown && (isLeaving || hasLeft)
    const isSame = hasLeft && heads[number] === head
    const judged = await this.#judgeLabel(number, label, { wasAsked, isSame })
    // Why it leaves is said already. The label that it had must not count for what has changed meanwhile.
    if (wasAsked && !isSame && judged.is === 'refused') return { is: 'left' }
    return judged.is === 'undecided' ? { ...judged, isKnown, head: waitsFor } : judged
  }

  /** Somebody can have taken it away since, and somebody else have set it without the right. */
  async #ofQueued(number: PullRequestNumber, label: string, isKnown: boolean): Promise<Judged> {
    const events = this.#parts.observed.changesOf(number)
    const isSetAnew = this.#isSetAnew(number, lastEventAbout(label, 'labelled', { events }))
    if (!isKnown || !isSetAnew) return { is: 'queued' }
    const judged = await this.#judgeLabel(number, label, { wasAsked: true, isSame: true })
    if (judged.is === 'undecided') return { ...judged, isKnown, head: undefined }
    if (judged.is !== 'refused') return { is: 'queued' }
    // Why it is refused is said once it has left.
    return { is: 'request', request: await this.#cancelled(number, label) }
  }

  /** A label that stands for nothing is removed, so that adding it again says something. True: it is there. */
  async #keepsLabel(number: PullRequestNumber, judged: Judged): Promise<boolean> {
    if (judged.is === 'undecided') return judged.isKnown
    const { is } = judged
    // A poll that sees it closed takes the label of what is known.
    if (is === 'gone') return this.#before.labelled.includes(number)
    const stands = is === 'queued' || is === 'request' || is === 'waits'
    return stands || !(await this.#removeLabel(number, this.#judging.label))
  }

  /** False: it may be there still, and must not be taken for a new one. */
  async #removeLabel(number: PullRequestNumber, label: string): Promise<boolean> {
    const { api, warn } = this.#parts
    try {
      await api.removeLabel(number, label)
      await this.#forgetRemoved(number)
      return true
    } catch (error) {
      if (!concernsOne(error)) throw error
      warn(number, error, 'a label could not be removed')
      return false
    }
  }

  /** Kept at once, whatever becomes of this poll: a label that is set from now on is another request. */
  async #forgetRemoved(number: PullRequestNumber): Promise<void> {
    const { file } = this.#parts
    const labelled = this.#before.labelled.filter((each) => each !== number)
    this.#before = { ...this.#before, labelled }
    this.forgetLabelOf(number)
    await file.save()
  }

  #noteEarlier(label: string, numbers: readonly PullRequestNumber[]): void {
    if (numbers.length === 0) return
    const words = `these pull requests had the label ${label} before this server began to listen, which is no request: set it anew`
    this.#parts.logger.warn({ queue: this.#parts.queue.name, numbers }, words)
  }

  async #judgeLabel(
    number: PullRequestNumber,
    label: string,
    asked: Asked,
  ): Promise<Decided | { readonly is: 'undecided' }> {
    const found = await this.#judging.ofOne(number, () => this.#judged(number, label, asked))
    if (found.is === 'undecided') return found
    return found.is === 'failed' ? { is: 'refused', words: found.words } : found.value
  }

  /**
   * Decides about a label that is new, that a draft had which is ready for review now, or that one has which leaves the
   * queue, or has left it: it can have been set again.
   */
  async #judged(
    number: PullRequestNumber,
    label: string,
    { wasAsked, isSame }: Asked,
  ): Promise<Decided> {
    const { api, file, observed } = this.#parts
    // The list may be older than the events.
    const pull = await observed.read(number)
    if (!this.#judging.isOpenHere(pull) || !pull.labels.includes(label)) return { is: 'gone' }
    const activity = await api.activity(number)
    const set = lastEventAbout(label, 'labelled', activity)
    const { since, setAt, waiting } = file.memory
    if (isSame && !this.#isSetAnew(number, set)) return { is: 'left' }
    if (!set) {
      const words = `${api.name} does not say who has set the label ${label}: ask with a comment /enqueue`
      return { is: 'refused', words }
    }
    // Instants of hosts can be whole seconds.
    if (set.when.at < Math.trunc((since ?? 0) / 1_000) * 1_000) return { is: 'earlier' }
    const asker = await askerOf(api, set.by, 'label')
    if ('refused' in asker) return { is: 'refused', words: asker.refused }
    const over = this.#judging.whyOver(pull, { when: set.when, activity, wasAsked })
    if (over !== null) return { is: 'refused', words: over }
    const { head } = pull
    if ((waiting[number] ?? head) !== head) return { is: 'refused', words: pushedSince }
    file.change({ setAt: { ...setAt, [number]: set.when.at } })
    if (pull.isDraft) return { is: 'waits', head }
    const answer = (refused: string | null): void => {
      if (refused !== null) this.#parts.refuse(number, refused)
    }
    const standing = this.#judging.standingIn(pull, activity)
    return {
      is: 'request',
      request: {
        number,
        is: 'submit',
        ...standing,
        by: asker.actor,
        answer,
        later: () => this.#forgetLabel(number),
      },
    }
  }

  #isSetAnew(number: PullRequestNumber, set: ActivityEvent | null): boolean {
    const { [number]: known = Infinity } = this.#parts.file.memory.setAt
    return set !== null && set.when.at > known
  }

  /** Everybody who can take the label away may cancel by that. */
  async #cancelled(number: PullRequestNumber, label: string): Promise<HostRequest> {
    const found = await this.#judging.ofOne(number, () => this.#parts.api.activity(number))
    const event: ActivityEvent | null =
      found.is === 'done' ? lastEventAbout(label, 'unlabelled', found.value) : null
    const by = event?.by ? actorOf(event.by, null, 'removal of the label') : null
    const later = (): void => this.#forgetLabel(number)
    return { number, is: 'cancel', by, answer: () => undefined, later }
  }
}

const pushedSince = 'somebody has pushed since it was asked for: ask again'
