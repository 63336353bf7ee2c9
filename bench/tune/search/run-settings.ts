/** Runs settings with seeds on all cores, and keeps what they gave. */

import type { Writable } from 'node:stream'
import type { Spreading } from '../../../sim/campaign/over-cores.ts'
import { workBar } from '../../../sim/cli/progress-bar.ts'
import type { TuneFigures } from '../figures/figures.ts'
import type { Candidate } from '../settings/candidates.ts'
import { costOf } from './budget.ts'
import type { TuneAnswer, TuneTask } from './tune-worker.ts'

/** A setting with the seeds that it ran on. */
export type Trial = {
  readonly candidate: Candidate
  readonly seeds: readonly number[]
  /** In the order of the seeds. */
  readonly runs: readonly TuneFigures[]
  /** The events of all runs, also of one that was stopped. */
  readonly events: readonly number[]
  /** True if a run was stopped. */
  readonly isTooSlow: boolean
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
  /** The name of the scenario, for the progress bar. */
  readonly name: string
  /** Where the progress bar is drawn. */
  readonly stderr: Writable
  readonly signal: AbortSignal
}

export type Stage = {
  /** What the progress bar says: `rung 2 of 6, 128 settings`. */
  readonly title: string
  readonly mostEvents: number | null
}

export const untried = (candidate: Candidate): Trial => ({
  candidate,
  seeds: [],
  runs: [],
  events: [],
  isTooSlow: false,
})

/** Runs settings, and counts what all runs cost. */
export class SettingRunner {
  runs = 0
  /** The events of all runs. */
  events = 0
  /** The same with what it costs to start a run. */
  cost = 0
  readonly #bench: Bench

  constructor(bench: Bench) {
    this.#bench = bench
  }

  /**
   * Runs every setting on those of the seeds that it has not run on, seed by seed. Returns the
   * settings with all their runs, in the same order. Throws `TuneFault` if a property is violated,
   * and `TuneInterrupted` if the signal aborts.
   */
  async run(trials: readonly Trial[], seeds: readonly number[], stage: Stage): Promise<Trial[]> {
    const jobs = seeds.flatMap((seed) =>
      trials.flatMap((trial, index) => (trial.seeds.includes(seed) ? [] : [{ index, seed }])),
    )
    const answers = await this.#answersTo(
      jobs.map(({ index, seed }) => ({ candidate: trials[index]?.candidate, seed })),
      stage,
    )
    const added = trials.map((trial) => ({
      ...trial,
      seeds: [...trial.seeds],
      runs: [...trial.runs],
      events: [...trial.events],
    }))
    for (const [position, { index, seed }] of jobs.entries()) {
      const [trial, answer] = [added[index], answers[position]]
      if (!trial || !answer) throw new TuneInterrupted()
      trial.events.push(answer.events)
      if (answer.figures === null) trial.isTooSlow = true
      else {
        trial.seeds.push(seed)
        trial.runs.push(answer.figures)
      }
    }
    return added
  }

  async #answersTo(
    jobs: readonly { readonly candidate: Candidate | undefined; readonly seed: number }[],
    { title, mostEvents }: Stage,
  ): Promise<TuneAnswer[]> {
    const { name, stderr, signal, spread, note } = this.#bench
    const answers: TuneAnswer[] = []
    const faults: TuneFault[] = []
    const bar = workBar(stderr, name, jobs.length, 'runs')
    const tasks = function* (): Generator<TuneTask, void> {
      for (const { candidate, seed } of jobs) {
        if (!candidate) continue
        const { scenario, other, change } = candidate
        yield { scenario, other, change, seed, mostEvents }
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
          this.cost += costOf(answer.events)
          if (answer.broken !== null && job?.candidate) {
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
