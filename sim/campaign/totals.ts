/** What a campaign keeps of its runs: figures, checks and failures, not the runs themselves. */

import type { SeedRun } from '../command-line/seed-run.ts'
import type { Failure } from '../command-line/verdict.ts'
import { Columns, type Aggregate } from '../result/aggregate.ts'
import { SeedSet } from './seeds.ts'

export type SeedFailures = { readonly seed: number; readonly failures: readonly Failure[] }

/** Runs are added in the order of their seeds. */
export class CampaignTotals {
  readonly seeds = new SeedSet()
  readonly failing: SeedFailures[] = []
  readonly #columns = new Columns()
  readonly #checked = new Map<string, number>()

  add({ seed, figures, failures, properties }: SeedRun): void {
    this.seeds.add(seed)
    this.#columns.add(figures)
    if (failures.length > 0) this.failing.push({ seed, failures })
    for (const { name, checked } of properties) {
      this.#checked.set(name, (this.#checked.get(name) ?? 0) + checked)
    }
  }

  aggregates(): Record<string, Aggregate> {
    return this.#columns.aggregates()
  }

  /** How often each property was checked. */
  get checked(): ReadonlyMap<string, number> {
    return this.#checked
  }

  get checks(): number {
    return [...this.#checked.values()].reduce((sum, checked) => sum + checked, 0)
  }
}
