/** Runs the seeds of a soak on all cores. */

import { missedCoverageMarks } from '../campaign/document.ts'
import { type Unseen, UnseenTotals } from '../campaign/unseen.ts'
import { firstFailure } from '../shrink/reproduce.ts'
import { agreesWithTheModel } from '../judge/agrees-with-the-model.ts'
import { storyOf } from '../judge/verdict.ts'
import { type SeedRange, SeedSet } from '../random/seeds.ts'
import { coverageMarkNames } from '../coverage-marks/index.ts'
import { overCores, type Spread } from '../campaign/over-cores.ts'
import { inParts } from '../campaign/run-campaign.ts'
import type { Kind, SoakRun } from './soak-seed.ts'
import type { SoakTask } from './soak-worker.ts'

// Adds up the results of seeds, which come in ascending order.

const summaryVersion = 5

/**
 * The result of a soak as JSON. It does not depend on the time that the soak took or on the number
 * of cores and machines, so the same seeds give the same bytes.
 */
export type SoakSummary = {
  /** The version of this format. */
  readonly soak: typeof summaryVersion
  readonly seeds: number
  /** The seeds as ranges, in ascending order. Adjacent ranges are joined. */
  readonly ran: readonly SeedRange[]
  readonly kinds: Readonly<Record<Kind, KindTotals>>
  /** The number of checks of each property, sorted by name. */
  readonly properties: readonly { readonly name: string; readonly checked: number }[]
  /** The number of swarm runs that reached each coverage mark. */
  readonly marks: readonly { readonly name: string; readonly runs: number }[]
  /** How much the runs of the swarm have not seen; null without such a run. */
  readonly unseen: Unseen | null
  /** How many forks the runs of the swarm had, and how many commands these had. */
  readonly forks: { readonly count: number; readonly commands: number }
  /** The planted defects, sorted by name. */
  readonly planted: readonly Planted[]
  /** The findings, sorted by seed. */
  readonly findings: readonly SoakFinding[]
}

type KindTotals = {
  readonly seeds: number
  readonly runs: number
  readonly checks: number
  readonly findings: number
}

type Planted = {
  readonly defect: string
  /** How often the defect was planted, and how often a property detected it. */
  readonly planted: number
  readonly found: number
}

/** A seed that failed or in which no property detected the planted defect. */
type SoakFinding = {
  readonly seed: number
  readonly kind: Kind
  /** The name of the first failure, or of the defect. */
  readonly name: string
  readonly story: string
  /** The command that reproduces the finding. */
  readonly replay: string
}

function findingOf(run: SoakRun): SoakFinding | null {
  const { seed, kind, failed, forked, hunted } = run
  const replay = `npm run soak -- --seed ${seed}`
  if (hunted && !hunted.isFound) {
    const { defect, runs } = hunted
    const story = `No property detected the planted defect ${defect} in ${runs} runs.`
    return { seed, kind, name: defect, story, replay }
  }
  const failure = failed ? (firstFailure(failed.failures) ?? failed.failures[0]) : undefined
  if (failure) return { seed, kind, name: failure.name, story: storyOf(failure), replay }
  const story = forked?.found ?? null
  const { name } = agreesWithTheModel
  return story === null ? null : { seed, kind, name, story, replay }
}

/** Returns the marks that no run reached; empty if there were too few swarm runs to expect all. */
export function missedMarks({ kinds, marks }: SoakSummary): string[] {
  return missedCoverageMarks({ seeds: kinds.swarm.seeds, marks })
}

/** Returns whether the soak has no findings, and reached the coverage marks that are expected. */
export function holds(summary: SoakSummary): boolean {
  return summary.findings.length === 0 && missedMarks(summary).length === 0
}

type Counts = Map<string, number>

export class SoakTotals {
  readonly #ran = new SeedSet()
  readonly #kinds = new Map<Kind, KindTotals>()
  readonly #checked: Counts = new Map()
  readonly #reached: Counts = new Map()
  readonly #planted: Counts = new Map()
  readonly #found: Counts = new Map()
  readonly #findings: SoakFinding[] = []
  readonly #unseen = new UnseenTotals()
  #forks: SoakSummary['forks'] = { count: 0, commands: 0 }

  /** Adds the result of a seed. Returns its finding, or null if everything holds. */
  add(run: SoakRun): SoakFinding | null {
    const { seed, kind, runs, checks, marks, seen, forked, hunted } = run
    const finding = findingOf(run)
    this.#ran.add(seed)
    for (const [name, checked] of Object.entries(checks)) count(this.#checked, name, checked)
    for (const name of marks) count(this.#reached, name, 1)
    if (seen) this.#unseen.add(seed, seen)
    if (forked) {
      const { count: forks, commands } = this.#forks
      this.#forks = { count: forks + forked.forks, commands: commands + forked.commands }
    }
    if (hunted) {
      count(this.#planted, hunted.defect, 1)
      count(this.#found, hunted.defect, hunted.isFound ? 1 : 0)
    }
    if (finding) this.#findings.push(finding)
    this.#addKind(kind, {
      seeds: 1,
      runs,
      checks: Object.values(checks).reduce((sum, checked) => sum + checked, 0),
      findings: finding ? 1 : 0,
    })
    return finding
  }

  get seeds(): number {
    return this.#ran.size
  }

  get findings(): number {
    return this.#findings.length
  }

  /** Whether the chance that the next run of the swarm shows a new step is below this. */
  isQuiet(chance: number): boolean {
    return this.#unseen.isQuiet(chance)
  }

  summary(): SoakSummary {
    return {
      soak: summaryVersion,
      seeds: this.seeds,
      ran: this.#ran.ranges,
      kinds: {
        swarm: this.#kindOf('swarm'),
        relations: this.#kindOf('relations'),
        exhaustive: this.#kindOf('exhaustive'),
        defects: this.#kindOf('defects'),
      },
      properties: sortedByName(this.#checked).map(([name, checked]) => ({ name, checked })),
      marks: coverageMarkNames.map((name) => ({ name, runs: this.#reached.get(name) ?? 0 })),
      unseen: this.#unseen.result(),
      forks: this.#forks,
      planted: sortedByName(this.#planted).map(([defect, planted]): Planted => {
        return { defect, planted, found: this.#found.get(defect) ?? 0 }
      }),
      findings: [...this.#findings].sort((a, b) => a.seed - b.seed),
    }
  }

  #kindOf(kind: Kind): KindTotals {
    return this.#kinds.get(kind) ?? { seeds: 0, runs: 0, checks: 0, findings: 0 }
  }

  #addKind(kind: Kind, more: KindTotals): void {
    const { seeds, runs, checks, findings } = this.#kindOf(kind)
    this.#kinds.set(kind, {
      seeds: seeds + more.seeds,
      runs: runs + more.runs,
      checks: checks + more.checks,
      findings: findings + more.findings,
    })
  }
}

function count(counts: Counts, name: string, more: number): void {
  counts.set(name, (counts.get(name) ?? 0) + more)
}

/** Sorts by name, so that the order of counting makes no difference. */
function sortedByName(counts: Counts): [string, number][] {
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
}

type Soak = {
  /** The seeds, taken one by one as cores become free. They may be endless. */
  readonly seeds: Iterable<number>
  /** Called with every run, in the order of the seeds. */
  readonly onRun: (run: SoakRun) => void
  /** When aborted, no seed starts any more; started seeds finish. */
  readonly enough?: AbortSignal | undefined
  /** When aborted, the soak stops at once. Finished runs are still reported. */
  readonly signal?: AbortSignal | undefined
  /** Where the seeds run; the cores of this machine by default. */
  readonly spread?: Spread
}

export type RunSoak = (soak: Soak) => Promise<void>

/** Several seeds per task, because a message to a worker for each seed costs too much. */
const seedsPerTask = 10

/** Runs the seeds until none is left or a signal is aborted. Throws the errors of workers. */
export async function runSoak(soak: Soak): Promise<void> {
  const { seeds, onRun, enough, signal, spread = overCores } = soak
  await spread<SoakTask, SoakRun[]>({
    worker: { url: new URL('./soak-worker.js', import.meta.url), name: 'soakWorker' },
    tasks: inParts(seeds, seedsPerTask),
    onAnswer: (runs) => {
      for (const run of runs) onRun(run)
    },
    isEnough: () => enough?.aborted === true,
    signal,
  })
}
