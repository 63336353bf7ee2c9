/** The cost of keyed draws: random numbers that do not depend on the order of the draws. */

import { drawsOf } from '../../sim/random/draw.ts'
import { measured, type Benchmark } from '../measuring/measurement.ts'
import { measureInTurns, spreadIn, type Task } from '../measuring/rounds.ts'

const calls = 100

export const draw: Benchmark = {
  name: 'draw',
  title: 'a keyed random number',
  async measure(effort) {
    const draws = drawsOf(1)
    let key = 0
    const shape = { medianMs: 960_000, p95Ms: 2_400_000 }
    const many = (name: string, once: () => unknown): Task => ({
      name,
      calls,
      run: () => {
        for (let call = 0; call < calls; call++) once()
      },
    })
    const tasks = [
      many('a chance', () => draws.chance('breaks', key++, 0.5)),
      many('a lognormal length', () => draws.lognormalMs(key++, shape)),
    ]
    effort.progress('draws')
    const rounds = await measureInTurns(tasks, effort)
    return measured({
      figures: tasks.map(({ name }) => ({ name, unit: 'ns', value: spreadIn(rounds, name) })),
    })
  },
}
