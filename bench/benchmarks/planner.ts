/** The cost of finding predecessors and of forming a batch in one line, by its length. */

import { Engine, newQueue, type GroupView, type Queue } from '../../engine/index.ts'
import { contiguousGroup } from '../../engine/batching/contiguous.ts'
import { predecessors } from '../../engine/model/predecessors.ts'
import { noOpPorts } from '../measuring/engine-in-motion.ts'
import { measured, type Benchmark, type Figure } from '../measuring/measurement.ts'
import { measureInTurns, spreadIn, type Task } from '../measuring/rounds.ts'

const lineName = (length: number): string => `predecessors, one line of ${length}`
const batchName = (waiting: number): string => `a batch of 4 out of ${waiting}`

export const planner: Benchmark = {
  name: 'planner',
  title: 'predecessors and batches in one line, by its length',
  async measure(effort) {
    const lengths = effort.isQuick ? [2, 10] : [10, 100, 1000]
    const waiting = effort.isQuick ? [10] : [1000, 10_000, 100_000]
    effort.progress('filling lines')
    const tasks: Task[] = [...lengths.map(planLine), ...waiting.map(planBatch)]
    effort.progress('planning')
    const rounds = await measureInTurns(tasks, effort)
    return measured({
      figures: tasks.map(({ name }): Figure => ({
        name,
        unit: 'ns',
        value: spreadIn(rounds, name),
      })),
      curves: [
        {
          name: 'predecessors in one line',
          x: 'groups in the line',
          y: 'for the last one',
          unit: 'ns',
          points: lengths.map((x) => ({ x, y: spreadIn(rounds, lineName(x)).median })),
        },
      ],
    })
  },
}

function planLine(length: number): Task {
  const queue = filled(length, length)
  const last = queue.groups[queue.line.at(-1) ?? -1]
  if (!last) throw new Error('the line is empty')
  const run = (): GroupView[] => predecessors(queue, last)
  return { name: lineName(length), run }
}

function planBatch(waiting: number): Task {
  const queue = filled(1, waiting + 1)
  return { name: batchName(waiting), run: () => [...contiguousGroup(queue)] }
}

function filled(concurrency: number, pullRequests: number): Queue {
  const configuration = {
    concurrency,
    batch: true,
    batchingMinSize: 4,
    batchingMaxWaitTimeMinutes: 0,
  }
  const queue = newQueue({ configuration })
  const engine = new Engine(queue, noOpPorts)
  for (let number = 1; number <= pullRequests; number++) {
    engine.dispatch({ type: 'submitPullRequest', number, at: number })
  }
  return queue
}
