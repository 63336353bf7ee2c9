/**
 * Whether a tune grid keeps every core busy: what it takes of the processor time that others on the
 * machine leave to it. On a machine of its own, that is all there is.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { atLeast, measured, target, type Benchmark } from '../measuring/measured.ts'
import { spreadOf } from '../measuring/spread.ts'
import { storm } from '../storm/scenario.ts'
import { main } from '../tune/main.ts'

const full = { seeds: 100, pullRequests: 500, batch: '1,2,4,8,16', wait: '0,2,5,10,20' } as const
const quick = { seeds: 1, pullRequests: 5, batch: '1,2', wait: '5' } as const

const busyLimit = 0.9
const nsPerUs = 1000
const nsPerMs = 1e6

export const tune: Benchmark = {
  name: 'tune',
  title: 'a tune grid: 25 settings, 100 seeds, 500 pull requests',
  async measure({ isQuick, progress, signal }) {
    const { seeds, pullRequests, batch, wait } = isQuick ? quick : full
    const folder = mkdtempSync(join(tmpdir(), 'mergeyard-bench-'))
    try {
      writeFileSync(join(folder, 'storm.json'), JSON.stringify(storm(pullRequests)))
      progress('the grid')
      const grid = ['--batch', batch, '--wait', wait, '--seeds', String(seeds)]
      const args = ['storm.json', ...grid, '--no-report', '--json']
      const [stdout, stderr] = [new PassThrough().resume(), new PassThrough().resume()]
      const before = { ...process.cpuUsage(), idleMs: idleMs(), wallMs: performance.now() }
      const code = await main(args, { stdout, stderr, signal, env: { INIT_CWD: folder } })
      const { user, system } = process.cpuUsage(before)
      const takenNs = (user + system) * nsPerUs
      const idleNs = (idleMs() - before.idleMs) * nsPerMs
      const wallNs = (performance.now() - before.wallMs) * nsPerMs
      if (code !== 0 && !signal.aborted) throw new Error(`the grid ended with exit code ${code}`)
      const busy = spreadOf([takenNs / (takenNs + idleNs)])
      return measured({
        figures: [
          { name: 'the whole grid', unit: 'ns', value: spreadOf([wallNs]) },
          { name: 'its processor time', unit: 'ns', value: spreadOf([takenNs]) },
        ],
        targets: [
          target('of the processor time it could have, it used', 'share', busy, atLeast(busyLimit)),
        ],
        notes: ['settings that are clearly beaten are dropped on the way, as always'],
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
}

/** For how long the cores had nothing to do so far, in milliseconds, all of them together. */
function idleMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.idle, 0)
}
