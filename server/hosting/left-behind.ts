/**
 * Branches below `queue/` that were there before their queue began to listen: a data folder was lost, or is new. Nobody
 * knows what became of them, so none of them asks to merge until it holds another commit.
 */

import type { Logger } from 'pino'
import type { Oid } from '../git/git.ts'
import type { Notes } from './forge.ts'
import type { Sight } from './sight.ts'

type Heads = ReadonlyMap<string, Oid>

export class LeftBehind {
  readonly #notes: Notes
  #heads: Heads | null = null

  constructor(notes: Notes) {
    this.#notes = notes
  }

  /** Call it at the first look of a queue, before the queue knows of the look. */
  async note(wishes: Heads, queue: string, logger: Logger): Promise<void> {
    if (wishes.size === 0) return
    await this.#keep(wishes)
    const branches = [...wishes.keys()].map((ref) => ref.slice('refs/heads/'.length))
    const words =
      'these branches were there before this queue began to listen, which is no request: push a commit to each that is to merge, or submit it by its name'
    logger.warn({ queue, branches }, words)
  }

  /** Drops those that hold another commit now, or are gone. */
  async look({ heads }: Sight): Promise<void> {
    const known = this.#known()
    const still = [...known].filter(([ref, head]) => heads.get(ref) === head)
    if (still.length < known.size) await this.#keep(new Map(still))
  }

  has(ref: string): boolean {
    return this.#known().has(ref)
  }

  #known(): Heads {
    this.#heads ??= new Map(Object.entries(headsIn(this.#notes.read())))
    return this.#heads
  }

  async #keep(heads: Heads): Promise<void> {
    this.#heads = heads
    await this.#notes.write(`${JSON.stringify({ heads: Object.fromEntries(heads) })}\n`)
  }
}

function headsIn(text: string | null): Readonly<Record<string, Oid>> {
  try {
    const kept: Partial<{ readonly heads: Readonly<Record<string, Oid>> }> = JSON.parse(
      text ?? '{}',
    )
    return kept.heads ?? {}
  } catch {
    return {}
  }
}
