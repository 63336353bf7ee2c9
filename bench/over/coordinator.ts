/** Hands chunks of tasks to the workers of a farm, and receives their answers. */

import { setTimeout as pause } from 'node:timers/promises'
import type { Writable } from 'node:stream'
import { InOrder } from '../../sim/campaign/over-cores.ts'
import type { ParallelWork, Spread, Spreading } from '../../sim/campaign/over-cores.ts'
import { shown } from '../../server/terminal/bad-input.ts'
import { errorOf, several } from '../../server/terminal/text.ts'
import {
  keepAlive,
  shownAddress,
  closeFarm,
  createCampaign,
  openFarm,
  removeCampaign,
  campaigns,
  usualLeaseSeconds,
} from './farm.ts'
import type { Campaign, Farm } from './farm.ts'
import { hashOf, packedTasks, unpackedJson, unpackedTasks } from './messages.ts'
import type { ChunkAnswer, ChunkOfTasks, Incoming, Hello } from './messages.ts'

/** A campaign that its workers broke: a finding about their machines, or about a task. */
export class BrokenCampaign extends Error {}

/** Chunks that wait in the queue for each thread, besides the one that it does. */
const aheadPerThread = 1

/** Looks for answers so often, and less and less often while none comes. */
const shortestPauseMs = 10
const longestPauseMs = 150
const pauseGrowth = 1.5

const keepAlivePerLease = 4
const receivedAtOnce = 100

/** A chunk of the work that is done now. */
type Handed = { readonly tasks: number; readonly onAnswers: (json: string) => void }

class Coordinator {
  readonly workers = new PresentWorkers()
  readonly #farm: Farm
  readonly #campaign: Campaign
  readonly #handed = new Map<number, Handed>()
  /** The hashes of all answers so far, to compare those that come twice. */
  readonly #hashes = new Map<number, string>()
  readonly #size = new ChunkSize()
  readonly #keeping: NodeJS.Timeout
  #places = 0
  #broken: Error | null = null

  constructor(farm: Farm, campaign: Campaign, leaseSeconds: number) {
    this.#farm = farm
    this.#campaign = campaign
    const keep = (): void => {
      keepAlive(farm, campaign, leaseSeconds).catch((error: unknown) => {
        this.#broken ??= errorOf(error)
      })
    }
    this.#keeping = setInterval(keep, (1000 * leaseSeconds) / keepAlivePerLease)
  }

  /** Ends what runs in the background. */
  stop(): void {
    clearInterval(this.#keeping)
  }

  /** Does the work like `overCores`. Throws `BrokenCampaign` besides. */
  async spread<Task, Answer>(work: ParallelWork<Task, Answer>): Promise<void> {
    const isAborted = (): boolean => work.signal?.aborted === true
    const tasks = new KnownAhead(work.tasks)
    const answers = new InOrder(work.onAnswer)
    this.#handed.clear()
    let pauseMs = shortestPauseMs
    try {
      while (!isAborted()) {
        await this.#handOut(work, tasks, answers)
        if (this.#handed.size === 0) return
        const isAnswered = await this.#receive()
        pauseMs = isAnswered ? shortestPauseMs : Math.min(longestPauseMs, pauseMs * pauseGrowth)
        if (!isAnswered) await pause(pauseMs)
      }
    } finally {
      answers.flush()
    }
  }

  /** Keeps the queue so long that no thread waits. */
  async #handOut<Task, Answer>(
    { worker, isEnough }: ParallelWork<Task, Answer>,
    tasks: KnownAhead<Task>,
    answers: InOrder<Answer>,
  ): Promise<void> {
    const { threads } = this.workers
    const isSatisfied = (): boolean =>
      this.#handed.size >= (1 + aheadPerThread) * threads || isEnough?.() === true
    while (!isSatisfied()) {
      const left = tasks.knowing(this.#size.ahead(threads))
      const chunk = tasks.take(this.#size.next(left, threads))
      if (chunk.length === 0) return
      const positions = chunk.map(() => answers.next())
      const place = this.#places++
      const onAnswers = (json: string): void => {
        const found: Answer[] = JSON.parse(json)
        for (const [index, answer] of found.entries()) answers.add(positions[index] ?? 0, answer)
      }
      this.#handed.set(place, { tasks: chunk.length, onAnswers })
      const data: ChunkOfTasks = { place, worker: worker.name, tasks: packedTasks(chunk) }
      await this.#farm.boss.send(this.#campaign.tasks, data)
    }
  }

  /** Returns whether any worker said anything. */
  async #receive(): Promise<boolean> {
    if (this.#broken) throw this.#broken
    const { boss } = this.#farm
    const { said } = this.#campaign
    const received = await boss.fetch<Incoming>(said, { batchSize: receivedAtOnce })
    if (received.length === 0) return false
    const ids = received.map(({ id }) => id)
    await boss.deleteJob(said, ids)
    for (const { data } of received) {
      if ('hello' in data) this.workers.receive(data)
      else if ('answers' in data) this.#answered(data)
      else if ('fault' in data) throw new Error(data.fault)
      else this.#lost(data)
    }
    return true
  }

  /** The first answer counts. A chunk is a pure function, so every other answer must be the same. */
  #answered({ place, answers, ms }: ChunkAnswer): void {
    const json = unpackedJson(answers)
    const hash = hashOf(json)
    const known = this.#hashes.get(place)
    if (known !== undefined && known !== hash) {
      throw new BrokenCampaign(
        `two workers gave different answers to chunk ${place}: one of their machines computes wrongly`,
      )
    }
    this.#hashes.set(place, hash)
    const handed = this.#handed.get(place)
    if (!handed) return
    this.#handed.delete(place)
    this.#size.answered(handed.tasks, ms)
    handed.onAnswers(json)
  }

  /** A chunk that no worker survives is a finding, unless its answer came after all. */
  #lost({ place, worker, tasks }: ChunkOfTasks): void {
    if (!this.#handed.has(place)) return
    const what = unpackedTasks(tasks).map((task) => shown(task))
    throw new BrokenCampaign(
      `chunk ${place} ended three workers: ${worker} of ${what.slice(0, 3).join(', ')}`,
    )
  }
}

// The workers of which the coordinator had a message lately.

/** Workers say every few seconds that they are there. One that is silent for so long is lost. */
const silentMs = 15_000

class PresentWorkers {
  readonly #seen = new Map<string, { readonly threads: number; readonly atMs: number }>()

  receive({ hello, threads }: Hello): void {
    this.#seen.set(hello, { threads, atMs: performance.now() })
  }

  /** The number of workers. */
  get count(): number {
    return this.#present().length
  }

  /** The number of their threads, at least 1. */
  get threads(): number {
    return Math.max(
      1,
      this.#present().reduce((sum, { threads }) => sum + threads, 0),
    )
  }

  #present(): { readonly threads: number }[] {
    const since = performance.now() - silentMs
    return [...this.#seen.values()].filter(({ atMs }) => atMs >= since)
  }
}

// Tasks that are read some way ahead, to know when the end comes. They may be endless.

export class KnownAhead<Task> {
  readonly #tasks: Iterator<Task>
  readonly #known: Task[] = []
  #isEnded = false

  constructor(tasks: Iterable<Task>) {
    this.#tasks = tasks[Symbol.iterator]()
  }

  /** Reads on until so many tasks are known. Returns how many are. */
  knowing(count: number): number {
    while (!this.#isEnded && this.#known.length < count) {
      const next = this.#tasks.next()
      if (next.done === true) this.#isEnded = true
      else this.#known.push(next.value)
    }
    return this.#known.length
  }

  /** Takes the next tasks, at most so many. */
  take(count: number): Task[] {
    this.knowing(count)
    return this.#known.splice(0, count)
  }
}

// How many tasks make a chunk.

/** Long enough that the way through the database costs nothing, short enough to lose little. */
const chunkMs = 2000

/** The first tasks may be the shortest, so a chunk grows step by step. */
const growth = 4

/** How much the last chunk counts in the time of a task. */
const newShare = 0.3

/** With so many chunks a thread at the end, nobody waits long for the slowest. */
const lastChunks = 3

export class ChunkSize {
  #msPerTask: number | null = null
  #last = 1

  /** Learns what a chunk took. */
  answered(tasks: number, ms: number): void {
    const now = ms / tasks
    const before = this.#msPerTask ?? now
    this.#msPerTask = before + newShare * (now - before)
  }

  /** Returns the size of the next chunk, if there are tasks without end. */
  get wanted(): number {
    if (this.#msPerTask === null) return 1
    const size = Math.round(chunkMs / Math.max(this.#msPerTask, 1 / chunkMs))
    return Math.max(1, Math.min(size, growth * this.#last))
  }

  /** Returns the size of the next chunk, of which so many tasks are left for so many threads. */
  next(left: number, threads: number): number {
    const share = Math.max(1, Math.ceil(left / (lastChunks * threads)))
    const size = Math.min(this.wanted, share)
    this.#last = Math.max(this.#last, size)
    return size
  }

  /** Returns how many tasks must be known ahead, so that the last chunks can be shorter. */
  ahead(threads: number): number {
    return this.wanted * lastChunks * threads
  }
}

// Spreads the work of a command over the workers of a database.

export type OverOptions = {
  readonly address: string
  /** The name of the command, for messages. */
  readonly command: string
  readonly stderr: Writable
  readonly leaseSeconds?: number
}

export type Over = Spreading & {
  /** Takes back all that is handed out, and disconnects. */
  readonly close: () => Promise<void>
}

/** Connects. Throws `BadInput` if the database cannot be used. */
export async function openOver(options: OverOptions): Promise<Over> {
  const { address, command, stderr, leaseSeconds = usualLeaseSeconds } = options
  const farm = await openFarm(address, command)
  // Campaigns whose coordinator was killed are removed by those that come after.
  await campaigns(farm)
  const campaign = await createCampaign(farm, leaseSeconds)
  const coordinator = new Coordinator(farm, campaign, leaseSeconds)
  stderr.write(`spread over the workers of: mergeyard worker ${shownAddress(address)}\n`)
  const spread: Spread = (work) => coordinator.spread(work)
  return {
    spread,
    note: () => ` over ${several(coordinator.workers.count, 'worker')}`,
    close: async () => {
      coordinator.stop()
      await removeCampaign(farm, campaign)
      await closeFarm(farm)
    },
  }
}
