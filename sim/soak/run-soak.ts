/** Runs the seeds of a soak on all cores. */

import { missedCoverageMarks } from '../campaign/document.ts'
import { type Unseen, UnseenTotals } from '../campaign/unseen.ts'
import { firstFailure } from '../shrink/reproduce.ts'
import { agreesWithTheModel } from '../judge/agrees-with-the-model.ts'
import { storyOf } from '../judge/verdict.ts'
import { type SeedRange, SeedSet } from '../random/seeds.ts'
import { coverageMarkNames } from '../coverage-marks/index.ts'
import { runSeeds, type SeedWork } from '../campaign/run-campaign.ts'
import type { Kind, SoakRun } from './soak-seed.ts'

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

/** How often each name was counted. */
class Tally {
  readonly #counts = new Map<string, number>()

  add(name: string, more = 1): void {
    this.#counts.set(name, this.of(name) + more)
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  /** Sorted, so that the order of counting makes no difference. */
  get names(): string[] {
    return [...this.#counts.keys()].sort()
  }
}

const nothing: KindTotals = { seeds: 0, runs: 0, checks: 0, findings: 0 }

export class SoakTotals {
  readonly #ran = new SeedSet()
  readonly #kinds: Record<Kind, KindTotals> = {
    swarm: nothing,
    relations: nothing,
    exhaustive: nothing,
    defects: nothing,
  }
  readonly #checked = new Tally()
  readonly #reached = new Tally()
  readonly #planted = new Tally()
  readonly #found = new Tally()
  readonly #findings: SoakFinding[] = []
  readonly #unseen = new UnseenTotals()
  readonly #forks = { count: 0, commands: 0 }

  /** Adds the result of a seed. Returns its finding, or null if everything holds. */
  add(run: SoakRun): SoakFinding | null {
    const { seed, kind, runs, checks, marks, seen, forked, hunted } = run
    const finding = findingOf(run)
    const before = this.#kinds[kind]
    this.#ran.add(seed)
    this.#kinds[kind] = {
      seeds: before.seeds + 1,
      runs: before.runs + runs,
      checks: Object.values(checks).reduce((sum, checked) => sum + checked, before.checks),
      findings: before.findings + (finding ? 1 : 0),
    }
    for (const [name, checked] of Object.entries(checks)) this.#checked.add(name, checked)
    for (const name of marks) this.#reached.add(name)
    if (seen) this.#unseen.add(seed, seen)
    this.#forks.count += forked?.forks ?? 0
    this.#forks.commands += forked?.commands ?? 0
    if (hunted) this.#planted.add(hunted.defect)
    if (hunted?.isFound) this.#found.add(hunted.defect)
    if (finding) this.#findings.push(finding)
    return finding
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
      seeds: this.#ran.size,
      ran: this.#ran.ranges,
      kinds: { ...this.#kinds },
      properties: this.#checked.names.map((name) => ({ name, checked: this.#checked.of(name) })),
      marks: coverageMarkNames.map((name) => ({ name, runs: this.#reached.of(name) })),
      unseen: this.#unseen.result(),
      forks: { ...this.#forks },
      planted: this.#planted.names.map((defect) => ({
        defect,
        planted: this.#planted.of(defect),
        found: this.#found.of(defect),
      })),
      findings: this.#findings.toSorted((a, b) => a.seed - b.seed),
    }
  }
}

export type RunSoak = (soak: SeedWork<SoakRun>) => Promise<void>

export const runSoak: RunSoak = (soak) =>
  runSeeds<readonly number[], SoakRun[], SoakRun>(soak, {
    worker: { url: new URL('./soak-seed.js', import.meta.url), name: 'soakWorker' },
    // What has started is finished when the time is over, and a seed can take seconds.
    seedsPerTask: 1,
    taskOf: (seeds) => seeds,
    runsOf: (runs) => runs,
  })
