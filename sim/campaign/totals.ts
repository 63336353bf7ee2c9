/** Accumulates the figures, checks and failures of a campaign. It does not keep the runs. */

import type { SeedRun } from '../judge/seed-run.ts'
import { Columns } from '../result/aggregate.ts'
import type { CampaignDocument, SeedFailures } from './document.ts'
import { JudgedTotals } from './judged-totals.ts'
import { SeedSet } from '../random/seeds.ts'
import { UnseenTotals } from './unseen.ts'

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
