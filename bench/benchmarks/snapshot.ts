/**
 * The cost of writing the state of an engine as JSON text, and of making an engine from that text.
 */

import { Engine, type Queue } from '../../engine/index.ts'
import { EngineInMotion, noOpPorts } from '../measuring/engine-in-motion.ts'
import { measured, type Benchmark, type Figure } from '../measuring/measurement.ts'
import { measureInTurns, spreadIn, type Task } from '../measuring/rounds.ts'

const perPullRequest = (size: number): readonly string[] => [
  `snapshot, per pull request of ${size}`,
  `restore, per pull request of ${size}`,
]

export const snapshot: Benchmark = {
  name: 'snapshot',
  title: 'the state as text, and an engine made from it',
  async measure(effort) {
    const sizes = effort.isQuick ? [10, 100] : [100, 1000, 10_000, 100_000]
    const tasks: Task[] = sizes.flatMap((size) => {
      const { engine } = new EngineInMotion({ inLine: 5, pending: size - 5 })
      const text = engine.snapshot()
      const [taken = '', restored = ''] = perPullRequest(size)
      return [
        { name: taken, calls: size, run: () => engine.snapshot() },
        { name: restored, calls: size, run: () => restore(text) },
      ]
    })
    effort.progress('snapshots')
    const rounds = await measureInTurns(tasks, effort)
    return measured({
      figures: tasks.map(({ name }): Figure => ({
        name,
        unit: 'ns',
        value: spreadIn(rounds, name),
      })),
    })
  },
}

function restore(text: string): Engine {
  const queue: Queue = JSON.parse(text)
  return new Engine(queue, noOpPorts)
}
