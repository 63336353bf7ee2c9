/** Runs many seeds on all cores. */

import { SeedSet } from '../random/seeds.ts'
import { Columns } from '../result/aggregate.ts'
import { type CampaignDocument, type SeedFailures, JudgedTotals } from './document.ts'
import { overCores, type ParallelWork, type Spread } from './over-cores.ts'
import { BadLines } from '../../server/terminal/bad-input.ts'
import type { SeedRun, SeedAnswer, SeedTask } from './seed-worker.ts'
import type { Source } from '../judge/source.ts'
import { UnseenTotals } from './unseen.ts'

/** Seeds to run, for a campaign or a soak. */
export type SeedWork<Run> = {
  /** The seeds, taken one by one as cores become free. They may be endless. */
  readonly seeds: Iterable<number>
  /** Called for every run, in the order of the seeds. */
  readonly onRun: (run: Run) => void
  /** When it is aborted, no more seeds start; started seeds finish. */
  readonly enough?: AbortSignal
  /** When it is aborted, the work stops at once. Runs that have finished are reported. */
  readonly signal?: AbortSignal
  /** Where the seeds run; the cores of this machine by default. */
  readonly spread?: Spread
}

type SeedWorker<Task, Answer, Run> = {
  readonly worker: ParallelWork<Task, Answer>['worker']
  /** How many seeds a worker gets at once. A message for each seed costs too much where scenarios are small. */
  readonly seedsPerTask: number
  readonly taskOf: (seeds: readonly number[]) => Task
  readonly runsOf: (answer: Answer) => readonly Run[]
}

/** Runs the seeds until none is left or a signal is aborted. Throws the errors of workers. */
export async function runSeeds<Task, Answer, Run>(
  { seeds, onRun, enough, signal, spread = overCores }: SeedWork<Run>,
  { worker, seedsPerTask, taskOf, runsOf }: SeedWorker<Task, Answer, Run>,
): Promise<void> {
  await spread<Task, Answer>({
    worker,
    tasks: inParts(seeds, seedsPerTask, taskOf),
    onAnswer: (answer) => {
      for (const run of runsOf(answer)) onRun(run)
    },
    isEnough: () => enough?.aborted === true,
    signal,
  })
}

function* inParts<Task>(
  seeds: Iterable<number>,
  size: number,
  taskOf: (seeds: readonly number[]) => Task,
): Generator<Task, undefined> {
  let part: number[] = []
  for (const seed of seeds) {
    part.push(seed)
    if (part.length < size) continue
    yield taskOf(part)
    part = []
  }
  if (part.length > 0) yield taskOf(part)
  return undefined
}

export type Campaign = SeedWork<SeedRun> & { readonly source: Source; readonly once: boolean }

/** Runs the seeds of a campaign. Throws `BadLines` for bad input. */
export async function runCampaign({ source, once, ...work }: Campaign): Promise<void> {
  await runSeeds<SeedTask, SeedAnswer, SeedRun>(work, {
    worker: { url: new URL('./seed-worker.js', import.meta.url), name: 'seedWorker' },
    seedsPerTask: source.kind === 'swarm' ? 10 : 1,
    taskOf: (seeds) => ({ source, seeds, once }),
    runsOf(answer) {
      if ('faults' in answer) throw new BadLines(answer.faults)
      return answer.runs
    },
  })
}

// Accumulates the figures, checks and failures of a campaign. It does not keep the runs.

type TotalsOptions = {
  readonly scenario: string
  /** The coverage marks to count; null to count none. */
  readonly marks: readonly string[] | null
  readonly replayOf: (seed: number) => string
}

/** The totals of a campaign. Add the runs in the order of their seeds. */
export class CampaignTotals {
  readonly #options: TotalsOptions
  readonly #seeds = new SeedSet()
  readonly #failures: SeedFailures[] = []
  readonly #columns = new Columns()
  readonly #judged = new JudgedTotals()
  readonly #reached: Map<string, number>
  readonly #unseen = new UnseenTotals()
  #events = 0

  constructor(options: TotalsOptions) {
    this.#options = options
    this.#reached = new Map((options.marks ?? []).map((name) => [name, 0]))
  }

  add({ seed, figures, failures, events, properties, marks, seen }: SeedRun): void {
    this.#seeds.add(seed)
    this.#columns.add(figures)
    if (failures.length > 0) {
      this.#failures.push({ seed, failures, replay: this.#options.replayOf(seed) })
    }
    this.#events += events
    this.#judged.addRun(properties)
    for (const name of marks) this.#reached.set(name, (this.#reached.get(name) ?? 0) + 1)
    if (seen && this.#options.marks) this.#unseen.add(seed, seen)
  }

  /** Returns the values of a figure in all runs that have it, by its dotted path. */
  valuesOf(path: string): readonly number[] {
    return this.#columns.valuesOf(path)
  }

  document(): CampaignDocument {
    const { scenario, marks } = this.#options
    const unseen = this.#unseen.result()
    return {
      scenario,
      seeds: this.#seeds.size,
      ran: this.#seeds.text,
      aggregate: this.#columns.aggregates(),
      events: this.#events,
      properties: this.#judged.counts,
      ...(marks ? { marks: [...this.#reached].map(([name, runs]) => ({ name, runs })) } : {}),
      ...(unseen ? { unseen } : {}),
      failures: this.#failures,
    }
  }
}
