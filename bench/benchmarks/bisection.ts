/** A failed batch on its way to its one culprit: what the engine takes for each run it makes. */

import { Engine, newQueue, type Command, type CommandBody } from '../../engine/index.ts'
import { silence } from '../measuring/engine-in-motion.ts'
import { measured, type Benchmark, type Figure } from '../measuring/measured.ts'
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

/** Takes a batch from its submission until all but the culprit have merged. Answers how many runs it took. */
function bisect(size: number): number {
  const configuration = { batch: true, batchingMinSize: size, bisectionConcurrency: 1 }
  const queue = newQueue({ configuration })
  const engine = new Engine(queue, silence)
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
