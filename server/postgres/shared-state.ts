/** The sessions of the live page, which all servers share: any of them answers everybody who has signed in. */

import type { Pool } from 'pg'
import { sessionsIn, type KeptSessions, type Session } from '../page/sessions.ts'
import {
  changeSetting,
  readSetting,
  type SharedSetting,
  textOf,
  type Row,
} from './shared-setting.ts'
import type { QueueIds } from '../identity/ids.ts'
import { termMs, type Terms } from '../timing/term-keeper.ts'
import type { Notes, NotesKind } from '../files/notes.ts'

/** A sign-out on another server counts after so long at most. */
const everyMs = 1_000

const setting: SharedSetting<Session> = {
  name: 'sessions',
  // Who is signed in with something else signs in again.
  itemsIn: (found) => sessionsIn(found) ?? [],
}

export function sharedSessions(pool: Pool): KeptSessions {
  let sessions: readonly Session[] = []
  /** How often this server has changed them: what was read before that is too old. */
  let changes = 0
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  const read = async (): Promise<void> => {
    const before = changes
    const found = await readSetting(pool, setting)
    if (before === changes) sessions = found
  }
  const refresh = (): Promise<void> => {
    // A read that is under way can have begun before the session. Strangers who invent cookies share the next one.
    next ??= last.then(() => {
      next = null
      // Without the database nothing is answered, so those who are known can stay.
      last = read().catch(() => undefined)
      return last
    })
    return next
  }
  const timer = setInterval(() => void refresh(), everyMs).unref()
  return {
    known: () => sessions,
    change: async (edit) => {
      let changed: readonly Session[] = []
      await changeSetting(pool, setting, (kept) => {
        changed = edit(kept)
        return changed
      })
      changes++
      sessions = changed
    },
    refresh,
    close: () => {
      clearInterval(timer)
      return Promise.resolve()
    },
  }
}

// Whose term it is, by the clock of the database: a row for each kind of work.

const now = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** The terms of this name; the work of another name has terms of its own. */
export function sharedTerms(pool: Pool, name: string): Terms {
  return {
    async take(server) {
      // An end that is too far away is that of a clock that was ahead, before a failover.
      const { rowCount } = await pool.query(
        `insert into mergeyard.terms as kept (name, server, until) values ($1, $2, ${now} + ${termMs})
         on conflict (name) do update set server = excluded.server, until = ${now} + ${termMs}
         where kept.server = $2 or kept.until <= ${now} or kept.until > ${now} + ${termMs}`,
        [name, server],
      )
      return rowCount === 1
    },
    async giveBack(server) {
      await pool.query(`update mergeyard.terms set until = 0 where name = $1 and server = $2`, [
        name,
        server,
      ])
    },
  }
}

// What a code host must know of a queue after a restart, for whichever server works on it next.

/** The term of the one server that works on the repositories. */
export const hostsTerm = 'hosts'

const hasTerm = (name: string, server: string): string =>
  `exists (select from mergeyard.terms where name = ${name} and server = ${server} and until > ${now})`

export type NotesOf = {
  readonly queue: { readonly name: string; readonly ids: Pick<QueueIds, 'start'> }
  readonly kind: NotesKind
}

/** Reads the notes of a queue. They are written only while the server works on the repositories. */
export async function sharedNotes(
  pool: Pool,
  { queue, kind }: NotesOf,
  server: string,
): Promise<Notes> {
  const name = `notes ${kind} ${queue.ids.start}`
  // Older versions wrote them by the name of the queue. Only a server that works there knows of which kind they are.
  await pool.query(
    `update mergeyard.settings set name = $1 where name = $2 and ${hasTerm('$3', '$4')}
     and not exists (select from mergeyard.settings where name = $1)`,
    [name, `notes ${queue.name}`, hostsTerm, server],
  )
  const { rows } = await pool.query<Row>('select content from mergeyard.settings where name = $1', [
    name,
  ])
  const [row] = rows
  const found = row === undefined ? null : textOf(row['content'])
  return {
    read: () => found,
    write: async (text) => {
      await pool.query(
        `insert into mergeyard.settings (name, content)
         select $1, $2 where ${hasTerm('$3', '$4')}
         on conflict (name) do update set content = excluded.content`,
        [name, text, hostsTerm, server],
      )
    },
  }
}
