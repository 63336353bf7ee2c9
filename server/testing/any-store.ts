/**
 * A server in tests whose store does not matter: with a data folder, or, in the project `shared` of
 * vitest.config.ts, on a PostgreSQL. So the same stories of the API are told about both.
 */

import { pino } from 'pino'
import { Client as Database } from 'pg'
import { inject } from 'vitest'
import { makeToken, type TokenLimits } from '../auth/tokens.ts'
import type { Scope } from '../contract/openapi.ts'
import { requestTimeouts } from '../http/limits.ts'
import { connect } from '../postgres/connect.ts'
import { changeSetting } from '../postgres/shared-setting.ts'
import { sharedTokens } from '../postgres/shared-tokens.ts'
import { startSharedServer, type SharedServer, type SharedServerOptions } from '../shared-server.ts'
import { Client, Contract } from './client.ts'
import * as folder from './test-server.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL of the project `shared`: its address without the name of a database. */
    readonly sharedStore?: string
  }
}

/** Of a story in which the store decides nothing: it is told with a data folder, and in the matrix on a PostgreSQL. */
export const onOneStore = { tags: inject('sharedStore') === undefined ? [] : ['matrix'] }

/** What servers with either store have in common. */
export type TestServer = SharedServer & {
  readonly client: Client
  /** Its data folder, or a name that stands for its database. Another start with it continues. */
  readonly data: string
  readonly log: readonly string[]
}

export type TestServerOptions = Partial<Omit<SharedServerOptions, 'store'>> & {
  readonly contract?: Contract
}

/** Starts a server; the caller must stop it. */
export async function start(data: string, options: TestServerOptions = {}): Promise<TestServer> {
  const cluster = inject('sharedStore')
  return cluster === undefined
    ? folder.start(data, options)
    : startShared(await databaseOf(cluster, data), data, options)
}

/** Starts a server with a store of its own, which stops when the test ends. */
export async function started(options: TestServerOptions = {}): Promise<TestServer> {
  return folder.endingWithTest(await start(temporaryFolder(), options))
}

/** The same with the queue `main` of these settings. */
export async function startedWith(
  settings: object = {},
  options: TestServerOptions = {},
): Promise<TestServer> {
  return folder.withMain(await started(options), settings)
}

/** Adds a token of that scope; a running server accepts it within a second. */
export async function issue(data: string, scope: Scope, limits: TokenLimits = {}): Promise<string> {
  const cluster = inject('sharedStore')
  if (cluster === undefined) return folder.issue(data, scope, limits)
  const { token, secret } = makeToken(`for ${scope}`, scope, new Date(), limits)
  const pool = await connect(await databaseOf(cluster, data))
  await changeSetting(pool, sharedTokens, (tokens) => [...tokens, token])
  await pool.end()
  return secret
}

async function startShared(
  store: string,
  data: string,
  { contract = new Contract(), ...options }: TestServerOptions,
): Promise<TestServer> {
  const log: string[] = []
  const logger = pino({ base: null }, { write: (line: string) => void log.push(line) })
  const server = await startSharedServer(
    {
      port: 0,
      host: '127.0.0.1',
      token: folder.admin,
      stateCase: 'upper',
      rememberDays: 36_500,
      timeouts: requestTimeouts,
      ...options,
      store,
    },
    { logger, onFirstToken: () => undefined },
  )
  return { ...server, client: new Client(server.url, folder.admin, contract), data, log }
}

/** The address of the database that stands for a data folder; it is made when it is first needed. */
async function databaseOf(cluster: string, data: string): Promise<string> {
  const name = data.replaceAll(/\W/gu, '_')
  const client = new Database({ connectionString: `${cluster}/postgres` })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database "${name}"`)
    return `${cluster}/${name}`
  } finally {
    await client.end()
  }
}
