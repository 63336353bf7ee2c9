/** One queue with its repository: the parts that work on it, and what operations may ask of it. */

import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import {
  isInQueue,
  type PullSnapshot,
  type EngineCommand,
  type Millis,
  type PullRequestNumber,
  type RecordedCommand,
  type TestRunId,
} from '../../engine/index.ts'
import type { Mirror } from '../git/mirror.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { ReadReports } from '../runner/verdict.ts'
import { proposed } from '../terminal/nearest.ts'
import { messageOf } from '../terminal/text.ts'
import { impactedFor, type Impacted } from '../targets/impacted.ts'
import { snapshotOrRefusal } from './entering.ts'
import {
  answerNotPlaced,
  answerPlaced,
  keepNumbers,
  pauseForTests,
  tipOf,
  type HostedParts,
} from './hosted-parts.ts'
import { oneAtATime } from './backoff.ts'
import type { QueueRef } from '../identity/queue-ref.ts'
import { withNamed } from './depending.ts'
import { snapshotFrom, pushedSince } from './observing-pulls.ts'
import { type CodeHosts, noCodeHosts } from './code-host.ts'
import { folderOf, type Notes, type NotesKind } from '../files/notes.ts'
import type { HostAnswer, HostedQueue, HostStatus, RunLog, Queues } from './hosting.ts'
import { BranchNotes, PullRefs, pullRef } from './observation.ts'
import { poll } from './polling.ts'
import { pageOfPull, type HostOptions } from './options.ts'
import { Reconciler } from './reconciler.ts'
import { wordsOfStop } from './wanted.ts'
import { testerFor, type PlacingPorts, type Tester } from './testers.ts'
import { RunJobs } from './run-jobs.ts'
import { TestLimit } from './test-limit.ts'

export type HostedPorts = {
  /** The data folder. */
  readonly folder: string
  readonly now: () => Millis
  readonly readReports: ReadReports
  /** Called instead of sending a command of the host at once, by tests that choose the order. */
  readonly hold?: (command: EngineCommand, send: () => void) => void
  /** Hosts with pull requests of their own. Default: none. */
  readonly codeHosts?: CodeHosts
  /** Where the notes of a queue are kept. Default: in the folder. */
  readonly notesOf?: (queue: ManagedQueue, kind: NotesKind) => Promise<Notes>
}

type RepositoryParts = HostedPorts & {
  readonly queues: Omit<Queues, 'subscribe'>
  readonly logger: Logger
  readonly mirror: Mirror
  readonly notes: Notes
  readonly targetNotes: Notes
  /** What no command of a pull request must see. */
  readonly hidden: readonly string[]
  /** The target branches of all queues of the repository. */
  readonly branches: readonly string[]
  /** The other ones of these queues. */
  readonly others: () => readonly ManagedQueue[]
}

/** The status of an answer while the repository cannot be read. */
const away = 503
/** So long a branch that is known waits for what the repository says of it. */
const patienceMs = 1_000

export class HostedRepository implements HostedQueue {
  readonly #options: HostOptions
  readonly #parts: HostedParts
  readonly #reconciler: Reconciler
  readonly #tester: Tester
  readonly #jobs: RunJobs
  readonly #limit: TestLimit

  constructor(options: HostOptions, queue: ManagedQueue, parts: RepositoryParts) {
    const { mirror, notes, logger, now, readReports, hidden, branches, others, queues } = parts
    this.#options = options
    const folder = folderOf(parts.folder, queue.ids.start)
    const placing: PlacingPorts = {
      onRefused: (run, words) => answerNotPlaced(this.#parts, run, words),
      onPlaced: (run, wasRefused) => answerPlaced(this.#parts, run, wasRefused),
    }
    const codeHost = (parts.codeHosts ?? noCodeHosts).open(options, {
      notes,
      queue,
      mirror,
      logger,
      now,
      branches,
      others,
      onNotified: () => this.#reconciler.poll(),
      onNoVerdict: (run, words) => pauseForTests(this.#parts, run, words),
      ...placing,
    })
    this.#tester =
      codeHost?.tester ??
      testerFor(options, {
        folder,
        mirror,
        queue,
        readReports,
        hidden,
        logger,
        now,
        tip: () => tipOf({ queue }),
        ...placing,
      })
    const branchNotes = new BranchNotes(notes)
    const isLimited = options.set.testingTimeoutMinutes !== undefined
    // What was seen for a queue that is deleted is nothing to one that has its name.
    const tell = (command: RecordedCommand): void => {
      if (queues.registry.find(queue.name) === queue) queues.send(queue.name, command)
    }
    this.#parts = {
      queue,
      settled: () => queues.settled(queue.name),
      durable: () => queues.durable(),
      alone: oneAtATime(),
      send: tell,
      ask: (command, by = null) => queues.ask(queue.name, command, by),
      hold: parts.hold ?? ((_command, send) => send()),
      mirror,
      codeHost,
      refs: refsOf(queue, codeHost ? null : branchNotes),
      branches,
      impacted: impactedOf(options, hidden, { folder, id: queue.ids.start, mirror, logger }),
      logger,
      now,
      refusedRefs: new Map(),
      branchNotes,
      observation: null,
      noteTargets: noteOf(options, parts.targetNotes),
      refused: null,
      denied: null,
    }
    this.#limit = new TestLimit({ queue, now, send: tell }, isLimited)
    const tester = this.#tester
    this.#jobs = new RunJobs({
      parts: this.#parts,
      tester,
      onFault: (error) => this.#reconciler.failed(error),
    })
    this.#reconciler = new Reconciler(this.#parts, { jobs: this.#jobs, tester, limit: this.#limit })
  }

  get queue(): ManagedQueue {
    return this.#parts.queue
  }

  get testsItself(): boolean {
    return this.#options.tests.kind !== 'external'
  }

  pageOf(number: PullRequestNumber): string | null {
    const { codeHost } = this.#options
    return codeHost ? pageOfPull(codeHost, number) : null
  }

  /** Settles when what is pushed to the repository is a request: nothing that was there before is one. */
  async start(): Promise<void> {
    const { branchNotes, branches, codeHost } = this.#parts
    const isNew = !codeHost && !branchNotes.isFor(branches)
    // What another process has begun begins anew, or nobody has received it meanwhile.
    this.#parts.send({ type: 'wake', isLate: true })
    const looked = this.#reconciler.start(this.#options.pollMs)
    if (isNew) await looked
  }

  /** A command of the queue is durable. */
  schedule(): void {
    this.#reconciler.schedule()
  }

  async close(): Promise<void> {
    this.#parts.impacted?.close()
    this.#limit.close()
    this.#parts.codeHost?.stop()
    // Tests end at once, also if the pass under way waits for the repository.
    this.#jobs.close()
    await Promise.all([this.#reconciler.close(), this.#tester.close()])
    await this.#parts.codeHost?.close()
  }

  /**
   * The pull request at the commit that it has when this is called. Its turn can come later, after a push that nobody
   * has asked for.
   */
  async snapshotOf(
    number: PullRequestNumber,
    dependsOn?: readonly PullRequestNumber[],
  ): Promise<HostAnswer<PullSnapshot>> {
    const { codeHost, refs, mirror } = this.#parts
    const ref = refs.refOf(number)
    const branch = async () => {
      const head = await mirror.commitOf(ref)
      return head === undefined ? head : { head, departures: 0 }
    }
    const asking = codeHost ? codeHost.standingOf(number) : branch()
    // A rejection before the `await` below would count as unhandled.
    asking.catch(() => undefined)
    return this.#whenReached(async () => {
      const asked = await asking
      if (asked === undefined) return { refused: { status: 404, text: this.#missing(number) } }
      await poll(this.#parts)
      if (codeHost) return snapshotFrom(this.#parts, codeHost, { number, asked, dependsOn })
      const isMeant = this.#isMeant(number)
      if ('refused' in isMeant) return isMeant
      const head = this.#parts.observation?.heads.get(ref)
      if (head !== asked.head) return { refused: pushedSince(asked.head, head ?? 'gone') }
      const found = await snapshotOrRefusal(this.#parts, { number, ref, head })
      if ('refused' in found) return found
      return withNamed(this.#parts, { number, snapshot: found.value }, { asked: dependsOn })
    })
  }

  /** Whether a number says who is meant: a branch and a pull request of the host can have the same one. */
  #isMeant(number: PullRequestNumber): HostAnswer<true> {
    const { refs, observation, queue } = this.#parts
    const branch = observation && refs.branchBeside(number, observation)
    if (branch === null || isInQueue(queue.engine.queue, number)) return { value: true }
    const text = `number ${number} is the branch ${branch} here, and ${pullRef(number)} is another change: push the one that is to merge below queue/`
    return { refused: { status: 409, text } }
  }

  #missing(number: PullRequestNumber): string {
    const { codeHost, refs, observation } = this.#parts
    const words = `there is no pull request ${number}`
    // The name of a branch can be a number.
    const branch = `refs/heads/${number}`
    const meant = observation?.heads.has(branch) ? `; to name the branch, write ${branch}` : ''
    return codeHost ? words : `${words}: the repository has no ${refs.refOf(number)}${meant}`
  }

  async open(branch: string): Promise<HostAnswer<{ readonly number: PullRequestNumber }>> {
    const { refs, observation } = this.#parts
    const asked = this.#opened(branch)
    const ref = `refs/heads/${branch}`
    if (!refs.has(ref)) return asked
    // A known branch keeps its number, so the answer does not wait for a repository that is away.
    const known = { value: { number: refs.numberOf(ref, observation ?? { heads: new Map() }) } }
    const answer = await Promise.race([asked, wait(patienceMs, known, { ref: false })])
    return 'refused' in answer && answer.refused.status === away ? known : answer
  }

  #opened(branch: string): Promise<HostAnswer<{ readonly number: PullRequestNumber }>> {
    return this.#whenReached(async () => {
      await poll(this.#parts)
      const { observation, refs, queue, codeHost } = this.#parts
      if (codeHost) {
        const text = 'open the pull request on its host, which numbers it, and submit that number'
        return { refused: { status: 400, text } }
      }
      const ref = `refs/heads/${branch}`
      if (branch === queue.ref.targetBranch) {
        const text = `${branch} is the target branch: name the branch of a change`
        return { refused: { status: 400, text } }
      }
      if (!observation || !(observation.heads.has(ref) || refs.has(ref))) {
        const like = refs.branchLike(branch, observation?.heads.keys() ?? [])
        const text = `the repository has no branch ${branch}${proposed(like)}: push it first`
        return { refused: { status: 404, text } }
      }
      const number = refs.numberOf(ref, observation)
      await keepNumbers(this.#parts, observation)
      return { value: { number } }
    })
  }

  refusalOf(number: PullRequestNumber): string | null {
    const { refusedRefs, observation } = this.#parts
    const refused = [...refusedRefs].find(([, each]) => each.number === number)
    if (!refused) return null
    const [ref, { head, words }] = refused
    return observation?.heads.get(ref) === head ? words : null
  }

  commitOf(run: TestRunId): string | null {
    return this.#jobs.commitOf(run)
  }

  logOf(run: TestRunId): Promise<HostAnswer<RunLog | null>> {
    return Promise.resolve({ value: this.#tester.logOf(run) })
  }

  seen(): Promise<HostAnswer<HostStatus>> {
    return Promise.resolve({ value: this.status() })
  }

  get ref(): QueueRef {
    return this.#options.ref
  }

  status(): HostStatus {
    const { lastLookAt, fault } = this.#reconciler
    const { mirror, denied, queue } = this.#parts
    const paused = (denied ?? queue.history.pausedFor)?.words
    const stopped = wordsOfStop(queue)
    const ofCodeHost = this.#parts.codeHost?.faults() ?? []
    const ofTests = this.#tester.faults?.() ?? []
    const faults = [fault ?? [], paused ?? [], stopped ?? [], ofCodeHost, ofTests].flat()
    return { url: mirror.url, lastLookAt, faults }
  }

  /** A repository that cannot be reached is no fault of the caller. */
  async #whenReached<Value>(ask: () => Promise<HostAnswer<Value>>): Promise<HostAnswer<Value>> {
    try {
      return await this.#parts.alone(ask)
    } catch (error) {
      this.#parts.mirror.noteDamage(error)
      const words = messageOf(error)
      const text = `the repository cannot be read now: ${words}`
      return { refused: { status: away, text } }
    }
  }
}

/** Null: the targets of those who wait were found by the same. */
function noteOf({ targets }: HostOptions, notes: Notes): HostedParts['noteTargets'] {
  const by = targets ? JSON.stringify(targets) : ''
  return (notes.read() ?? '') === by ? null : () => notes.write(by)
}

/** `notes`: null on a host, which numbers its pull requests. */
function refsOf({ history }: ManagedQueue, notes: BranchNotes | null): PullRefs {
  const refs = new PullRefs()
  for (const [ref, number] of notes?.numbers ?? []) refs.note(number, { ref })
  for (const snapshot of history.snapshots.values()) refs.note(snapshot.number, snapshot)
  for (const number of history.pullRequests.keys()) refs.taken(number)
  return refs
}

/** A command that finds them is run like the tests, if they are a command too. Null: nobody is to find any. */
function impactedOf(
  { targets, tests }: HostOptions,
  hidden: readonly string[],
  place: Parameters<typeof impactedFor>[2],
): Impacted | null {
  const command = tests.kind === 'command' ? tests : { environment: [] }
  return targets ? impactedFor(targets, { ...command, hidden }, place) : null
}
