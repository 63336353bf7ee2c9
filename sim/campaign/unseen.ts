/** How much of the engine's behaviour the seeds have not seen, by what each of them showed. */

import { type Seen, type WatermarkName, watermarkNames } from '../coverage-marks/seen.ts'
import { count, several } from '../../server/terminal/text.ts'

type Growth = {
  readonly runs: number
  /** How many were known after so many runs. */
  readonly steps: number
  readonly states: number
}

export type Unseen = {
  readonly runs: number
  /** The chance that the next run shows a step, or a state, that none has shown. */
  readonly chance: { readonly steps: number; readonly states: number }
  /** After 1, 2, 4, 8 runs and so on, and after all of them. */
  readonly growth: readonly Growth[]
  /** The farthest that any run went, with the first seed that did. */
  readonly watermarks: readonly Watermark[]
}

type Watermark = { readonly name: WatermarkName; readonly most: number; readonly seed: number }

/** What belongs to one kind of signatures. */
class Signatures {
  /** The only run that showed a signature; null if several did. */
  readonly #owners = new Map<string, number | null>()
  /** How many signatures only this run showed. */
  readonly #own = new Map<number, number>()

  add(run: number, signatures: readonly string[]): void {
    for (const each of signatures) {
      const owner = this.#owners.get(each)
      this.#owners.set(each, owner === undefined ? run : null)
      if (owner === undefined) this.#change(run, 1)
      else if (owner !== null) this.#change(owner, -1)
    }
  }

  get known(): number {
    return this.#owners.size
  }

  /**
   * Good and Turing: the share of the runs that showed what no other did is about the chance that one more
   * run does.
   */
  chance(runs: number): number {
    return runs === 0 ? 1 : Math.round((1e4 * this.#own.size) / runs) / 1e4
  }

  #change(run: number, by: number): void {
    const own = (this.#own.get(run) ?? 0) + by
    if (own === 0) this.#own.delete(run)
    else this.#own.set(run, own)
  }
}

/** Add the runs in the order of their seeds. */
export class UnseenTotals {
  readonly #steps = new Signatures()
  readonly #states = new Signatures()
  readonly #growth: Growth[] = []
  readonly #most = new Map<WatermarkName, Watermark>()
  #runs = 0

  add(seed: number, { steps, states, watermarks }: Seen): void {
    this.#steps.add(this.#runs, steps)
    this.#states.add(this.#runs, states)
    this.#runs++
    if (Number.isInteger(Math.log2(this.#runs))) this.#growth.push(this.#now)
    for (const name of watermarkNames) {
      if (watermarks[name] <= (this.#most.get(name)?.most ?? 0)) continue
      this.#most.set(name, { name, most: watermarks[name], seed })
    }
  }

  get #now(): Growth {
    return { runs: this.#runs, steps: this.#steps.known, states: this.#states.known }
  }

  /** Whether the chance of a new step is below this, as far as so few runs can tell. */
  isQuiet(chance: number): boolean {
    return this.#runs * chance >= surely && this.#steps.chance(this.#runs) < chance
  }

  /** Null if no run was added. */
  result(): Unseen | null {
    if (this.#runs === 0) return null
    const isLast = this.#growth.at(-1)?.runs === this.#runs
    return {
      runs: this.#runs,
      chance: { steps: this.#steps.chance(this.#runs), states: this.#states.chance(this.#runs) },
      growth: isLast ? [...this.#growth] : [...this.#growth, this.#now],
      watermarks: [...this.#most.values()],
    }
  }
}

/** So many runs would have shown something new at that chance: fewer say nothing. */
const surely = 3

/** Returns the lines of a summary. */
export function unseenText(unseen: Unseen | null): string {
  const last = unseen?.growth.at(-1)
  if (!unseen || !last) return ''
  const { chance, growth, watermarks } = unseen
  const kinds = (['steps', 'states'] as const).map((kind) => {
    const before = growth
      .slice(-4, -1)
      .map((each) => `, ${count(each[kind])} after ${several(each.runs, 'run')}`)
    return `${kind.padEnd(17)}${several(last[kind], 'kind')} seen${before.join('')}; the next run shows a new one with chance ${chance[kind]}\n`
  })
  const most = watermarks.map(
    ({ name, most: found, seed }) => `${name} ${count(found)} (seed ${seed})`,
  )
  return `\n${kinds.join('')}farthest         ${most.length === 0 ? 'nothing' : most.join(', ')}\n`
}
