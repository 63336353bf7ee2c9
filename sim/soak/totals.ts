/** Adds up the results of seeds, which come in ascending order. */

import { UnseenTotals } from '../campaign/unseen.ts'
import { coverageMarkNames } from '../coverage-marks/index.ts'
import { SeedSet } from '../random/seeds.ts'
import type { Kind } from './kinds.ts'
import type { SoakRun } from './soak-seed.ts'
import {
  findingOf,
  summaryVersion,
  type KindTotals,
  type Planted,
  type SoakFinding,
  type SoakSummary,
} from './summary.ts'

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
