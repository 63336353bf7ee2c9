/** A real server with a real data folder on disk, and a client of it. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, numbersFrom, tokenEnvironment } from './client.ts'
import { ProcessUnderTest } from './process-under-test.ts'

const program = new URL('../../server/main.js', import.meta.url)

export class Served {
  readonly process: ProcessUnderTest
  readonly client: Client
  readonly folder: string

  private constructor(server: ProcessUnderTest, folder: string) {
    this.process = server
    this.folder = folder
    this.client = new Client(server.url)
  }

  /** In a folder of its own, which goes with `remove`; or in one that is there already. */
  static async start(folder = mkdtempSync(join(tmpdir(), 'mergeyard-bench-'))): Promise<Served> {
    const args = ['--port', '0', '--data', folder]
    const started = await ProcessUnderTest.start({ program, args, env: tokenEnvironment })
    return new Served(started, folder)
  }

  /** With a queue that holds so many pull requests, numbered from 1. */
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

  async remove(): Promise<void> {
    await this.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
