/** Many seeds, spread over the cores. */

import { availableParallelism } from 'node:os'
import { Tinypool } from 'tinypool'
import { BadLines } from './sources.ts'
import type { SeedRun } from './seed-run.ts'
import type { SeedAnswer, SeedTask } from './seed-worker.ts'
import type { Source } from './source.ts'

export type Campaign = {
  readonly source: Source
  /** Taken one after another as cores become free; there may be no end of them. */
  readonly seeds: Iterable<number>
  readonly once: boolean
  /** Hears of every run in the order of the seeds, whichever core was faster. */
  readonly onRun: (run: SeedRun) => void
  /** No more seeds are taken from then on; those under way are finished. */
  readonly enough?: AbortSignal
  /** Breaks off at once; what is finished by then has been heard of. */
  readonly signal?: AbortSignal
}

/** Scenarios of the swarm are small: one by one, the way to the worker would cost too much. */
const seedsPerTask = { file: 1, swarm: 10 } as const

/** Tasks in the hands of each worker: the one it works on, and the next. */
const tasksPerWorker = 2

/** Runs the seeds until there are none left, or it is enough. */
export async function runCampaign(campaign: Campaign): Promise<void> {
  const { source, once, onRun, enough, signal } = campaign
  const threads = Math.max(1, availableParallelism())
  const pool = new Tinypool({
    filename: new URL('./seed-worker.js', import.meta.url).href,
    name: 'seedWorker',
    minThreads: threads,
    maxThreads: threads,
  })
  const stop = (): void => void pool.destroy()
  signal?.addEventListener('abort', stop, { once: true })
  const tasks = inParts(campaign.seeds, seedsPerTask[source.kind])
  const finished = new InOrder(onRun)
  const isEnough = (): boolean => enough?.aborted === true
  const work = async (): Promise<void> => {
    for (let place = finished.next(); !isEnough(); place = finished.next()) {
      const { value: seeds } = tasks.next()
      if (!seeds) return
      const task: SeedTask = { source, seeds, once }
      const answer: SeedAnswer = await pool.run(task)
      if ('faults' in answer) throw new BadLines(answer.faults)
      finished.add(place, answer.runs)
    }
  }
  try {
    await Promise.all(Array.from({ length: tasksPerWorker * threads }, work))
  } catch (error) {
    if (signal?.aborted !== true) throw error
  } finally {
    signal?.removeEventListener('abort', stop)
    await pool.destroy()
    finished.flush()
  }
}

function* inParts(seeds: Iterable<number>, size: number): Generator<number[], undefined> {
  let part: number[] = []
  for (const seed of seeds) {
    part.push(seed)
    if (part.length < size) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
  return undefined
}

/** Runs come as cores finish them, and are passed on in the order of their places. */
class InOrder {
  readonly #onRun: (run: SeedRun) => void
  readonly #waiting = new Map<number, readonly SeedRun[]>()
  #given = 0
  #due = 0

  constructor(onRun: (run: SeedRun) => void) {
    this.#onRun = onRun
  }

  /** A new place behind all others. */
  next(): number {
    return this.#given++
  }

  add(place: number, runs: readonly SeedRun[]): void {
    this.#waiting.set(place, runs)
    for (let due = this.#waiting.get(this.#due); due; due = this.#waiting.get(this.#due)) {
      this.#pass(this.#due, due)
      this.#due++
    }
  }

  /** Nothing more will come: what is there goes on, past the gaps. */
  flush(): void {
    for (const [place, runs] of [...this.#waiting].sort(([a], [b]) => a - b))
      this.#pass(place, runs)
  }

  #pass(place: number, runs: readonly SeedRun[]): void {
    this.#waiting.delete(place)
    for (const run of runs) this.#onRun(run)
  }
}
