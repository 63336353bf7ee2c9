/** Whose term it is, by the clock of the database: a row for each kind of work. */

import type { Pool } from 'pg'
import { termMs, type Terms } from '../timing/term.ts'

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
