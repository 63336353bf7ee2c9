/**
 * The shared log in PostgreSQL. A turn is two messages and a read is one, because every message is a round
 * trip during which nobody else appends. Everything is within one transaction, so a pooler that hands out
 * connections by transaction may stand between.
 */

import { escapeLiteral, type Pool, type PoolClient, type QueryResult } from 'pg'
import { errorOf } from '../terminal/text.ts'
import { bigNumber, numberOrNull, textOf, type Row } from './shared-setting.ts'
import type { Head, Line, LogDatabase, SavedState, Tail, Turn } from '../replica/log-database.ts'

/** Longer than any turn takes that is not stuck. Both are told to PostgreSQL, which keeps to its own clock. */
const lockTimeoutMs = 2_000
const idleTimeoutMs = 1_000

const firstChain = "''"

/** What a message answers: an array if it has several statements. */
type OneOrMore = QueryResult<Row> | readonly QueryResult<Row>[]

const rowsOf = (answered: OneOrMore): readonly Row[][] =>
  ('rows' in answered ? [answered] : answered).map(({ rows }) => rows)

export class PostgresLog implements LogDatabase {
  readonly #pool: Pool
  readonly #pageLines: number
  /** How many messages were sent, each of which is a round trip. */
  messages = 0

  /** `pageLines`: so many lines are read or written by one message, whose answer must come in time. */
  constructor(pool: Pool, pageLines = 10_000) {
    this.#pool = pool
    this.#pageLines = pageLines
  }

  async begin(after: number): Promise<Turn> {
    const client = await this.#pool.connect()
    let isOpen = true
    const end = (error?: Error): void => {
      if (isOpen) client.release(error)
      isOpen = false
    }
    try {
      const results = await this.#send(
        client,
        `begin;
         set local lock_timeout = ${lockTimeoutMs};
         set local idle_in_transaction_session_timeout = ${idleTimeoutMs};
         select 1 from mergeyard.head for update;
         ${tailAfter(after)}`,
      )
      return {
        tail: tailIn(results.slice(-2)),
        commit: async (lines, head) => {
          try {
            await this.#send(client, `${insertOf(lines)}; ${moveTo(head)}; commit`)
            end()
          } catch (error) {
            end(errorOf(error))
            throw error
          }
        },
        rollBack: async () => {
          if (isOpen)
            await this.#send(client, 'rollback').then(
              () => end(),
              (error: unknown) => end(errorOf(error)),
            )
        },
      }
    } catch (error) {
      end(errorOf(error))
      throw error
    }
  }

  async readTail(after: number): Promise<Tail> {
    return this.#once(async (client) => {
      // One snapshot for the head and what leads to it.
      const begin = 'begin isolation level repeatable read read only'
      const first = `${tailAfter(after)} limit ${this.#pageLines}`
      const answered = await this.#send(client, `${begin}; ${first}; commit`)
      const [heads = [], lines = []] = answered.slice(-3)
      const upTo = bigNumber(heads[0]?.['sequence'])
      // What is committed does not change, so later pages need no part of that snapshot.
      await this.#addPages(client, lines, () =>
        linesAfter(bigNumber(lines.at(-1)?.['sequence']), upTo),
      )
      return tailIn([heads, lines])
    })
  }

  /** The text of the first line; null: there is none. */
  async firstText(): Promise<string | null> {
    return this.#once(async (client) => {
      const query = 'select entry from mergeyard.entries order by sequence limit 1'
      const [[row] = []] = await this.#send(client, query)
      return row === undefined ? null : textOf(row['entry'])
    })
  }

  async savedState(upTo = Number.MAX_SAFE_INTEGER): Promise<SavedState | null> {
    return this.#once(async (client) => {
      const fitting = `mergeyard.states s
        join mergeyard.entries e on e.sequence = s.sequence and e.chain = s.chain
        where s.sequence <= ${upTo}`
      // One snapshot, because a newer state that is saved meanwhile takes the place of this one.
      const [, [state] = [], rows = []] = await this.#send(
        client,
        `begin isolation level repeatable read read only;
         select s.sequence, s.at, s.chain, s.engine from ${fitting} order by s.sequence desc limit 1;
         ${linesOfState(`(select max(s.sequence) from ${fitting})`, 0)} limit ${this.#pageLines}`,
      )
      const sequence = numberOrNull(state?.['sequence'] ?? null)
      await this.#addPages(client, rows, () => linesOfState(sequence, rows.length))
      await this.#send(client, 'commit')
      if (state === undefined || sequence === null) return null
      return {
        sequence,
        at: bigNumber(state['at']),
        chain: textOf(state['chain']),
        engine: bigNumber(state['engine']),
        lines: rows.map(({ line }) => textOf(line)),
      }
    })
  }

  async saveState({ sequence, at, chain, engine, lines }: SavedState): Promise<void> {
    await this.#once(async (client) => {
      // Two servers can save the same state: the second has nothing to do.
      const [, [isNew] = []] = await this.#send(
        client,
        `begin;
         insert into mergeyard.states (sequence, at, chain, engine)
           values (${sequence}, ${at}, ${escapeLiteral(chain)}, ${engine})
           on conflict do nothing returning sequence`,
      )
      const unsaved = isNew ? lines : []
      for (let from = 0; from < unsaved.length; from += this.#pageLines) {
        // One text, because the driver takes ten times as long for a list.
        const page = unsaved.slice(from, from + this.#pageLines).join('\n')
        this.messages++
        await client.query(
          `insert into mergeyard.state_lines (sequence, place, line)
             select $1, $2 + given.place, given.line
             from unnest(string_to_array($3, E'\\n')) with ordinality as given (line, place)`,
          [sequence, from, page],
        )
      }
      await this.#send(
        client,
        // The state with which a copied log begins is never deleted.
        `delete from mergeyard.states where sequence >
             (select coalesce(min(sequence), 0) from mergeyard.entries)
           and sequence <
             (select sequence from mergeyard.states order by sequence desc offset 1 limit 1)
           -- A sender begins with this one.
           and sequence <> (select coalesce(max(s.sequence), 0) from mergeyard.states s
             where s.sequence <= (select o.sequence from mergeyard.outbox o));
         commit`,
      )
    })
  }

  /** Adds what follows a full page, page by page. */
  async #addPages(client: PoolClient, rows: Row[], next: () => string): Promise<void> {
    for (let added = rows.length; added === this.#pageLines;) {
      const [page = []] = await this.#send(client, `${next()} limit ${this.#pageLines}`)
      for (const row of page) rows.push(row)
      added = page.length
    }
  }

  async #once<T>(use: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect()
    try {
      const result = await use(client)
      client.release()
      return result
    } catch (error) {
      client.release(errorOf(error))
      throw error
    }
  }

  /** Sends several statements as one message. If one fails, none after it runs. */
  async #send(client: PoolClient, statements: string): Promise<readonly Row[][]> {
    this.messages++
    return rowsOf(await client.query<Row>(statements))
  }
}

/** What follows the entry, and the time at which it is read: after the lock is held, in a turn. */
const tailAfter = (after: number): string =>
  `select sequence, at, chain, engine, wake_at, epoch,
     floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now, pg_is_in_recovery() as is_replica,
     ${after === 0 ? firstChain : `(select chain from mergeyard.entries where sequence = ${after})`} as chain_before
   from mergeyard.head;
   ${linesAfter(after)}`

const linesAfter = (after: number, upTo = Number.MAX_SAFE_INTEGER): string =>
  `select sequence, entry, chain from mergeyard.entries
   where sequence > ${after} and sequence <= ${upTo} order by sequence`

const linesOfState = (sequence: number | string | null, after: number): string =>
  `select line from mergeyard.state_lines where sequence = ${sequence} and place > ${after} order by place`

function tailIn(results: readonly Row[][]): Tail {
  const [heads = [], lines = []] = results
  const [head] = heads
  if (head === undefined) throw new Error('the head of the log is missing')
  // Behind the same address there can be another one since: what it shows may not be all that was acknowledged.
  if (head['is_replica'] === true) throw new Error('the PostgreSQL of the store is a replica now')
  const chainBefore = head['chain_before']
  return {
    now: bigNumber(head['now']),
    epoch: textOf(head['epoch']),
    head: {
      sequence: bigNumber(head['sequence']),
      at: bigNumber(head['at']),
      chain: textOf(head['chain']),
      engine: bigNumber(head['engine']),
      wakeAt: numberOrNull(head['wake_at']),
    },
    chainBefore: chainBefore === null ? null : textOf(chainBefore),
    lines: lines.map(lineIn),
  }
}

const lineIn = (row: Row): Line => ({
  sequence: bigNumber(row['sequence']),
  text: textOf(row['entry']),
  chain: textOf(row['chain']),
})

/** The key refuses a second entry of one number, also if the lock should fail. */
function insertOf(lines: readonly Line[]): string {
  const rows = lines.map(
    ({ sequence, text, chain }) => `(${sequence}, ${escapeLiteral(text)}, ${escapeLiteral(chain)})`,
  )
  return `insert into mergeyard.entries (sequence, entry, chain) values ${rows.join(', ')}`
}

const moveTo = ({ sequence, at, chain, engine, wakeAt }: Head): string =>
  `update mergeyard.head set sequence = ${sequence}, at = ${at}, chain = ${escapeLiteral(chain)},
     engine = ${engine}, wake_at = ${wakeAt ?? 'null'}`
