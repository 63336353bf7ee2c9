/**
 * A campaign over the workers of a database, compared with the same campaign on the cores of this machine.
 * Two workers of one thread each take turns with a pool of as many threads as there are cores.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { PrivatePostgres } from '../../server/postgres/private-postgres.ts'
import { overCores, type Spread } from '../../sim/campaign/over-cores.ts'
import { runCampaign } from '../../sim/campaign/run-campaign.ts'
import { seedsIn } from '../../sim/random/seeds.ts'
import { executable } from '../api/executable.ts'
import { atLeast, measured, target, type Benchmark } from '../measuring/measurement.ts'
import { ratioOf, spreadOf } from '../measuring/spread.ts'
import { openOver } from '../over/open-over.ts'

const full = { rounds: 5, seeds: 2_000 } as const
const quick = { rounds: 1, seeds: 20 } as const

const workers = 2
const rateLimit = 0.95
const nsPerMs = 1e6

export const over: Benchmark = {
  name: 'over',
  title: 'a campaign over two workers of a database, compared with the cores of this machine',
  async measure({ isQuick, progress, signal }) {
    const { rounds, seeds } = isQuick ? quick : full
    const postgres = await PrivatePostgres.start()
    const address = await postgres.database('farm')
    const stderr = new PassThrough().resume()
    const opened = await openOver({ address, command: 'bench', stderr })
    const stop = startWorkers(address)
    const cores: number[] = []
    const spread: number[] = []
    try {
      // The first round includes the start of the workers and of the threads.
      for (let round = isQuick ? 1 : 0; round <= rounds && !signal.aborted; round++) {
        progress(round === 0 ? 'warming up' : `round ${round} of ${rounds}`)
        const here = await timedRun(seeds, overCores)
        const there = await timedRun(seeds, opened.spread)
        if (here.result !== there.result) throw new Error('the workers gave another result')
        if (round === 0) continue
        cores.push(here.ms)
        spread.push(there.ms)
      }
    } finally {
      await opened.close()
      await stop()
      await postgres.remove()
    }
    const inNs = (values: readonly number[]) => spreadOf(values.map((each) => each * nsPerMs))
    return measured({
      figures: [
        { name: `${seeds} seeds on the cores`, unit: 'ns', value: inNs(cores) },
        { name: `${seeds} seeds over two workers`, unit: 'ns', value: inNs(spread) },
      ],
      targets: [
        target(
          'rate over two workers, to that on the cores',
          'share',
          ratioOf(cores, spread),
          atLeast(rateLimit),
        ),
      ],
      notes: ['both give the same bytes; PostgreSQL runs on the same machine'],
    })
  },
}

async function timedRun(seeds: number, spread: Spread): Promise<{ ms: number; result: string }> {
  const runs: string[] = []
  const begun = performance.now()
  await runCampaign({
    source: { kind: 'swarm', settings: [], features: [] },
    ...{ once: true, spread, seeds: seedsIn({ from: 1, to: seeds }) },
    onRun: (run) => void runs.push(JSON.stringify(run)),
  })
  return { ms: performance.now() - begun, result: runs.join('\n') }
}

/** Returns a function that ends them. */
function startWorkers(address: string): () => Promise<void> {
  const args = [executable, 'worker', address, '--threads', '1']
  const started = Array.from({ length: workers }, () =>
    spawn(process.execPath, args, { stdio: 'ignore' }),
  )
  return async () => {
    await Promise.all(
      started.map(async (worker) => {
        const ended = once(worker, 'exit')
        worker.kill('SIGINT')
        await ended
      }),
    )
  }
}
