/**
 * What people and faults do to pull requests of a host, in any order. What lands is what somebody with the right asked
 * for, approved and with passing tests, and each request that still stands is served. Longer than 400 lines, because
 * each activity says at once which requests it ends, and the judgement reads just that.
 */

import seedrandom from 'seedrandom'
import { expect, test, vi } from 'vitest'
import type { RecordedSettings } from '../../../engine/index.ts'
import { CodeHostFailed } from '../rest.ts'
import { written } from './acts.ts'
import type { FakeDialect } from './dialect.ts'
import { SimulatedHost } from './simulated-host.ts'
import {
  branchHeadOf,
  change,
  deleteAccount,
  mayWrite,
  noteBranch,
  openedPull,
  type FakePull,
  type FakeState,
} from './state.ts'

const label = 'merge-queue'
const people = ['ada', 'mia', 'dora', 'tess', 'bob', 'eve']
const numbers = [1, 2, 3, 4]
const steps = 60
/** Heads whose tests fail begin so. */
const broken = 'bad0'

/** The orders that are played by default, others on each kind: on GitHub one takes as long as five elsewhere. */
const ordersOn = {
  github: { first: 1, seeds: 2 },
  gitea: { first: 1, seeds: 8 },
  gitlab: { first: 9, seeds: 8 },
} as const

/** Plays orders on one kind of host: MERGEYARD_REQUEST_SEEDS says how many, MERGEYARD_REQUEST_FROM the first. */
export function requestOrders(kind: FakeDialect): void {
  const seeds = Number(process.env['MERGEYARD_REQUEST_SEEDS'] ?? ordersOn[kind.kind].seeds)
  const first = Number(process.env['MERGEYARD_REQUEST_FROM'] ?? ordersOn[kind.kind].first)
  test(`on ${kind.host}, in ${seeds} orders, only what was asked for lands, approved and tested, and what is asked for does`, async () => {
    const faults: string[] = []
    let landed = 0
    // Adapters compare the clock of their host with that of the machine.
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      for (let seed = first; seed < first + seeds; seed++) {
        const story = new Story(kind, seed)
        await story.play()
        landed += story.landed.size
        faults.push(...story.faults.map((fault) => `seed ${seed}: ${fault}`))
      }
    } finally {
      vi.useRealTimers()
      vi.unstubAllGlobals()
    }
    expect(faults).toEqual([])
    expect(landed).toBeGreaterThanOrEqual(Math.floor(seeds / 4))
  })
}

type Ask = {
  readonly at: number
  readonly head: string
  readonly by: string
  /** They had the right to write since. */
  hadRight: boolean
  /** Nothing has ended it. */
  stands: boolean
  /** It was closed, made a draft, pushed to or given another base since, and the host can tell. */
  isOver: boolean
  /** It lacked an approval since, so the queue may have let it go. */
  wasBlocked: boolean
}

class Story {
  readonly faults: string[] = []
  /** The heads. */
  readonly landed = new Set<string>()
  readonly #kind: FakeDialect
  readonly #host: SimulatedHost
  readonly #asks = new Map<number, Ask[]>()
  readonly #numbers = new Map<string, number>()
  /** What could merge at a moment at which the host was asked for this landing, by head. */
  readonly #wasOpen = new Set<string>()
  readonly #wasApproved = new Set<string>()
  readonly #wasAsked = new Set<string>()
  /** When the head or the place of a pull request changed last. */
  readonly #changedAt = new Map<number, number>()
  /** Heads that came with a reopening: Gitea does not tell when they were pushed. */
  readonly #reopened = new Set<string>()
  readonly #roll: () => number
  readonly #rollFailure: () => number
  #outage = 0
  #isQuiet = false
  /** What is asked for during the first poll may count as there before, so nobody has asked for it. */
  #hasPolled = false
  #isInPass = false
  #isLanding = false

  constructor(kind: FakeDialect, seed: number) {
    this.#kind = kind
    this.#roll = seedrandom(`requests ${seed}`)
    this.#rollFailure = seedrandom(`failures ${seed}`)
    const set: RecordedSettings = {
      mergeMethod: this.#roll() < 0.5 ? 'merge_commit' : 'squash',
      concurrency: 3,
      ...(this.#roll() < 0.5
        ? { batch: true, batchingMinSize: 3, batchingMaxWaitTimeMinutes: 0 }
        : {}),
    }
    this.#host = new SimulatedHost({
      kind,
      set,
      clockAheadMs: (this.#upTo(3) - 1) * 90_000,
      queueAheadMs: ((seed % 3) - 1) * 150_000,
      before: (what) => this.#before(what),
      onLanding: () => {
        this.#wasOpen.clear()
        this.#wasApproved.clear()
        this.#wasAsked.clear()
        this.#isLanding = true
      },
      onLanded: (head) => this.#judge(head),
      passes: (head) => !head.startsWith(broken),
    })
    for (const [login, role] of [
      ['ada', 'write'],
      ['mia', 'write'],
      ['dora', 'write'],
      ['tess', 'triage'],
    ] as const) {
      this.#state.people.set(login, role)
    }
    this.#tick()
    for (const number of numbers) this.#open(number)
  }

  get #state(): FakeState {
    return this.#host.state
  }

  async play(): Promise<void> {
    await this.#pass()
    this.#hasPolled = true
    for (let step = 0; step < steps; step++) {
      if (this.#roll() < 0.3) await this.#pass()
      else if (this.#roll() < 0.03) await this.#host.restart()
      else if (this.#roll() < 0.04) this.#outage = this.#upTo(8)
      else this.#actOnOne()
    }
    this.#isQuiet = true
    this.#outage = 0
    for (let pass = 0; pass < 16; pass++) {
      // What could not be shown is shown again.
      this.#tick(300_000)
      await this.#pass()
    }
    await this.#host.close()
    this.#judgeServed()
    this.faults.push(...this.#host.fake.faults)
  }

  #open(number: number): void {
    const head = this.#newHead(number)
    const [isFork, isDraft] = [this.#roll() < 0.3, this.#roll() < 0.2]
    openedPull(this.#state, { number, head, isFork, isDraft })
  }

  async #pass(): Promise<void> {
    this.#tick()
    this.#isInPass = true
    await this.#host.pass()
    this.#isInPass = false
    this.#isLanding = false
  }

  /** Between two answers of the host people go on, it can be away, and an answer can be lost. */
  #before(what: string): 'the answer is lost' | undefined {
    // The most can go wrong between the last question and the merge.
    const often = this.#isLanding ? 0.3 : 0.05
    if (!this.#isQuiet && this.#isInPass && this.#roll() < often) this.#actOnOne()
    if (this.#outage > 0) {
      this.#outage -= 1
      throw new CodeHostFailed(`${what}: the host is away`, 502)
    }
    // It fails about one, as far as the queue can tell.
    if (!this.#isQuiet && this.#isInPass && what !== 'land' && this.#rollFailure() < 0.02) {
      throw new CodeHostFailed(`${what}: the host fails`, 500)
    }
    if (what !== 'land') this.#noteMergeable()
    const isMerge = /press$|\/merge$/.test(what)
    return isMerge && this.#roll() < 0.1 ? 'the answer is lost' : undefined
  }

  #actOnOne(): void {
    this.#tick(this.#roll() < 0.1 ? 300 : 2_000)
    const pull = this.#state.pulls.get(numbers[this.#upTo(numbers.length)] ?? 1)
    const by = people[this.#upTo(people.length)] ?? 'ada'
    if (pull?.mergeCommit === null) this.#act(pull, by)
    this.#noteBlocked()
  }

  /** Each with its weight. */
  readonly #actions: readonly (readonly [number, (pull: FakePull, by: string) => void])[] = [
    [5, (pull, by) => this.#label(pull, by)],
    [1, (pull, by) => this.#unlabel(pull, by)],
    [3, (pull, by) => this.#askByComment(pull, by)],
    [1, (pull, by) => this.#cancelByComment(pull, by)],
    [1.5, (pull, by) => this.#push(pull, by)],
    [1.5, (pull, by) => this.#maybeUndone(() => this.#closeOrReopen(pull, by))],
    [1, (pull, by) => this.#maybeUndone(() => this.#retarget(pull, by))],
    [1, (pull, by) => this.#maybeUndone(() => this.#draft(pull, by))],
    [0.2, (pull) => this.#deleteFork(pull)],
    [0.2, () => this.#deleteDora()],
    [3, (pull, by) => this.#review(pull, by)],
    [1, () => this.#changeRole()],
    [1, () => this.#changeRules()],
  ]

  #act(pull: FakePull, by: string): void {
    const all = this.#actions.reduce((sum, [weight]) => sum + weight, 0)
    let roll = this.#roll() * all
    for (const [weight, act] of this.#actions) {
      roll -= weight
      if (roll >= 0) continue
      act(pull, by)
      return
    }
  }

  #label(pull: FakePull, by: string): void {
    if (pull.labels.includes(label)) return
    change(this.#state, pull, { labels: [...pull.labels, label], by })
    this.#ask(pull, by, true)
  }

  #unlabel(pull: FakePull, by: string): void {
    change(this.#state, pull, { labels: pull.labels.filter((each) => each !== label), by })
    this.#end(pull.number)
  }

  #askByComment(pull: FakePull, by: string): void {
    written(this.#state, pull.number, '/enqueue', by)
    this.#ask(pull, by, !pull.isDraft)
  }

  #cancelByComment({ number, author }: FakePull, by: string): void {
    written(this.#state, number, '/cancel', by)
    // Mia may have the right again when it is read.
    if (by === author || by === 'mia' || mayWrite(this.#state, by)) this.#end(number)
  }

  /** What is done and undone between two polls shows in no list. */
  #maybeUndone(turn: () => void): void {
    turn()
    if (this.#roll() < 0.5) turn()
  }

  /** The host sets the head of a closed one when it is reopened. */
  #push(pull: FakePull, by: string): void {
    if (!this.#mayChange(pull, by) || pull.isForkGone === true) return
    const head = this.#newHead(pull.number)
    const isOpen = pull.state === 'open'
    // Of a fork the change of an open one notes it.
    if (!pull.isFork || !isOpen) {
      const isForced = this.#roll() < 0.5
      noteBranch(this.#state, { ...pull, author: by }, { after: head, isForced })
    }
    if (isOpen) change(this.#state, pull, { head, by })
    this.#changed(pull)
  }

  /** The head of a fork that was pushed to while it was closed may never come to the repository. */
  #closeOrReopen(pull: FakePull, by: string): void {
    if (!this.#mayChange(pull, by)) return
    const head = branchHeadOf(this.#state, pull.number) ?? pull.head
    const isOpen = pull.state === 'open'
    // Without commits of its own it cannot be reopened.
    if (!isOpen && this.landed.has(head)) return
    if (!isOpen && pull.isFork && head !== pull.head && this.#roll() < 0.5) {
      this.#host.missing.add(head)
    }
    if (!isOpen && head !== pull.head) this.#reopened.add(head)
    change(this.#state, pull, isOpen ? { state: 'closed', by } : { state: 'open', head, by })
    this.#changed(pull)
  }

  #retarget(pull: FakePull, by: string): void {
    if (!this.#mayChange(pull, by)) return
    const base = pull.base === 'main' ? 'release' : 'main'
    // One that landed in the moment in which it was given another base has no commits of its own where it landed.
    if (base === 'main' && this.landed.has(pull.head)) return
    change(this.#state, pull, { base, by })
    this.#changed(pull)
  }

  #draft(pull: FakePull, by: string): void {
    if (!this.#mayChange(pull, by)) return
    change(this.#state, pull, { isDraft: !pull.isDraft, by })
    if (pull.isDraft) this.#changed(pull)
  }

  /** Its author, and everybody who may write. */
  #mayChange({ author }: FakePull, by: string): boolean {
    return by === author || mayWrite(this.#state, by)
  }

  /** From then on nobody can push to it, and a host may not tell who pushed before. */
  #deleteFork(pull: FakePull): void {
    if (!pull.isFork) return
    pull.isForkGone = true
    this.#end(pull.number)
  }

  /** What she asked for and nobody has read yet is asked for by nobody. */
  #deleteDora(): void {
    deleteAccount(this.#state, 'dora', this.#kind.ghost)
    for (const ask of [...this.#asks.values()].flat()) if (ask.by === 'dora') ask.stands = false
  }

  #review(pull: FakePull, user: string): void {
    const state = this.#roll() < 0.7 ? 'APPROVED' : 'CHANGES_REQUESTED'
    const isByWriter = mayWrite(this.#state, user)
    pull.reviews.push({ user, state, commit: pull.head, isByWriter })
    pull.updatedAt = this.#state.now()
  }

  /** Mia comes and goes. */
  #changeRole(): void {
    const { people: roles } = this.#state
    const isWriter = roles.get('mia') === 'write'
    roles.set('mia', isWriter ? 'read' : 'write')
    for (const ask of [...this.#asks.values()].flat()) {
      if (ask.by !== 'mia') continue
      ask.hadRight ||= !isWriter
      // Whether it stood when it was read, nobody knows.
      ask.stands = false
    }
  }

  #changeRules(): void {
    const from = this.#roll() < 0.5 ? 'protection' : 'ruleset'
    const others = this.#kind.others.filter(() => this.#roll() < 0.5)
    this.#state.rules = { from, checks: [], approvals: this.#upTo(2), others }
  }

  #ask(pull: FakePull, by: string, counts: boolean): void {
    const { number, head, state, base, isForkGone = false } = pull
    if (state !== 'open' || base !== 'main') return
    const hadRight = mayWrite(this.#state, by)
    const isShown = !isForkGone && !this.#isSameSecond(this.#changedAt.get(number))
    const isTold = this.#kind.kind !== 'gitea' || !this.#reopened.has(head)
    const isHeard = this.#hasPolled && isShown && isTold && !this.#host.missing.has(head)
    const stands = counts && hadRight && isHeard
    const at = this.#state.now()
    const ask = { at, head, by, hadRight, stands, isOver: false, wasBlocked: false }
    this.#asks.set(number, [...(this.#asks.get(number) ?? []), ask])
  }

  /** Of two activities in one second a host may not tell the order. */
  #isSameSecond(at = 0): boolean {
    return Math.floor(at / 1_000) === Math.floor(this.#state.now() / 1_000)
  }

  #changed({ number }: FakePull): void {
    this.#changedAt.set(number, this.#state.now())
    this.#end(number)
    for (const ask of this.#asks.get(number) ?? []) ask.isOver ||= !this.#isSameSecond(ask.at)
  }

  #end(number: number): void {
    for (const ask of this.#asks.get(number) ?? []) ask.stands = false
  }

  #isApproved(pull: FakePull): boolean {
    return this.#kind.isApproved(pull, this.#state)
  }

  #noteBlocked(): void {
    for (const pull of this.#state.pulls.values()) {
      if (this.#isApproved(pull)) continue
      for (const ask of this.#asks.get(pull.number) ?? []) ask.wasBlocked = true
    }
  }

  /** Of two requests each can see another moment, so one is enough for the place and one for the reviews. */
  #noteMergeable(): void {
    for (const pull of this.#state.pulls.values()) {
      const { head, base, isDraft, state } = pull
      if (state === 'open' && base === 'main' && !isDraft) this.#wasOpen.add(head)
      if (this.#isApproved(pull)) this.#wasApproved.add(head)
      const asks = this.#asks.get(pull.number) ?? []
      if (asks.some((ask) => ask.head === head && ask.hadRight && !ask.isOver)) {
        this.#wasAsked.add(head)
      }
    }
  }

  #judge(head: string): void {
    const number = this.#numbers.get(head) ?? 0
    const what = `${number} at ${head.slice(0, 8)} landed`
    if (!this.#wasAsked.has(head)) {
      this.faults.push(`${what}, and nobody with the right asked for it since it came`)
    }
    if (!this.#wasOpen.has(head)) this.faults.push(`${what}, and was not open for the branch`)
    if (!this.#wasApproved.has(head)) this.faults.push(`${what}, and was not approved`)
    if (head.startsWith(broken)) this.faults.push(`${what}, and its tests fail`)
    if (this.landed.has(head)) this.faults.push(`${what} twice`)
    this.landed.add(head)
  }

  #judgeServed(): void {
    const { queue, denied } = this.#host
    if (queue.state !== 'RUNNING') this.faults.push(`the queue is ${queue.state}: ${denied ?? ''}`)
    for (const pull of this.#state.pulls.values()) {
      const { number, head } = pull
      const isOpen = pull.state === 'open' && pull.base === 'main'
      if (isOpen && this.landed.has(head)) this.faults.push(`${number} has landed, and is open`)
      const standing = this.#asks.get(number)?.find((ask) => ask.stands)
      if (!standing || this.landed.has(standing.head) || this.#mayWait(pull, standing)) continue
      const seen = queue.pullRequests[number]?.state ?? 'unknown'
      this.faults.push(`${number} was asked for by ${standing.by}, and is ${seen}`)
    }
  }

  #mayWait(pull: FakePull, { wasBlocked }: Ask): boolean {
    if (pull.isDraft || !this.#isApproved(pull)) return true
    const hasFailed = this.#host.queue.pullRequests[pull.number]?.state === 'FAILED'
    return hasFailed && (wasBlocked || pull.head.startsWith(broken))
  }

  #newHead(number: number): string {
    const all = Array.from({ length: 40 }, () => '0123456789abcdef'[this.#upTo(16)]).join('')
    const head = this.#roll() < 0.15 ? `${broken}${all.slice(4)}` : all
    this.#numbers.set(head, number)
    return head
  }

  #upTo(end: number): number {
    return Math.floor(this.#roll() * end)
  }

  /** By default more than a second, so that the host knows the order. */
  #tick(ms = 2_000): void {
    this.#host.clock += ms
    vi.setSystemTime(this.#host.clock)
  }
}
