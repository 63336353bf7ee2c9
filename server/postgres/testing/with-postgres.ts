/** Tests against a real PostgreSQL, which is theirs alone. Without one they are left out, by name. */

import { afterAll, beforeAll, describe } from 'vitest'
import { type PostgresOptions, PrivatePostgres, isPostgresMissing } from './private-postgres.ts'

export type TestPostgres = {
  /** Makes an empty database, and returns its URL. */
  readonly database: () => Promise<string>
  /** It is there while a test runs. */
  readonly cluster: PrivatePostgres
}

export function withPostgres(
  tests: (postgres: TestPostgres) => void,
  options: PostgresOptions = {},
): void {
  describe.skipIf(isPostgresMissing())('with a PostgreSQL (apt-get install postgresql)', () => {
    let cluster: PrivatePostgres
    let databases = 0
    beforeAll(async () => {
      cluster = await PrivatePostgres.start(options)
    })
    afterAll(() => cluster.remove())
    tests({
      get cluster() {
        return cluster
      },
      database: () => cluster.database(`database${++databases}`),
    })
  })
}

/** Makes the role `locked` with the password `open-sesame`, in a cluster that asks no other role for one. */
export async function makeLockedRole(cluster: PrivatePostgres): Promise<void> {
  await cluster.query(`create role locked superuser login password 'open-sesame'`)
  await cluster.query(
    `do $$ begin execute format(
       'copy (values (''host all locked 127.0.0.1/32 scram-sha-256''), (''host all all 127.0.0.1/32 trust'')) to %L',
       current_setting('hba_file')); end $$`,
  )
  await cluster.query('select pg_reload_conf()')
}
