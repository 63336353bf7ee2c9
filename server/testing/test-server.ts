/** A server with a real port and data folder, in tests. */

import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import type { Scope } from '../contract/openapi.ts'
import { requestTimeouts } from '../http/limits.ts'
import { makeToken, readTokens, writeTokens, type TokenLimits } from '../auth/tokens.ts'

import { startServer, type RunningServer, type ServerOptions } from '../server.ts'
import { systemTime, type TimeSource } from '../queues/system-clock.ts'
import { dataFolder } from '../store/data-folder.ts'
import { Client, main, Contract } from './client.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'

const pauseMs = 50

export const admin = 'admin-token-of-a-test'

export type TestServer = RunningServer & {
  readonly client: Client
  readonly data: string
  /** The lines of its log so far. */
  readonly log: readonly string[]
}

/**
 * Asks until there is an answer, and returns it. It pauses in between, because who asks without a pause takes the
 * processor from those that are asked. Without an end: the limit for tests that hang ends it.
 */
export async function untilSome<Answer>(ask: () => Promise<Answer | null>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer !== null) return answer
    await pause(pauseMs)
  }
}

export type TestServerOptions = Partial<ServerOptions> & {
  readonly contract?: Contract
  readonly onFirstToken?: (secret: string) => void
  readonly time?: TimeSource
}

/** Starts a server; the caller must stop it. */
export async function start(
  data: string,
  {
    contract = new Contract(),
    onFirstToken = () => undefined,
    time = systemTime,
    ...options
  }: TestServerOptions = {},
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
      rememberDays: 36_500,
      timeouts: requestTimeouts,
      speed: null,
      ...options,
    },
    { logger, onFirstToken, onFailure: () => undefined, time },
  )
  return { ...server, client: new Client(server.url, admin, contract), data, log }
}

/** Starts a server in a new folder, which stops when the test ends. */
async function started(options: TestServerOptions = {}): Promise<TestServer> {
  return endingWithTest(await start(temporaryFolder(), options))
}

/** The same with the queue `main` of these settings. */
export async function startedWith(
  settings: object = {},
  options: TestServerOptions = {},
): Promise<TestServer> {
  return withMain(await started(options), settings)
}

export function endingWithTest<Server extends { readonly stop: () => Promise<void> }>(
  server: Server,
): Server {
  onTestFinished(() => server.stop())
  return server
}

export async function withMain<Server extends { readonly client: Client }>(
  server: Server,
  settings: object,
): Promise<Server> {
  await server.client.ok('createQueue', { ...main, ...settings })
  return server
}

/** Adds a token of that scope to the folder; a running server accepts it within a second. */
export async function issue(data: string, scope: Scope, limits: TokenLimits = {}): Promise<string> {
  const { tokens } = dataFolder(data)
  const { token, secret } = makeToken(`for ${scope}`, scope, new Date(), limits)
  await writeTokens(tokens, [...readTokens(tokens), token])
  return secret
}
