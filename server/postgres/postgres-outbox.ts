/**
 * The outbox of the webhooks in PostgreSQL. Every write locks the row that says whose term it is, by the clock
 * of the database. So a write and the end of the term cannot pass each other.
 */

import type { Pool } from 'pg'
import { type Endpoint, endpointsIn } from '../webhooks/message.ts'
import type {
  KeptLine,
  KeptOutbox,
  OutboxDatabase,
  OutboxWrite,
  Position,
} from '../webhooks/outbox-database.ts'
import type { OutboxLine } from '../webhooks/outbox.ts'
import { type Row, bigNumber, textOf, readSetting, type SharedSetting } from './shared-setting.ts'

/** The term of the sender. */
export const webhooksTerm = 'webhooks'

const now = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** So many lines are read at once: a long outage of a receiver leaves many. */
const pageLines = 5_000

export class PostgresOutbox implements OutboxDatabase {
  readonly #pool: Pool

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async write(sender: string, write: OutboxWrite): Promise<boolean> {
    const { revision, position, lines, settled } = write
    const { sequence, chain } = position
    const [row] = await this.#ask(
      `with held as materialized (
         select from mergeyard.terms where name = '${webhooksTerm}' and server = $1 and until > ${now}
         for update),
       moved as (
         update mergeyard.outbox set revision = revision + 1, sequence = $3, chain = $4
         where revision = $2 and exists (select from held)
           and ($3 = 0 or exists
             (select from mergeyard.entries e where e.sequence = $3 and e.chain = $4))
         returning revision),
       settled as (
         delete from mergeyard.outbox_lines
         where message = any($5::text[]) and exists (select from moved)),
       added as (
         insert into mergeyard.outbox_lines (place, message, line)
         select given.place, given.message, given.line
         from unnest($6::bigint[], $7::text[], $8::text[]) as given (place, message, line)
         where exists (select from moved))
       select count(*) as moved from moved`,
      [
        ...[sender, revision, sequence, chain, settled],
        lines.map(({ place }) => place),
        lines.map(({ message }) => message),
        lines.map(({ line }) => JSON.stringify(line)),
      ],
    )
    return bigNumber(row?.['moved']) === 1
  }

  async read(): Promise<KeptOutbox> {
    const [row = {}] = await this.#ask(
      `select origin, revision, sequence, chain, ${now} as now from mergeyard.outbox`,
    )
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
    return {
      now: bigNumber(row['now']),
      origin: textOf(row['origin']),
      revision: bigNumber(row['revision']),
      position: positionIn(row),
      lines,
    }
  }

  /** Of an outbox that was copied in: the next messages go on with its ids. */
  async setOrigin(origin: string): Promise<void> {
    await this.#ask('update mergeyard.outbox set origin = $1', [origin])
  }

  endpoints(): Promise<readonly Endpoint[]> {
    return readSetting(this.#pool, sharedEndpoints)
  }

  async #ask(statement: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const { rows } = await this.#pool.query<Row>(statement, [...values])
    return rows
  }
}

const positionIn = (row: Row): Position => ({
  sequence: bigNumber(row['sequence']),
  chain: textOf(row['chain']),
})

function lineIn(row: Row): KeptLine {
  const line: OutboxLine = JSON.parse(textOf(row['line']))
  const message = row['message'] === null ? null : textOf(row['message'])
  return { place: bigNumber(row['place']), message, line }
}

/** The endpoints of webhooks that several servers share: the list of the webhooks file, in the database. */
export const sharedEndpoints: SharedSetting<Endpoint> = {
  name: 'webhooks',
  itemsIn: (found) => endpointsIn(found, 'the list in the store'),
}
