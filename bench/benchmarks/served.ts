/**
 * A server under test: a process of its own that reports its use of resources, with a data folder on disk, and a
 * client that sends it requests over many concurrent connections.
 */

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import type { Reading } from './gauge.ts'

/** The executable of Mergeyard, for code that starts it as a separate process. */
export const executable = fileURLToPath(new URL('../cli/mergeyard.js', import.meta.url))

const connections = 64

const token = 'admin-token-of-a-benchmark'
const repository = { host: 'github.com', owner: 'acme', name: 'shop' }

export class Client {
  readonly #pool: Pool

  constructor(url: string) {
    this.#pool = new Pool(url, { connections, pipelining: 1 })
  }

  /** Sends one request and returns the response body. Throws if the status is not 200. */
  async call(operation: string, body: object): Promise<string> {
    const { statusCode, body: answer } = await this.#pool.request({
      path: `/v1/${operation}`,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-token': token },
      body: JSON.stringify({ repo: repository, targetBranch: 'main', ...body }),
    })
    const text = await answer.text()
    if (statusCode !== 200) throw new Error(`${operation}: status ${statusCode}: ${text}`)
    return text
  }

  /** Sends one request for each pull request, 64 at a time. */
  async callForEach(operation: string, numbers: readonly number[]): Promise<void> {
    let next = 0
    const worker = async (): Promise<void> => {
      while (next < numbers.length) {
        const number = numbers[next++]
        if (number !== undefined) await this.call(operation, { pr: { number } })
      }
    }
    await Promise.all(Array.from({ length: connections }, worker))
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}

/** Returns `count` consecutive numbers, beginning with `first`. */
export function numbersFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index)
}

const gauge = new URL('./gauge.js', import.meta.url).href
const listens = /listens on (http:\/\/[^\s,]+)/

type ProcessOptions = {
  /** The path of the program. */
  readonly program: string
  readonly args?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
}

export class ProcessUnderTest {
  readonly url: string
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, url: string) {
    this.#child = child
    this.url = url
  }

  /**
   * Starts the program and waits until it prints that it listens. Throws an error with its output
   * if the program ends before that.
   */
  static async start({ program, args = [], env = {} }: ProcessOptions): Promise<ProcessUnderTest> {
    const child = fork(program, [...args], {
      execArgv: ['--import', gauge],
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const url = await addressOf(child)
    return new ProcessUnderTest(child, url)
  }

  /** Returns the processor time and memory that the process has used. */
  async read(): Promise<Reading> {
    const answered = once(this.#child, 'message')
    this.#child.send('read')
    const [reading]: Reading[] = await answered
    if (!reading) throw new Error('the process under test did not answer')
    return reading
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill()
    await ended
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    const onData = (data: Buffer): void => {
      output += data.toString()
      const [, url] = listens.exec(output) ?? []
      if (url === undefined) return
      // The access log that follows is not kept: that would take time from the requests of this process.
      for (const stream of [child.stdout, child.stderr]) stream?.off('data', onData).resume()
      resolve(url)
    }
    child.stdout?.on('data', onData)
    child.stderr?.on('data', onData)
    child.once('exit', () => reject(new Error(`the program did not start: ${output}`)))
  })
}

/** A server, and who loads it. */
export type Loaded = { readonly client: Client; readonly process: ProcessUnderTest }

/** What requests took. */
export type Turn = { readonly perSecond: number; readonly cpuNs: number }

/** Sends one request for each pull request. */
export async function turnOf(
  { client, process: server }: Loaded,
  operation: string,
  numbers: readonly number[],
): Promise<Turn> {
  const before = await server.read()
  const begun = performance.now()
  await client.callForEach(operation, numbers)
  const seconds = (performance.now() - begun) / 1000
  const after = await server.read()
  const { length } = numbers
  return { perSecond: length / seconds, cpuNs: (after.cpuNs - before.cpuNs) / length }
}

export class Served {
  readonly process: ProcessUnderTest
  readonly client: Client
  readonly folder: string

  private constructor(server: ProcessUnderTest, folder: string) {
    this.process = server
    this.folder = folder
    this.client = new Client(server.url)
  }

  /** Starts a server on a new temporary folder, which `remove` deletes. */
  static async start(more: readonly string[] = []): Promise<Served> {
    const folder = mkdtempSync(join(tmpdir(), 'mergeyard-bench-'))
    const args = ['start', '--port', '0', '--data', folder, ...more]
    const started = await ProcessUnderTest.start({
      program: executable,
      args,
      env: { MERGEYARD_TOKEN: token },
    })
    return new Served(started, folder)
  }

  static async withPullRequests(count: number): Promise<Served> {
    const served = await Served.start()
    await served.client.call('createQueue', {})
    await served.client.callForEach('submitPullRequest', numbersFrom(1, count))
    return served
  }

  /** Stops the server and deletes its data folder. */
  async remove(): Promise<void> {
    await this.client.close()
    await this.process.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
