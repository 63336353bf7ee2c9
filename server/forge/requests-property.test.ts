/**
 * What people and faults do to pull requests in any order, on a simulated host: what lands is what somebody with the
 * right asked for, approved, and each request that still stands is served. MERGEYARD_REQUEST_SEEDS: how many orders.
 */

import seedrandom from 'seedrandom'
import { expect, test } from 'vitest'
import { ForgeFailed } from './failed.ts'
import { isApproved, SimulatedHost } from './testing/simulated-host.ts'
import { change, mayWrite, nextId, type FakePull } from './testing/state.ts'

const seeds = Number(process.env['MERGEYARD_REQUEST_SEEDS'] ?? 250)
const label = 'merge-queue-submit'
const people = ['ada', 'mia', 'tess', 'bob', 'eve']
const numbers = [1, 2, 3, 4]
const steps = 60

type Ask = {
  readonly head: string
  readonly by: string
  /** They had the right to write since. */
  hadRight: boolean
  /** Nothing has ended it. */
  stands: boolean
  /** It lacked an approval since, so the queue may have let it go. */
  wasBlocked: boolean
}

class Story {
  readonly host: SimulatedHost
  readonly faults: string[] = []
  readonly landed: string[] = []
  readonly #asks = new Map<number, Ask[]>()
  /** Those that could merge at some moment of this pass, with their heads. */
  readonly #mergeable = new Set<string>()
  readonly #roll: () => number
  /** What the server has read of approvals last. */
  readonly #reviewed = new Map<number, boolean>()
  readonly #pushed = new Map<number, string>()
  #outage = 0
  #isQuiet = false
  #isInPass = false

  constructor(seed: number) {
    this.#roll = seedrandom(`requests ${seed}`)
    this.host = new SimulatedHost((what) => this.#before(what))
    const show = this.host.onLanded
    this.host.onLanded = (number, head, commit) => {
      this.#judge(number, head)
      show(number, head, commit)
    }
    const { people: roles } = this.host.state
    for (const [login, role] of [
      ['ada', 'write'],
      ['mia', 'write'],
      ['tess', 'triage'],
    ] as const) {
      roles.set(login, role)
    }
    for (const number of numbers) this.#open(number)
  }

  async play(): Promise<void> {
    await this.#pass()
    for (let step = 0; step < steps; step++) {
      if (this.#roll() < 0.3) await this.#pass()
      else if (this.#roll() < 0.03) await this.host.restart()
      else if (this.#roll() < 0.04) this.#outage = this.#upTo(8)
      else this.#deed()
    }
    this.#isQuiet = true
    this.#outage = 0
    for (let pass = 0; pass < 12; pass++) await this.#pass()
    this.#judgeServed()
  }

  #open(number: number): void {
    const { state } = this.host
    const pull: FakePull = {
      ...{ number, title: `Change ${number}`, body: '', author: 'bob', base: 'main' },
      ...{ branch: `change-${number}`, isFork: false, head: this.#newHead(), state: 'open' },
      ...{ mergedAt: null, mergeCommit: null, isDraft: this.#roll() < 0.2, labels: [] },
      ...{ updatedAt: state.now(), reviews: [] },
    }
    state.pulls.set(number, pull)
  }

  async #pass(): Promise<void> {
    this.#tick()
    this.#mergeable.clear()
    this.#noteMergeable()
    this.#isInPass = true
    await this.host.pass()
    this.#isInPass = false
  }

  /** Between two answers of the host people go on, and it can be away. */
  #before(what: string): void {
    if (!this.#isQuiet && this.#isInPass && this.#roll() < 0.05) this.#deed()
    const reviewed = /^isApproved (\d+)$/.exec(what)?.[1]
    if (reviewed !== undefined) {
      this.#reviewed.set(Number(reviewed), isApproved(this.host.state, Number(reviewed)))
    }
    if (this.#outage <= 0) return
    this.#outage -= 1
    throw new ForgeFailed(`${what}: the host is away`, 502)
  }

  #deed(): void {
    this.#tick()
    const pull = this.host.state.pulls.get(numbers[this.#upTo(numbers.length)] ?? 1)
    const by = people[this.#upTo(people.length)] ?? 'ada'
    if (pull?.mergeCommit === null) this.#act(pull, by)
    this.#noteBlocked()
    this.#noteMergeable()
  }

  #act(pull: FakePull, by: string): void {
    const roll = this.#roll() * 20
    if (roll < 9.5) this.#say(pull, by, roll)
    else if (roll < 15) this.#alter(pull, roll)
    else if (roll < 18) {
      const verdict = this.#roll() < 0.7 ? 'APPROVED' : 'CHANGES_REQUESTED'
      pull.reviews.push({ user: by, state: verdict, commit: pull.head })
    } else if (roll < 19) this.#changeRole()
    else {
      const approvals = this.#upTo(2)
      this.host.state.rules = { from: 'protection', checks: [], approvals }
    }
  }

  #say(pull: FakePull, by: string, roll: number): void {
    const { state } = this.host
    const others = pull.labels.filter((each) => each !== label)
    if (roll < 5) {
      const isNew = !pull.labels.includes(label)
      change(state, pull, { labels: [...others, label], by })
      if (isNew) this.#ask(pull, by, true)
    } else if (roll < 8) {
      this.#comment(pull.number, by, '/merge')
      this.#ask(pull, by, !pull.isDraft)
    } else if (roll < 9) {
      this.#comment(pull.number, by, '/cancel')
      if (by === 'bob' || mayWrite(state, by)) this.#end(pull.number)
    } else {
      change(state, pull, { labels: others, by })
      this.#end(pull.number)
    }
  }

  #alter(pull: FakePull, roll: number): void {
    const { state } = this.host
    const { number } = pull
    if (roll < 11.5) {
      const head = this.#newHead()
      // The host sets the head of a closed one when it is reopened.
      if (pull.state === 'closed') this.#pushed.set(number, head)
      else change(state, pull, { head, by: 'bob' })
      this.#end(number)
    } else if (roll < 13) this.#closeOrReopen(pull)
    else if (roll < 14) {
      change(state, pull, { base: pull.base === 'main' ? 'release' : 'main', by: 'bob' })
      this.#end(number)
    } else {
      change(state, pull, { isDraft: !pull.isDraft, by: 'bob' })
      if (pull.isDraft) this.#end(number)
    }
  }

  #closeOrReopen(pull: FakePull): void {
    const { number } = pull
    const head = this.#pushed.get(number) ?? pull.head
    const isOpen = pull.state === 'open'
    change(
      this.host.state,
      pull,
      isOpen ? { state: 'closed', by: 'bob' } : { state: 'open', head, by: 'bob' },
    )
    this.#end(number)
  }

  /** Mia comes and goes. */
  #changeRole(): void {
    const { people: roles } = this.host.state
    const isWriter = roles.get('mia') === 'write'
    roles.set('mia', isWriter ? 'read' : 'write')
    for (const ask of [...this.#asks.values()].flat()) {
      if (ask.by !== 'mia') continue
      ask.hadRight ||= !isWriter
      // Whether it stood when it was read, nobody knows.
      ask.stands = false
    }
  }

  #comment(number: number, user: string, body: string): void {
    const { state } = this.host
    const [createdAt, updatedAt] = [state.now(), state.now()]
    state.comments.push({
      id: nextId(state),
      number,
      user,
      body,
      createdAt,
      updatedAt,
      reactions: [],
    })
  }

  #ask({ number, head, state, base }: FakePull, by: string, counts: boolean): void {
    if (state !== 'open' || base !== 'main') return
    const hadRight = mayWrite(this.host.state, by)
    const ask = { head, by, hadRight, stands: counts && hadRight, wasBlocked: false }
    this.#asks.set(number, [...(this.#asks.get(number) ?? []), ask])
  }

  #end(number: number): void {
    for (const ask of this.#asks.get(number) ?? []) ask.stands = false
  }

  #noteBlocked(): void {
    for (const [number, asks] of this.#asks) {
      if (isApproved(this.host.state, number)) continue
      for (const ask of asks) ask.wasBlocked = true
    }
  }

  #noteMergeable(): void {
    const { state } = this.host
    for (const { number, head, base, isDraft, state: is } of state.pulls.values()) {
      const may = is === 'open' && base === 'main' && !isDraft && isApproved(state, number)
      if (may) this.#mergeable.add(`${number} ${head}`)
    }
  }

  #judge(number: number, head: string): void {
    const what = `${number} at ${head}`
    const asks = this.#asks.get(number) ?? []
    if (!asks.some((ask) => ask.head === head && ask.hadRight)) {
      this.faults.push(`${what} landed, and nobody with the right asked for it`)
    }
    if (this.#reviewed.get(number) !== true || !this.#mergeable.has(`${number} ${head}`)) {
      this.faults.push(`${what} landed, and the host would not have merged it`)
    }
    this.landed.push(what)
  }

  #judgeServed(): void {
    const { state } = this.host
    for (const [number, asks] of this.#asks) {
      const pull = state.pulls.get(number)
      const standing = asks.find((ask) => ask.stands)
      if (!pull || !standing || pull.mergeCommit !== null) continue
      const waits = pull.isDraft || !isApproved(state, number)
      const seen = this.host.queue.pullRequests[number]?.state
      if (waits || (standing.wasBlocked && seen === 'FAILED')) continue
      this.faults.push(`${number} was asked for by ${standing.by}, and is ${seen ?? 'unknown'}`)
    }
  }

  #newHead(): string {
    return Array.from({ length: 40 }, () => '0123456789abcdef'[this.#upTo(16)]).join('')
  }

  #upTo(end: number): number {
    return Math.floor(this.#roll() * end)
  }

  /** More than a second, so that the host knows the order. */
  #tick(): void {
    this.host.clock += 2_000
  }
}

//
test(`in ${seeds} orders, only what somebody with the right asked for lands, approved, and what is asked for does`, async () => {
  const faults: string[] = []
  let landed = 0
  for (let seed = 1; seed <= seeds; seed++) {
    const story = new Story(seed)
    await story.play()
    landed += story.landed.length
    faults.push(...story.faults.map((fault) => `seed ${seed}: ${fault}`))
  }
  expect(faults).toEqual([])
  expect(landed).toBeGreaterThan(seeds / 4)
})
