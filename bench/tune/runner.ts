/** Runs settings with seeds on all cores, keeps what they gave, and counts what that cost. */

import type { Writable } from 'node:stream'
import type { FaultOf } from '../../server/terminal/readers.ts'
import type { Spreading } from '../../sim/campaign/over-cores.ts'
import { workBar } from '../../sim/cli/progress-bar.ts'
import type { Candidate } from './candidates.ts'
import type { TuneFigures } from './figures.ts'
import type { TuneAnswer, TuneTask } from './tune-worker.ts'

// The budget of a tune run: work that is counted in events, so that any machine does the same.

/**
 * Events that one core handles in a second, with a margin for slower machines and for all that is
 * not simulation.
 */
const eventsPerSecond = 150_000
const cores = 2

/** A run costs this much besides its events: a message to a worker, a world, its figures. */
const eventsPerStart = 300

export type Budget = { readonly text: string; readonly seconds: number }

export const defaultBudget = '2m'

const units = { s: 1, m: 60, h: 3600 } as const

/** Parses `90s`, `2m` or `1h`. */
export function readBudget(text: string, faultOf: FaultOf): Budget {
  const [, digits, unit] = /^(\d{1,4}(?:\.\d)?)([smh])$/.exec(text) ?? []
  const isUnit = unit === 's' || unit === 'm' || unit === 'h'
  const seconds = isUnit ? Number(digits) * units[unit] : 0
  if (seconds > 0) return { text, seconds }
  throw faultOf('a time like 90s, 2m or 1h')
}

/** Returns the events that a share of the budget stands for. */
export function eventsIn({ seconds }: Budget, share = 1): number {
  return Math.round(seconds * eventsPerSecond * cores * share)
}

/** The budget that so many events are the work of, in whole seconds. */
export const budgetOf = (events: number): string =>
  `${Math.ceil(events / (eventsPerSecond * cores))}s`

/** A budget from this on is enough for finer steps. */
const fineSeconds = 300

export function hasFineSteps({ seconds }: Budget): boolean {
  return seconds >= fineSeconds
}

/** A setting with the seeds that it ran on. */
export type Trial = {
  readonly candidate: Candidate
  readonly seeds: readonly number[]
  /** In the order of the seeds. */
  readonly runs: readonly TuneFigures[]
  /** The events of all runs. */
  readonly events: readonly number[]
}

/** Returns what a run of these settings costs on average. */
export function meanCost(trials: readonly Trial[]): number {
  const all = trials.flatMap(({ events }) => events)
  return eventsPerStart + all.reduce((sum, each) => sum + each, 0) / Math.max(1, all.length)
}

/** A property that a setting violated with a seed. */
export class TuneFault extends Error {
  readonly candidate: Candidate
  readonly seed: number
  readonly broken: string

  constructor(candidate: Candidate, seed: number, broken: string) {
    super(`${broken} is violated`)
    this.candidate = candidate
    this.seed = seed
    this.broken = broken
  }
}

/** The run was interrupted. */
export class TuneInterrupted extends Error {}

export type Bench = Spreading & {
  readonly name: string
  /** Whether queues of several products run, which get the same conflicts and clashes. */
  readonly isFair: boolean
  /** Where the progress bar is drawn. */
  readonly stderr: Writable
  readonly signal: AbortSignal
}

type Job = { readonly candidate: Candidate; readonly seed: number }

/** Runs settings, and counts what all runs cost. */
export class SettingRunner {
  runs = 0
  /** The events of all runs. */
  events = 0
  readonly #bench: Bench

  constructor(bench: Bench) {
    this.#bench = bench
  }

  /** The events of all runs, with what it costs to start a run. */
  get cost(): number {
    return this.events + this.runs * eventsPerStart
  }

  /**
   * Runs every setting on every seed, seed by seed. Returns the settings in the same order. Throws
   * `TuneFault` if a property is violated, and `TuneInterrupted` if the signal aborts.
   */
  async run(
    candidates: readonly Candidate[],
    seeds: readonly number[],
    title: string,
  ): Promise<Trial[]> {
    const jobs = seeds.flatMap((seed) => candidates.map((candidate) => ({ candidate, seed })))
    const answers = await this.#answersTo(jobs, title)
    return candidates.map((candidate, index) => {
      const own = answers.filter((_, position) => position % candidates.length === index)
      return {
        candidate,
        seeds,
        runs: own.map(({ figures }) => figures),
        events: own.map(({ events }) => events),
      }
    })
  }

  async #answersTo(jobs: readonly Job[], title: string): Promise<TuneAnswer[]> {
    const { name, isFair, stderr, signal, spread, note } = this.#bench
    const answers: TuneAnswer[] = []
    const faults: TuneFault[] = []
    const bar = workBar(stderr, name, jobs.length, 'runs')
    const tasks = function* (): Generator<TuneTask, void> {
      for (const { candidate, seed } of jobs) {
        const { scenario, other, change } = candidate
        yield { scenario, other, change, isFair, seed }
      }
    }
    try {
      bar.update(0, title)
      await spread<TuneTask, TuneAnswer>({
        worker: { url: new URL('./tune-worker.js', import.meta.url), name: 'tuneWorker' },
        tasks: tasks(),
        onAnswer: (answer) => {
          const job = jobs[answers.length]
          answers.push(answer)
          this.runs++
          this.events += answer.events
          if (answer.broken !== null && job) {
            faults.push(new TuneFault(job.candidate, job.seed, answer.broken))
          }
          bar.update(answers.length, `${title}${note()}`)
        },
        isEnough: () => faults.length > 0,
        signal,
      })
    } finally {
      bar.stop()
    }
    const [fault] = faults
    if (fault) throw fault
    if (signal.aborted) throw new TuneInterrupted()
    return answers
  }
}
