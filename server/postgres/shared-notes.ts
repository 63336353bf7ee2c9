/** What a code host must know of a queue after a restart, for whichever server works on it next. */

import type { Pool } from 'pg'
import type { Notes } from '../hosting/forge.ts'
import { textOf, type Row } from './rows.ts'

/** Reads the notes of a queue. They are written only while the server has the term of this name. */
export async function sharedNotes(
  pool: Pool,
  queue: string,
  { term, server }: { readonly term: string; readonly server: string },
): Promise<Notes> {
  const name = `notes ${queue}`
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
         select $1, $2 where exists (select from mergeyard.terms where name = $3 and server = $4
           and until > floor(extract(epoch from clock_timestamp()) * 1000))
         on conflict (name) do update set content = excluded.content`,
        [name, text, term, server],
      )
    },
  }
}
