/**
 * Whether a rung of a tune run keeps all cores busy: its share of the processor time that other processes on
 * the machine leave.
 */

import { cpus } from 'node:os'
import { PassThrough } from 'node:stream'
import { onCores } from '../../sim/campaign/over-cores.ts'
import { seedsIn } from '../../sim/random/seeds.ts'
import { atLeast, measured, target, type Benchmark } from '../measuring/measurement.ts'
import { spreadOf } from '../measuring/spread.ts'
import { heavyScenario } from '../heavy-load/heavy-scenario.ts'
import { SettingRunner, untried } from '../tune/search/run-settings.ts'
import { knownAxis } from '../tune/settings/axes.ts'
import { Candidates } from '../tune/settings/candidates.ts'
import { candidatesOf } from '../tune/settings/nearest.ts'

const full = { seeds: 100, pullRequests: 500, batch: '1,2,4,8,16', wait: '0,2,5,10,20' } as const
const quick = { seeds: 1, pullRequests: 5, batch: '1,2', wait: '5' } as const

const busyLimit = 0.9
const nsPerUs = 1000
const nsPerMs = 1e6

export const tune: Benchmark = {
  name: 'tune',
  title: 'a rung of a tune run: 25 settings, 100 seeds, 500 pull requests',
  async measure({ isQuick, progress, signal }) {
    const { seeds, pullRequests, batch, wait } = isQuick ? quick : full
    const axes = [knownAxis('batch', batch), knownAxis('wait', wait)]
    const scenario = heavyScenario(pullRequests)
    const settings = candidatesOf(new Candidates(scenario, axes), axes, {
      most: Infinity,
      isAllowed: () => true,
    })
    progress('running the settings')
    const stderr = new PassThrough().resume()
    const runner = new SettingRunner({ name: scenario.name, stderr, signal, ...onCores })
    const before = { ...process.cpuUsage(), idleMs: idleMs(), wallMs: performance.now() }
    const all = [...seedsIn({ from: 1, to: seeds })]
    await runner.run(settings.map(untried), all, { title: 'settings', mostEvents: null })
    const { user, system } = process.cpuUsage(before)
    const takenNs = (user + system) * nsPerUs
    const idleNs = (idleMs() - before.idleMs) * nsPerMs
    const wallNs = (performance.now() - before.wallMs) * nsPerMs
    const busy = spreadOf([takenNs / (takenNs + idleNs)])
    return measured({
      figures: [
        { name: 'all runs', unit: 'ns', value: spreadOf([wallNs]) },
        { name: 'its processor time', unit: 'ns', value: spreadOf([takenNs]) },
      ],
      targets: [
        target('used share of the available processor time', 'share', busy, atLeast(busyLimit)),
      ],
      notes: [`${runner.runs} runs, ${runner.events} events`],
    })
  },
}

/** The idle time of all cores so far, added up, in milliseconds. */
function idleMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.idle, 0)
}
