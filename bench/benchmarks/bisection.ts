/** The engine's time per test run when it bisects a failed batch with one culprit. */

import { Engine, newQueue, type Command, type CommandBody } from '../../engine/index.ts'
import { noOpPorts } from '../measuring/engine-in-motion.ts'
import { measured, type Benchmark, type Figure } from '../measuring/measurement.ts'
import { measureInTurns, spreadIn, type Task } from '../measuring/rounds.ts'

const nameOf = (size: number): string => `a run of the bisection of ${size}`

export const bisection: Benchmark = {
  name: 'bisection',
  title: 'a failed batch with one culprit, by its size',
  async measure(effort) {
    const sizes = effort.isQuick ? [4] : [4, 16, 64]
    const tasks: Task[] = sizes.map((size) => ({
      name: nameOf(size),
      calls: bisect(size),
      run: () => bisect(size),
    }))
    effort.progress('bisections')
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

/**
 * Bisects a batch until all pull requests except the culprit are merged. Returns the number of
 * runs.
 */
function bisect(size: number): number {
  const configuration = { batch: true, batchingMinSize: size, bisectionConcurrency: 1 }
  const queue = newQueue({ configuration })
  const engine = new Engine(queue, noOpPorts)
  const send = (body: CommandBody): void => {
    const command: Command = { ...body, at: queue.now + 1 }
    engine.dispatch(command)
  }
  const culprit = Math.ceil(size / 2)
  for (let number = 1; number <= size; number++) send({ type: 'submitPullRequest', number })
  for (let runs = 0; ; runs++) {
    const [run] = Object.values(queue.testRuns)
    if (!run) return runs
    const isBroken = run.tested.includes(culprit) || run.base.includes(culprit)
    send({ type: 'finishTestRun', testRun: run.id, outcome: isBroken ? 'failed' : 'passed' })
  }
}
