/** What a campaign keeps of its runs: figures, checks and failures, not the runs themselves. */

import type { SeedRun } from '../command-line/seed-run.ts'
import { Columns } from '../result/aggregate.ts'
import type { CampaignDocument, SeedFailures, SeedFigures } from './document.ts'
import { SeedSet } from './seeds.ts'

type Wish = {
  readonly scenario: string
  /** Marks that are to be counted, or null. */
  readonly marks: readonly string[] | null
  readonly replayOf: (seed: number) => string
}

/** Runs are added in the order of their seeds. */
export class CampaignTotals {
  readonly #wish: Wish
  readonly #seeds = new SeedSet()
  readonly #failures: SeedFailures[] = []
  readonly #columns = new Columns()
  readonly #checked = new Map<string, number>()
  readonly #met: Map<string, number>

  constructor(wish: Wish) {
    this.#wish = wish
    this.#met = new Map((wish.marks ?? []).map((name) => [name, 0]))
  }

  add({ seed, figures, failures, properties, marks }: SeedRun): void {
    this.#seeds.add(seed)
    this.#columns.add(figures)
    if (failures.length > 0) {
      this.#failures.push({ seed, failures, replay: this.#wish.replayOf(seed) })
    }
    for (const { name, checked } of properties) {
      this.#checked.set(name, (this.#checked.get(name) ?? 0) + checked)
    }
    for (const name of marks) this.#met.set(name, (this.#met.get(name) ?? 0) + 1)
  }

  /** What a number came to in every run that has it, by its dotted path. */
  valuesOf(path: string): readonly number[] {
    return this.#columns.valuesOf(path)
  }

  document(): CampaignDocument {
    const { scenario, marks } = this.#wish
    return {
      scenario,
      seeds: this.#seeds.size,
      ran: this.#seeds.text,
      aggregate: this.#columns.aggregates(),
      properties: [...this.#checked].map(([name, checked]) => ({ name, checked })),
      ...(marks ? { marks: [...this.#met].map(([name, runs]) => ({ name, runs })) } : {}),
      failures: this.#failures,
    }
  }
}

/** What a shard keeps of each run. */
export function seedFigures({ seed, traceHash, figures }: SeedRun): SeedFigures {
  return { seed, traceHash, figures }
}
