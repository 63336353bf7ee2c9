/** A role that needs a password, in a cluster that asks no other one for any. */

import type { PrivatePostgres } from '../private-postgres.ts'

/** Makes the role `locked`, whose password is `open-sesame`. */
export async function makeLockedRole(cluster: PrivatePostgres): Promise<void> {
  await cluster.query(`create role locked superuser login password 'open-sesame'`)
  await cluster.query(
    `do $$ begin execute format(
       'copy (values (''host all locked 127.0.0.1/32 scram-sha-256''), (''host all all 127.0.0.1/32 trust'')) to %L',
       current_setting('hba_file')); end $$`,
  )
  await cluster.query('select pg_reload_conf()')
}
