/** A code host in memory: its API, its repository without git, and the queue that works on them step by step. */

import { createHash } from 'node:crypto'
import { pino } from 'pino'
import { QueueManager } from '../../queues/queue-manager.ts'
import { QueueRegistry } from '../../queues/queue-registry.ts'
import type { CardToCommit } from '../../git/card.ts'
import type { Composed } from '../../git/compose.ts'
import type { Oid } from '../../git/git.ts'
import type { Landed, Landing } from '../../git/land.ts'
import { Mirror, type Changes, type Described } from '../../git/mirror.ts'
import type { HostedParts } from '../../hosting/hosted-parts.ts'
import { landMerge } from '../../hosting/landing.ts'
import { follow } from '../../hosting/looking.ts'
import { oneAtATime } from '../../hosting/one-at-a-time.ts'
import type { HostOptions } from '../../hosting/options.ts'
import { PullRefs } from '../../hosting/pull-refs.ts'
import { RunJobs } from '../../hosting/run-jobs.ts'
import { wantedOf } from '../../hosting/wanted.ts'
import { TestRepository } from '../../hosting/testing/test-repository.ts'
import type { Activity, Deed, ForgeApi, Person, SeenPull } from '../api.ts'
import { noReviewRules } from '../api.ts'
import { ApiForge } from '../api-forge.ts'
import { ForgeFailed } from '../failed.ts'
import {
  isoOf,
  lastReviews,
  markMerged,
  mayWrite,
  type FakeDeed,
  type FakePull,
  type FakeState,
} from './state.ts'

const name = 'github.com/acme/shop:main'
const ref = { host: 'github.com', owner: 'acme', name: 'shop', targetBranch: 'main' }
const logger = pino({ enabled: false })

const oidOf = (text: string): Oid => createHash('sha1').update(text).digest('hex')

/** Called before each answer of the host: it may do something, or throw. */
type Before = (what: string) => void

/** What the repository holds, without git: a commit has one parent, and is one pull request at one head. */
class SimulatedMirror extends Mirror {
  tip = oidOf('main')
  readonly #made = new Map<
    Oid,
    { readonly below: Oid; readonly number: number; readonly head: Oid }
  >()
  readonly #before: Before
  readonly #onLanded: (number: number, head: Oid, commit: Oid) => void

  constructor(before: Before, onLanded: SimulatedHost['onLanded']) {
    super('', '')
    this.#before = before
    this.#onLanded = (...landed) => onLanded(...landed)
  }

  override branches = (): Promise<ReadonlyMap<string, Oid>> => {
    this.#before('git')
    return Promise.resolve(new Map([['refs/heads/main', this.tip]]))
  }

  override fetch = () => Promise.resolve()
  override keep = () => Promise.resolve()

  override describe = (commit: Oid): Promise<Described> =>
    Promise.resolve({ title: commit, body: '', author: { name: 'Bob', email: 'bob@example.com' } })

  override compose = (tip: Oid, cards: readonly CardToCommit[]): Promise<Composed> => {
    let below = tip
    const commits = cards.map(({ number, head }) => {
      const commit = oidOf(`${below} ${number} ${head}`)
      this.#made.set(commit, { below, number, head })
      below = commit
      return commit
    })
    return Promise.resolve({ commits, onBranch: null })
  }

  override isAncestor = (ancestor: Oid, commit: Oid): Promise<boolean> =>
    Promise.resolve(ancestor === commit || this.#since(ancestor, commit) !== null)

  override changesOf = (from: Oid, to: Oid): Promise<Changes> => {
    const commits = this.#since(from, to)?.map((commit) => ({ commit, numbers: [] })) ?? []
    return Promise.resolve({ commits, isDescendant: true })
  }

  /** The answer can be lost although the push has worked. */
  override land = ({ expect, commit }: Landing): Promise<Landed> => {
    this.#before('land')
    if (expect !== this.tip) return Promise.resolve({ is: 'moved' })
    for (const each of this.#since(expect, commit) ?? []) {
      const made = this.#made.get(each)
      if (made) this.#onLanded(made.number, made.head, each)
    }
    this.tip = commit
    this.#before('landed')
    return Promise.resolve({ is: 'landed' })
  }

  /** Oldest first; null: the one is not below the other. */
  #since(below: Oid, commit: Oid): Oid[] | null {
    const found: Oid[] = []
    for (let at = commit; at !== below;) {
      const made = this.#made.get(at)
      if (!made) return null
      found.unshift(at)
      at = made.below
    }
    return found
  }
}

export class SimulatedHost {
  clock = 1_767_603_600_000
  readonly state: FakeState
  /** Told of each pull request that lands, before the host shows it as merged. */
  onLanded: (number: number, head: Oid, commit: Oid) => void
  readonly #before: Before
  readonly #api: ForgeApi
  readonly #manager: QueueManager
  readonly #mirror: SimulatedMirror
  #kept: string | null = null
  #parts: HostedParts

  constructor(before: Before) {
    const now = (): number => this.clock
    this.#before = before
    this.state = {
      ...{ owner: 'acme', name: 'shop', repository: new TestRepository(''), reachable: new Map() },
      ...{ now, pulls: new Map(), comments: [], deeds: [], statuses: [], checks: [] },
      ...{ workflowRuns: [], people: new Map(), login: 'mergeyard-bot', rules: null, labels: [] },
      permissions: { push: true, admin: true },
      methods: { squash: true, merge: true, rebase: true, manual: true },
      ...{ isButtonDenied: false, lastId: 1_000 },
    }
    this.onLanded = (number, _, commit) => {
      const pull = this.state.pulls.get(number)
      if (pull) markMerged(this.state, pull, commit)
    }
    this.#mirror = new SimulatedMirror(before, (...landed) => this.onLanded(...landed))
    this.#api = this.#makeApi()
    const log = { append: () => undefined, durable: () => undefined }
    const registry = new QueueRegistry({ wakeAt: () => undefined, integrations })
    this.#manager = new QueueManager(registry, { now, log })
    const set = { mergeMethod: 'merge_commit', concurrency: 3 } as const
    this.#manager.send(name, {
      type: 'createQueue',
      incarnation: oidOf('queue'),
      codeHost: 'answers',
      set,
    })
    this.#parts = this.#makeParts()
  }

  get queue() {
    return this.#parts.queue.engine.queue
  }

  /** The server stops and starts: only what is durable stays. */
  async restart(): Promise<void> {
    await this.#parts.forge?.close()
    this.#parts = this.#makeParts()
  }

  /** One poll, the verdicts of all runs, and one merge. A fault outside ends it early; the next one goes on. */
  async pass(): Promise<void> {
    const parts = this.#parts
    try {
      await follow(parts)
      const { runs } = wantedOf(this.queue)
      for (const { id } of runs) {
        this.#manager.send(name, { type: 'finishTestRun', testRun: id, outcome: 'passed' })
      }
      const [merge] = wantedOf(this.queue).merges
      if (merge) await landMerge(parts, merge)
    } catch (error) {
      if (!(error instanceof ForgeFailed)) throw error
    }
  }

  #makeParts(): HostedParts {
    const queue = this.#manager.registry.find(name)
    if (!queue) throw new Error('there is no queue')
    const options: HostOptions = { ref, url: '', set: {}, pollMs: 0, tests: { kind: 'external' } }
    const now = (): number => this.clock
    const notes = {
      read: () => this.#kept,
      write: (text: string) => Promise.resolve(void (this.#kept = text)),
    }
    const mirror = this.#mirror
    const none = () => Promise.resolve(null)
    return {
      ...{ queue, mirror, logger, now, sight: null, refused: null, denied: null, impacted: null },
      ...{ settled: () => undefined, durable: () => undefined, alone: oneAtATime() },
      send: (command) => void this.#manager.send(name, command),
      ask: (command, by = null) => Promise.resolve(this.#manager.send(name, command, by)),
      hold: (_, send) => send(),
      forge: new ApiForge(this.#api, options, {
        ...{ notes, queue, mirror, logger, now },
        onHint: () => undefined,
        onNoVerdict: () => undefined,
      }),
      ...{ refs: new PullRefs(), branches: ['main'], refusedRefs: new Map() },
      // The verdicts come from `pass`.
      jobs: new RunJobs({
        compose: () => Promise.reject(new Error('nothing is composed')),
        tester: {
          test: none,
          cancel: () => undefined,
          tidy: noWork,
          logOf: () => null,
          close: noWork,
        },
        ...{ onVerdict: none, onUnbuildable: none, onBranch: () => undefined },
        onFault: () => undefined,
      }),
    }
  }

  #makeApi(): ForgeApi {
    const { state } = this
    const answered = <Value>(what: string, value: () => Value): Promise<Value> =>
      new Promise((resolve) => {
        this.#before(what)
        resolve(value())
      })
    const pull = (number: number): FakePull | undefined => state.pulls.get(number)
    const seen = (number: number): SeenPull | null => {
      const found = pull(number)
      return found ? seenOf(found) : null
    }
    return {
      ...{ forge: 'Simulated', clockAheadMs: 0, gitAccess: () => Promise.resolve({}) },
      self: () => answered('self', () => ({ login: state.login, id: 0 })),
      openPulls: (base) =>
        answered('openPulls', () =>
          [...state.pulls.values()]
            .filter((each) => each.state === 'open' && each.base === base)
            .map((each) => seenOf(each)),
        ),
      pull: (number) => answered('pull', () => seen(number)),
      isApproved: (number) => answered(`isApproved ${number}`, () => isApproved(state, number)),
      rules: () =>
        answered('rules', () => {
          return {
            checks: [],
            reviews: { ...noReviewRules, approvals: state.rules?.approvals ?? 0 },
          }
        }),
      comments: () =>
        answered('comments', () =>
          state.comments.map(({ id, number, user, body, createdAt, updatedAt }) => {
            const when = { at: createdAt, place: id }
            const times = { createdAt: isoOf(createdAt), updatedAt: isoOf(updatedAt) }
            return { id, number, body, by: { login: user, id: 0 }, isByBot: false, when, ...times }
          }),
        ),
      rightOf: ({ login }: Person) =>
        answered('rightOf', () => {
          return { role: state.people.get(login) ?? 'read', mayWrite: mayWrite(state, login) }
        }),
      activity: (number) => answered('activity', () => activityOf(state, number)),
      removeLabel: (number, label) =>
        answered('removeLabel', () => {
          const found = pull(number)
          if (found) found.labels = found.labels.filter((each) => each !== label)
        }),
      checks: () => Promise.resolve({ checks: [], workflowRuns: [] }),
      ...{
        close: noWork,
        openTestPull: noWork,
        react: noWork,
        setStatus: noWork,
        addLabel: noWork,
      },
      ...{ stopCi: noWork, ownComment: () => Promise.resolve(null) },
      addComment: () => Promise.resolve(0),
      editComment: () => Promise.resolve(true),
      merging: {
        by: 'button',
        press: () => Promise.reject(new Error('no button')),
        isBusy: () => false,
      },
    }
  }
}

const noWork = (): Promise<void> => Promise.resolve()
const integrations = {
  testRunner: { start: () => undefined, cancel: () => undefined },
  codeHost: { merge: () => undefined },
}

/** True if enough people who may write approve, and none of them objects. */
export function isApproved(state: FakeState, number: number): boolean {
  const pull = state.pulls.get(number)
  const reviews = pull ? lastReviews(pull).filter(({ user }) => mayWrite(state, user)) : []
  const approvals = reviews.filter((review) => review.state === 'APPROVED').length
  return approvals >= (state.rules?.approvals ?? 0)
}

function seenOf(pull: FakePull): SeenPull {
  const { number, head, isDraft, base, title, body, author, mergeCommit } = pull
  const state = mergeCommit === null ? pull.state : 'merged'
  return {
    ...{ number, head, state, isDraft, base, title, body, author, labels: [...pull.labels] },
    ...{ mergedAs: mergeCommit, updatedAt: null },
  }
}

function activityOf({ deeds }: FakeState, number: number): Activity {
  const mine = deeds.filter((deed) => deed.number === number).flatMap((deed) => deedOf(deed) ?? [])
  return { deeds: mine, tellsPushes: true }
}

function deedOf(deed: FakeDeed): Deed | null {
  const { is, id, at, by } = deed
  if (is === 'drafted' || is === 'readied' || is === 'branch') return null
  const label = 'label' in deed ? { label: deed.label } : {}
  return { is, when: { at, place: id }, by: { login: by, id: 0 }, ...label }
}
