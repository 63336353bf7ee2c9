/**
 * Who is below whom, and who goes together: planning by the length of the line.
 *
 * The line of parallel mode is the one that is hard on an index: ten pull requests with 20,000
 * targets each, the others with 200. A new one shares a target with some of them.
 */

import { newQueue, Engine, type GroupView, type Queue } from '../../engine/index.ts'
import { contiguousGroup } from '../../engine/batching/contiguous.ts'
import { link } from '../../engine/evolve/links.ts'
import { predecessors } from '../../engine/line/predecessors.ts'
import { silence } from '../measuring/engine-in-motion.ts'
import {
  atMost,
  measured,
  target,
  type Benchmark,
  type Curve,
  type Figure,
} from '../measuring/measured.ts'
import { measureInTurns, roundsOf, spreadIn, type Rounds, type Task } from '../measuring/rounds.ts'
import { ratioOf } from '../measuring/spread.ts'

const usualTargets = 200
const hugeTargets = 20_000
const hugeOnes = 10
const sharing = 10

const lanesName = (length: number): string => `predecessors, ${length} lanes, ${sharing} shared`
const sharedName = (length: number, shared: number): string =>
  `predecessors, ${length} lanes, ${shared} shared`
const singleName = (length: number): string => `predecessors, one line of ${length}`
const batchName = (waiting: number): string => `a batch of 4 out of ${waiting}`

/** Noise, caches and the larger index apart, what exists costs nothing. */
const allowedGrowth = 2

export const planner: Benchmark = {
  name: 'planner',
  title: 'predecessors and batches, by the length of the line',
  async measure(effort) {
    const lengths = effort.isQuick ? [2, 10] : [10, 100, 1000]
    const longest = lengths.at(-1) ?? 0
    const shares = effort.isQuick ? [1] : [1, 100]
    effort.progress('filling lines')
    const tasks: Task[] = [
      ...lengths.map((length) => planLanes(lanesName(length), length, sharing)),
      ...shares.map((shared) => planLanes(sharedName(longest, shared), longest, shared)),
      ...lengths.map(planLine),
      ...lengths.map((length) => planBatch(length * 100)),
    ]
    effort.progress('planning')
    const rounds = await measureInTurns(tasks, effort)
    const [shortest = 0] = lengths
    const growth = ratioOf(
      roundsOf(rounds, lanesName(longest)),
      roundsOf(rounds, lanesName(shortest)),
    )
    const what = `predecessors of a new one among ${longest} lanes, beside ${shortest}, sharing with ${sharing}`
    return measured({
      figures: tasks.map(({ name }): Figure => ({
        name,
        unit: 'ns',
        value: spreadIn(rounds, name),
      })),
      targets: [target(what, 'times', growth, atMost(allowedGrowth))],
      curves: [
        curveOf('predecessors, by what exists', lengths, lanesName, rounds),
        curveOf('predecessors in one line', lengths, singleName, rounds),
      ],
    })
  },
}

function curveOf(
  name: string,
  lengths: readonly number[],
  nameAt: (length: number) => string,
  rounds: Rounds,
): Curve {
  const points = lengths.map((x) => ({ x, y: spreadIn(rounds, nameAt(x)).median }))
  return { name, x: 'groups in the line', y: 'for a new one', unit: 'ns', points }
}

/** Everybody has lanes of their own; the last one shares a target with some of those ahead. */
function planLanes(name: string, length: number, shared: number): Task {
  const queue = newQueue({ configuration: { mode: 'parallel', concurrency: length } })
  const engine = new Engine(queue, silence)
  for (let number = 1; number <= length; number++) {
    const isLast = number === length
    const count = !isLast && number <= hugeOnes && length > hugeOnes ? hugeTargets : usualTargets
    const targets = Array.from({ length: count }, (_, nth) =>
      isLast && nth < shared ? `${length - 1 - nth}/0` : `${number}/${nth}`,
    )
    engine.dispatch({ type: 'setImpactedTargets', number, targets, at: number })
    engine.dispatch({ type: 'submitPullRequest', number, at: number })
  }
  const last = lastOf(queue)
  return { name, run: () => plan(queue, last) }
}

/** As when it is placed: tied to those it shares with, and then its predecessors in order. */
function plan(queue: Queue, last: Queue['groups'][number]): GroupView[] {
  link(queue, last)
  return predecessors(queue, last)
}

function planLine(length: number): Task {
  const queue = filled(length, length)
  const last = lastOf(queue)
  return { name: singleName(length), run: () => predecessors(queue, last) }
}

function planBatch(waiting: number): Task {
  const queue = filled(1, waiting + 1)
  return { name: batchName(waiting), run: () => contiguousGroup(queue, true) }
}

function filled(concurrency: number, pullRequests: number): Queue {
  const configuration = {
    concurrency,
    batch: true,
    batchingMinSize: 4,
    batchingMaxWaitTimeMinutes: 0,
  }
  const queue = newQueue({ configuration })
  const engine = new Engine(queue, silence)
  for (let number = 1; number <= pullRequests; number++) {
    engine.dispatch({ type: 'submitPullRequest', number, at: number })
  }
  return queue
}

function lastOf(queue: Queue): Queue['groups'][number] {
  const last = queue.groups[queue.line.at(-1) ?? -1]
  if (!last) throw new Error('the line is empty')
  return last
}
