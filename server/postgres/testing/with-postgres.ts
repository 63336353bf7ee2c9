/** Tests against a real PostgreSQL, which is theirs alone. Without one they are left out, by name. */

import { afterAll, beforeAll, describe } from 'vitest'
import { isPostgresMissing, PrivatePostgres, type PostgresOptions } from '../private-postgres.ts'

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
