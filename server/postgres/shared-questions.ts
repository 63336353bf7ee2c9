/**
 * What a server asks the one that works on the repositories: a row of the database, which waits for its
 * answer. A server that asks needs to know no other, and the question is still there if another server goes on.
 */

import type { Pool } from 'pg'
import type { Millis } from '../../engine/index.ts'
import type { Timers } from '../timing/timers.ts'
import { textOf, type Row } from './shared-setting.ts'

export type QuestionsPorts = {
  readonly pool: Pick<Pool, 'query'>
  readonly timers: Timers
  /** Names this process. */
  readonly server: string
  /** True while this server has to answer. */
  readonly isWorking: () => boolean
  /** If it rejects, somebody else may answer, or this server later. */
  readonly answer: (question: string) => Promise<string>
}

type Waiting = {
  readonly endsAt: Millis
  readonly settle: (answer: string | null) => void
}

/** Questions, and their answers, are seen so late at most. */
const everyMs: Millis = 200
/** Longer than another server needs to go on for one that has died. */
const patienceMs: Millis = 10_000

export class Questions {
  readonly #ports: QuestionsPorts
  /** Those who have asked here, by the place of their question. */
  readonly #waiting = new Map<string, Waiting>()
  #step: Promise<void> = Promise.resolve()
  #cancel = (): void => undefined
  #isStopped = false

  constructor(ports: QuestionsPorts) {
    this.#ports = ports
  }

  /** The answer of the server that works; null if none came in time. Rejects without a database. */
  async ask(question: string): Promise<string | null> {
    const { pool, timers } = this.#ports
    const { rows } = await pool.query<Row>(
      'insert into mergeyard.questions (question) values ($1) returning place',
      [question],
    )
    const place = textOf(rows[0]?.['place'])
    const endsAt = timers.now() + patienceMs
    return new Promise((settle) => {
      if (this.#isStopped) settle(null)
      else this.#waiting.set(place, { endsAt, settle })
    })
  }

  start(): void {
    this.#cancel = this.#ports.timers.after(everyMs, () => {
      // If the database cannot be reached, the next time tries again.
      this.#step = Promise.all([this.#take(), this.#collect()])
        .catch(() => undefined)
        .then(() => (this.#isStopped ? undefined : this.start()))
    })
  }

  /** Settles when nothing is read or collected any more. Who waits here gets no answer. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel()
    for (const { settle } of this.#waiting.values()) settle(null)
    this.#waiting.clear()
    await this.#step
  }

  /** Takes what nobody has answered, also from a server that worked before this one. */
  async #take(): Promise<void> {
    const { pool, server, isWorking } = this.#ports
    if (!isWorking()) return
    const { rows } = await pool.query<Row>(
      `with forgotten as (
         delete from mergeyard.questions where asked_at < clock_timestamp() - interval '1 minute')
       update mergeyard.questions set worker = $1
       where answer is null and worker <> $1
         and asked_at >= clock_timestamp() - interval '1 minute'
       returning place, question`,
      [server],
    )
    for (const row of rows) {
      const [place, question] = [textOf(row['place']), textOf(row['question'])]
      this.#answer(place, question).catch(() => undefined)
    }
  }

  /** Another server may have taken the question: then its answer counts. */
  async #answer(place: string, question: string): Promise<void> {
    const { pool, server } = this.#ports
    const answer = await this.#ports.answer(question).catch(() => null)
    const values = [place, server, answer, answer === null ? '' : server]
    await pool.query(
      'update mergeyard.questions set answer = $3, worker = $4 where place = $1 and worker = $2',
      values,
    )
  }

  async #collect(): Promise<void> {
    if (this.#waiting.size === 0) return
    const { pool, timers } = this.#ports
    const now = timers.now()
    const places = [...this.#waiting.keys()]
    const over = places.filter((place) => (this.#waiting.get(place)?.endsAt ?? now) <= now)
    try {
      const { rows } = await pool.query<Row>(
        `delete from mergeyard.questions
         where place = any($1::bigint[]) and (answer is not null or place = any($2::bigint[]))
         returning place, answer`,
        [places, over],
      )
      for (const { place, answer } of rows)
        this.#settle(textOf(place), answer === null ? null : textOf(answer))
    } finally {
      for (const place of over) this.#settle(place, null)
    }
  }

  #settle(place: string, answer: string | null): void {
    this.#waiting.get(place)?.settle(answer)
    this.#waiting.delete(place)
  }
}
