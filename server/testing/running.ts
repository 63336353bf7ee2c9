/** A real server on a real port with a real folder, in tests. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import type { Scope } from '../auth/scopes.ts'
import { makeToken, readTokens, writeTokens } from '../auth/tokens.ts'
import type { ServerOptions } from '../options.ts'
import { startServer, type RunningServer } from '../server.ts'
import { dataFolder } from '../store/data-folder.ts'
import { Client } from './client.ts'
import { Contract } from './contract.ts'

const admin = 'admin-token-of-a-test'

export type TestServer = RunningServer & {
  readonly client: Client
  readonly data: string
  /** Every line of its log so far. */
  readonly log: readonly string[]
}

/** A folder of its own, removed when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export type Wishes = Partial<ServerOptions> & {
  readonly contract?: Contract
  readonly onFirstToken?: (secret: string) => void
}

/** Starts a server; whoever starts it stops it. */
export async function start(
  data: string,
  { contract = new Contract(), onFirstToken = () => undefined, ...options }: Wishes = {},
): Promise<TestServer> {
  const log: string[] = []
  const logger = pino({ base: null }, { write: (line: string) => void log.push(line) })
  const server = await startServer(
    {
      port: 0,
      host: '127.0.0.1',
      data,
      token: admin,
      stateCase: 'upper',
      keepDays: null,
      speed: null,
      ...options,
    },
    { logger, onFirstToken, onFailure: () => undefined },
  )
  return { ...server, client: new Client(server.url, admin, contract), data, log }
}

/** Puts a token of that scope into the folder's file; a running server soon knows it. */
export async function issue(data: string, scope: Scope): Promise<string> {
  const { tokens } = dataFolder(data)
  const { token, secret } = makeToken(`for ${scope}`, scope, new Date())
  await writeTokens(tokens, [...readTokens(tokens), token])
  return secret
}
