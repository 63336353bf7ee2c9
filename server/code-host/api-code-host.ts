/** A code host with an API as the host of one queue: what is seen there, and what it shows. */

import { isInQueue, type PullSnapshot, type PullRequestNumber } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import {
  departureOf,
  type CodeHost,
  type CodeHostParts,
  type CodeHostObservation,
  type HookNotification,
  type MergeButton,
  standingOf,
  type Pull,
  type Standing,
} from '../hosting/code-host.ts'
import { ReportedFaults } from '../hosting/backoff.ts'
import type { HostOptions } from '../hosting/options.ts'
import { messageOf } from '../terminal/text.ts'
import { noReviewRules, type CodeHostApi, type Pace, type ReviewRules, type Rules } from './api.ts'
import { departuresIn, ObservedPulls, KeptMemory } from './observed-pulls.ts'
import { concernsOne, CodeHostFailed, meaningForOne } from './rest.ts'
import { Requests } from './requests.ts'
import { StatusReporter } from './status-reporter.ts'
import { CiTester } from './tester.ts'
import type { RequiredCheck } from './verdict.ts'

/** How often things are done. Tests wait less. */
type Intervals = {
  /** Changes of a pull request within this time are shown as one. */
  readonly gapMs: number
  /** Before the merge button is pressed again, and what failed is shown again. */
  readonly againMs: number
}

const usualIntervals: Intervals = { gapMs: 10_000, againMs: 4_000 }

export type CodeHostPorts = {
  /** Default: what the host asks for. */
  readonly pace?: Pace
  readonly intervals?: Intervals
  /** Where people reach the live page; null: nobody said it. */
  readonly publicUrl?: string | null
}

type Due = { readonly pulls: Set<number>; readonly commits: Set<Oid>; hasComment: boolean }

const nothingDue = (): Due => ({ pulls: new Set(), commits: new Set(), hasComment: false })

export class ApiCodeHost implements CodeHost {
  readonly name: string
  readonly button: MergeButton | null
  readonly tester: CiTester | null
  readonly #api: CodeHostApi
  readonly #options: HostOptions
  readonly #parts: CodeHostParts
  readonly #observed: ObservedPulls
  readonly #requests: Requests
  readonly #reporter: StatusReporter
  #rules: Rules | null = null
  #readingRules: Promise<Rules> | null = null
  #polledAt = -Infinity
  /** What webhooks said since the last poll. */
  #due = nothingDue()
  /** How the talk of each pull request stood before its comments were read last. */
  #heard: ReadonlyMap<PullRequestNumber, string> = new Map()
  /** Who comments without end holds up nobody: one merge waits for that once between two full polls. */
  readonly #waited = new Set<PullRequestNumber>()
  readonly #reported = new ReportedFaults()
  #isStopped = false

  constructor(
    api: CodeHostApi,
    options: HostOptions,
    parts: CodeHostParts,
    { intervals = usualIntervals, publicUrl = null }: CodeHostPorts = {},
  ) {
    const { queue, mirror, logger, now, notes, branches, others } = parts
    this.#api = api
    this.name = api.name
    this.button = buttonOf(api, intervals.againMs)
    this.#options = options
    this.#parts = parts
    this.#observed = new ObservedPulls(api, queue.ref.targetBranch, branches)
    const file = new KeptMemory(notes)
    const shared = { api, queue, logger, now, file, observed: this.#observed }
    this.#reporter = new StatusReporter({ ...shared, ...intervals, others, mirror, publicUrl })
    this.#requests = new Requests({
      ...shared,
      branches,
      warn: (...fault) => this.#warn(...fault),
      refuse: (number, words) => this.#reporter.refuse(number, words),
      targetOf: (pull) => this.#targetOf(pull),
    })
    const { tests } = options
    this.tester =
      tests.kind === 'host'
        ? new CiTester({
            ...parts,
            api,
            required: () => this.#required(),
            noCiMs: tests.noCiMinutes * 60_000,
            isSkippedEnough: tests.allowSkipped ?? false,
            onEarly: (commit) => this.notify({ pulls: [], commits: [commit], hasComment: false }),
          })
        : null
  }

  /** A webhook says what to poll. It is not believed further, so it may come twice, late or never. */
  notify({ pulls, commits, hasComment }: HookNotification): void {
    for (const number of pulls) this.#due.pulls.add(number)
    for (const commit of commits) this.#due.commits.add(commit)
    this.#due.hasComment ||= hasComment
    this.#parts.onNotified()
  }

  async poll(
    frozen: ReadonlyMap<PullRequestNumber, PullSnapshot>,
    awaited: ReadonlySet<PullRequestNumber>,
  ): Promise<CodeHostObservation> {
    const { now } = this.#parts
    const notified = this.#due
    this.#due = nothingDue()
    const at = now()
    // Timers are not exact.
    const isFull = at - this.#polledAt >= 0.9 * this.#options.pollMs
    try {
      if (isFull || !this.#rules) await this.#readRules()
      const due = isFull ? await this.#observed.readAll(frozen, awaited) : notified.pulls
      for (const number of due) await this.#ofOne(number, () => this.#observed.read(number))
      const reviewed: PullRequestNumber[] = []
      const leaving = new Set<PullRequestNumber>()
      for (const [number, snapshot] of frozen) {
        const pull = await this.#ofOne(number, () => this.#observed.addDepartures(number))
        if (pull && departureOf(pull, snapshot, this.#branch) !== null) leaving.add(number)
        if (await this.#ofOne(number, () => this.#review(number))) reviewed.push(number)
      }
      this.#observed.forget((number) => frozen.has(number))
      const isCommentDue = isFull || notified.hasComment
      if (isCommentDue) this.#heard = this.#talk()
      const requests = await this.#requests.read(this.#ofBranch(), {
        leaving,
        isCommentDue,
        elsewhere: this.#ofNoQueue(),
        isOfAnother: (number) => this.#isOfAnother(number),
      })
      // A run that has just been placed has no checks yet, so it waits for a notification or for the next poll.
      await this.tester?.poll(isFull ? null : notified.commits)
      if (isFull) {
        this.#polledAt = at
        this.#waited.clear()
        this.#remindOfMerged()
      }
      return { pulls: this.#observed.pulls, requests, reviewed }
    } catch (error) {
      // What the webhooks named is not read yet.
      this.#polledAt = -Infinity
      throw error
    }
  }

  /** An answer that concerns one pull request holds up no other: it stays as it was seen last. */
  async #ofOne<Value>(
    number: PullRequestNumber,
    work: () => Promise<Value>,
  ): Promise<Value | null> {
    this.#refuseStopped()
    try {
      return await work()
    } catch (error) {
      if (!concernsOne(error)) throw error
      this.#warn(number, error, 'a pull request cannot be read')
      return null
    }
  }

  #refuseStopped(): void {
    if (this.#isStopped) throw new Error('the server stops')
  }

  #warn(number: PullRequestNumber, error: unknown, words: string): void {
    const { logger, now } = this.#parts
    const isNew = this.#reported.isNew(`${words} ${number} ${messageOf(error)}`, now())
    if (isNew) logger.warn({ err: error, number }, words)
  }

  #review(number: PullRequestNumber): Promise<boolean> {
    return this.#observed.review(number, this.#reviewRules)
  }

  /** A host that must be told may have missed it, or the server was stopped in between. */
  #remindOfMerged(): void {
    if (this.#api.merging.by !== 'mark') return
    for (const pull of this.#observed.pulls.values()) this.#reporter.remind(pull)
  }

  #ofBranch(): ReadonlyMap<PullRequestNumber, Pull> {
    return new Map([...this.#observed.pulls].filter(([, pull]) => this.#isHere(pull)))
  }

  /** Of several queues the first one answers for them. */
  #ofNoQueue(): Pull[] {
    const { branches } = this.#parts
    if (branches[0] !== this.#branch) return []
    const open = [...this.#observed.pulls.values()].filter(({ state }) => state === 'open')
    return open.filter((pull) => this.#targetOf(pull) === null)
  }

  /** The branch of the queue that it is for: its bases lead there, or it is in that line; null: of none. */
  #targetOf(pull: Pull): string | null {
    const { queue, others } = this.#parts
    const holder = [queue, ...others()].find(({ engine }) => isInQueue(engine.queue, pull.number))
    return this.#observed.targetOf(pull) ?? holder?.ref.targetBranch ?? null
  }

  #isOfAnother(number: PullRequestNumber): boolean {
    const pull = this.#observed.pulls.get(number)
    return pull !== undefined && ![null, this.#branch].includes(this.#targetOf(pull))
  }

  #isHere(pull: Pull): boolean {
    return this.#targetOf(pull) === this.#branch
  }

  below(pull: Pull): PullRequestNumber | null {
    return this.#observed.below(pull)
  }

  async retarget(number: PullRequestNumber): Promise<void> {
    const { base = this.#branch } = this.#observed.pulls.get(number) ?? {}
    if (base === this.#branch) return
    await this.#ofOne(number, () => this.#api.retarget(number, this.#branch))
    await this.#ofOne(number, () => this.#observed.read(number))
  }

  get #branch(): string {
    return this.#parts.queue.ref.targetBranch
  }

  /** Once for all who ask at the same time. */
  async #readRules(): Promise<void> {
    this.#readingRules ??= this.#api.rules(this.#branch).finally(() => {
      this.#readingRules = null
    })
    this.#rules = await this.#readingRules
  }

  get #reviewRules(): ReviewRules {
    return this.#rules?.reviews ?? noReviewRules
  }

  /**
   * The queue's own list comes first: what protects the branch may be more than what tests it. An App that the
   * branch asks for a check must have written it also there.
   */
  #required(): readonly RequiredCheck[] {
    const { requiredStatuses } = this.#parts.queue.engine.queue.configuration
    const checks = this.#rules?.checks ?? []
    if (requiredStatuses === null) return checks
    return requiredStatuses.flatMap((name) => {
      const found = checks.filter((check) => check.name === name)
      return found.length > 0 ? found : [{ name, app: null }]
    })
  }

  async standingOf(number: PullRequestNumber): Promise<Standing | undefined> {
    const pull = await this.#api.pull(number)
    if (!pull) return undefined
    return standingOf(pull, departuresIn(await this.#api.changes(number)), this.#branch)
  }

  async pull(number: PullRequestNumber): Promise<Pull | null> {
    this.#refuseStopped()
    const [pull] = await Promise.all([this.#observed.read(number), this.#readRules()])
    if (!pull) return null
    await this.#observed.review(number, this.#reviewRules, true)
    const seen = await this.#observed.addDepartures(number)
    if (!seen) return null
    const blockers = (await this.#api.blockers?.(seen)) ?? []
    return { ...seen, blockers, isUnlabelled: this.#requests.isUnlabelled(seen) }
  }

  leftByLabel(number: PullRequestNumber): void {
    this.#requests.forgetLabelOf(number)
  }

  hears(numbers: readonly PullRequestNumber[]): boolean {
    const { commandsEnabled } = this.#parts.queue.engine.queue.configuration
    const talk = this.#talk()
    const isNew = (number: PullRequestNumber): boolean =>
      !this.#waited.has(number) && talk.get(number) !== this.#heard.get(number)
    if (!commandsEnabled || !numbers.some(isNew)) return false
    for (const number of numbers) this.#waited.add(number)
    this.notify({ pulls: [], commits: [], hasComment: true })
    return true
  }

  #talk(): ReadonlyMap<PullRequestNumber, string> {
    return new Map([...this.#observed.pulls].map(([number, { talk }]) => [number, talk]))
  }

  readonly meaningForOne = meaningForOne

  unapprovedFor(number: PullRequestNumber): string | null {
    return this.#observed.unapprovedFor(number)
  }

  faults(): readonly string[] {
    const isUnknown = this.tester !== null && this.#rules !== null && this.#required().length === 0
    const words =
      'no check is required: set requiredStatuses, or protect the branch; until then no test run can pass'
    const { fault } = this.#requests
    return [isUnknown ? words : [], fault ?? []].flat()
  }

  checksAsked(): string | null {
    if (this.tester === null || this.#rules === null) return null
    return JSON.stringify(this.#required())
  }

  show(): Promise<void> {
    // If it cannot be kept, the next poll tries again and says why.
    this.#requests.keep().catch(() => undefined)
    return this.#reporter.show()
  }

  stop(): void {
    this.#isStopped = true
  }

  async close(): Promise<void> {
    await this.#reporter.close()
    await this.#requests.keep()
    // It has shown the last thumbs.
    await this.#requests.keep()
  }
}

function buttonOf(api: CodeHostApi, againMs: number): MergeButton | null {
  const { merging } = api
  if (merging.by !== 'button') return null
  return {
    againMs,
    pull: (number) => api.pull(number),
    press: (number, pressed) =>
      merging.press(number, pressed).catch((fault: unknown) => {
        if (!(fault instanceof CodeHostFailed)) throw fault
        return { fault, isBusy: merging.isBusy(fault) }
      }),
  }
}
