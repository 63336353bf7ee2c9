/**
 * The outbox of the webhooks in PostgreSQL. Whose term it is, by the clock of the database, is part of the one
 * row that every write changes. So a write and the end of the term cannot pass each other.
 */

import type { Pool } from 'pg'
import type { Endpoint } from '../webhooks/endpoints.ts'
import {
  termMs,
  type KeptLine,
  type KeptOutbox,
  type OutboxDatabase,
  type OutboxWrite,
  type Term,
} from '../webhooks/outbox-database.ts'
import type { OutboxLine } from '../webhooks/outbox-state.ts'
import { bigNumber, textOf, type Row } from './rows.ts'
import { readSharedEndpoints } from './shared-endpoints.ts'

const now = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** So many lines are read at once: a long outage of a receiver leaves many. */
const pageLines = 5_000

export class PostgresOutbox implements OutboxDatabase {
  readonly #pool: Pool

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async take(sender: string): Promise<Term | null> {
    // An end that is too far away is that of a clock that was ahead, before a failover.
    const [row] = await this.#ask(
      `update mergeyard.outbox set sender = $1, term = term + 1, until = ${now} + ${termMs}
       where until <= ${now} or until > ${now} + ${termMs} or sender = $1
       returning term, revision, sequence, chain, ${now} as now`,
      [sender],
    )
    if (row === undefined) return null
    return {
      sender,
      number: bigNumber(row['term']),
      now: bigNumber(row['now']),
      revision: bigNumber(row['revision']),
      position: positionIn(row),
    }
  }

  async write({ sender, number }: Term, write: OutboxWrite): Promise<boolean> {
    const { revision, position, lines, settled } = write
    const { sequence, chain } = position
    const [row] = await this.#ask(
      `with held as (
         update mergeyard.outbox set revision = revision + 1, sequence = $4, chain = $5,
           until = ${now} + ${termMs}
         where sender = $1 and term = $2 and revision = $3 and until > ${now}
           and ($4 = 0 or exists
             (select from mergeyard.entries e where e.sequence = $4 and e.chain = $5))
         returning revision),
       settled as (
         delete from mergeyard.outbox_lines
         where message = any($6::text[]) and exists (select from held)),
       added as (
         insert into mergeyard.outbox_lines (place, message, line)
         select given.place, given.message, given.line
         from unnest($7::bigint[], $8::text[], $9::text[]) as given (place, message, line)
         where exists (select from held))
       select count(*) as held from held`,
      [
        ...[sender, number, revision, sequence, chain, settled],
        lines.map(({ place }) => place),
        lines.map(({ message }) => message),
        lines.map(({ line }) => JSON.stringify(line)),
      ],
    )
    return bigNumber(row?.['held']) === 1
  }

  async giveBack({ sender, number }: Term): Promise<void> {
    await this.#ask(
      `update mergeyard.outbox set until = ${now} where sender = $1 and term = $2 and until > ${now}`,
      [sender, number],
    )
  }

  async read(): Promise<KeptOutbox> {
    const [row = {}] = await this.#ask('select origin, sequence, chain from mergeyard.outbox')
    const lines: KeptLine[] = []
    for (;;) {
      const page = await this.#ask(
        `select place, message, line from mergeyard.outbox_lines where place > $1
         order by place limit ${pageLines}`,
        [lines.at(-1)?.place ?? -1],
      )
      lines.push(...page.map(lineIn))
      if (page.length < pageLines) break
    }
    return { origin: textOf(row['origin']), position: positionIn(row), lines }
  }

  /** Of an outbox that was copied in: the next messages go on with its ids. */
  async setOrigin(origin: string): Promise<void> {
    await this.#ask('update mergeyard.outbox set origin = $1', [origin])
  }

  endpoints(): Promise<readonly Endpoint[]> {
    return readSharedEndpoints(this.#pool)
  }

  async #ask(statement: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const { rows } = await this.#pool.query<Row>(statement, [...values])
    return rows
  }
}

const positionIn = (row: Row): Term['position'] => ({
  sequence: bigNumber(row['sequence']),
  chain: textOf(row['chain']),
})

function lineIn(row: Row): KeptLine {
  const line: OutboxLine = JSON.parse(textOf(row['line']))
  const message = row['message'] === null ? null : textOf(row['message'])
  return { place: bigNumber(row['place']), message, line }
}
