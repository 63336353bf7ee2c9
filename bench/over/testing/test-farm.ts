/** A farm in a PostgreSQL of its own, with workers that are processes. */

import { PassThrough } from 'node:stream'
import { untilSome } from '../../../server/testing/test-server.ts'
import { PrivatePostgres } from '../../../server/postgres/testing/private-postgres.ts'
import type { Spread } from '../../../sim/campaign/over-cores.ts'
import { runCampaign } from '../../../sim/campaign/run-campaign.ts'
import { executable } from '../../benchmarks/served.ts'
import { type Program, startProgram } from '../../cli/testing/program.ts'
import { campaigns, closeFarm, openFarm, type Farm } from '../farm.ts'
import type { ChunkOfTasks } from '../messages.ts'
import { openOver, type Over } from '../coordinator.ts'

/** Short, so that a lost chunk is soon given to another worker. */
const leaseSeconds = 6

/** A chunk that was taken by nobody who will answer. */
export type Taken = {
  readonly id: string
  readonly tasks: string
  readonly said: string
  readonly place: number
}

export class TestFarm {
  readonly farm: Farm
  readonly #postgres: PrivatePostgres
  readonly address: string
  readonly #workers: Program[] = []

  private constructor(postgres: PrivatePostgres, address: string, farm: Farm) {
    this.#postgres = postgres
    this.address = address
    this.farm = farm
  }

  static async start(): Promise<TestFarm> {
    const postgres = await PrivatePostgres.start()
    const address = await postgres.database('farm')
    return new TestFarm(postgres, address, await openFarm(address, 'test'))
  }

  async remove(): Promise<void> {
    await this.endWorkers('SIGKILL')
    await closeFarm(this.farm)
    await this.#postgres.remove()
  }

  /** Starts `mergeyard worker` as a process of its own, as on another machine. */
  startWorker(): Program {
    const args = [executable, 'worker', this.address, '--threads', '1']
    const worker = startProgram([process.execPath, ...args])
    this.#workers.push(worker)
    return worker
  }

  async endWorkers(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.end(signal)))
  }

  /** Runs something over the database, and takes the campaign back at its end. */
  async over<Result>(run: (over: Over) => Promise<Result>): Promise<Result> {
    const stderr = new PassThrough().resume()
    const { address } = this
    const opened = await openOver({ address, command: 'sim', stderr, leaseSeconds })
    try {
      return await run(opened)
    } finally {
      await opened.close()
    }
  }

  /** Takes the next chunk, as a worker does. */
  take(): Promise<Taken> {
    return untilSome(async () => {
      for (const { tasks, said } of await campaigns(this.farm)) {
        const [job] = await this.farm.boss.fetch<ChunkOfTasks>(tasks, { batchSize: 1 })
        if (job) return { id: job.id, tasks, said, place: job.data.place }
      }
      return null
    })
  }
}

export type SomeSeeds = {
  readonly seeds: number
  readonly spread: Spread
  readonly onFirst?: () => void
  readonly signal?: AbortSignal
}

/** Returns the runs of seeds of the swarm, as JSON. */
export async function runsOf({ seeds, spread, onFirst, signal }: SomeSeeds): Promise<string[]> {
  const runs: string[] = []
  await runCampaign({
    source: { kind: 'swarm', settings: [], features: [] },
    once: true,
    spread,
    ...(signal ? { signal } : {}),
    seeds: Array.from({ length: seeds }, (_, index) => index + 1),
    onRun: (run) => {
      runs.push(JSON.stringify(run))
      if (runs.length === 1) onFirst?.()
    },
  })
  return runs
}
