/** A running server with a data folder on disk, and a client for it. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { executable } from './executable.ts'
import { Client, numbersFrom, tokenEnvironment } from './client.ts'
import { ProcessUnderTest } from './process-under-test.ts'

export class Served {
  readonly process: ProcessUnderTest
  readonly client: Client
  readonly folder: string

  private constructor(server: ProcessUnderTest, folder: string) {
    this.process = server
    this.folder = folder
    this.client = new Client(server.url)
  }

  /**
   * Starts a server on the given data folder. The default is a new temporary folder. `remove`
   * deletes the folder.
   */
  static async start(
    folder = mkdtempSync(join(tmpdir(), 'mergeyard-bench-')),
    more: readonly string[] = [],
  ): Promise<Served> {
    const args = ['start', '--port', '0', '--data', folder, ...more]
    const started = await ProcessUnderTest.start({
      program: executable,
      args,
      env: tokenEnvironment,
    })
    return new Served(started, folder)
  }

  /** Starts a server with one queue that holds `count` pull requests, numbered from 1. */
  static async withPullRequests(count: number): Promise<Served> {
    const served = await Served.start()
    await served.client.call('createQueue', {})
    await served.client.callForEach('submitPullRequest', numbersFrom(1, count))
    return served
  }

  async stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await this.client.close()
    await this.process.stop(signal)
  }

  /** Stops the server and deletes its data folder. */
  async remove(): Promise<void> {
    await this.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
