/**
 * Parallel mode: the cost of finding the predecessors of a new pull request. The first series adds
 * groups without a common target; ten of them have 20,000 targets, the others 200. The second
 * series keeps the number of groups and adds groups with a common target.
 */

import { Engine, newQueue, type GroupView, type Queue } from '../../engine/index.ts'
import { link } from '../../engine/evolve/links.ts'
import { predecessors } from '../../engine/model/predecessors.ts'
import { noOpPorts } from '../measuring/engine-in-motion.ts'
import {
  atMost,
  measured,
  target,
  type Benchmark,
  type Curve,
  type Figure,
} from '../measuring/measurement.ts'
import { measureInTurns, roundsOf, spreadIn, type Rounds, type Task } from '../measuring/rounds.ts'
import { ratioOf } from '../measuring/spread.ts'

const hugeOnes = 10
const hugeTargets = 20_000
const usualTargets = 200

/** The number of groups that share a target with the new one in the first series. */
const fewShared = 5

const full = { unrelated: [250, 500, 1000, 2000, 4000], shared: [5, 20, 80, 200] } as const
const quick = { unrelated: [20, 40], shared: [5, 10] } as const

const existingName = (unrelated: number): string => `predecessors, ${unrelated} unrelated groups`
const sharedName = (shared: number): string => `predecessors, sharing with ${shared}`
const submissionName = (unrelated: number): string =>
  `upload, submission and cancel, ${unrelated} unrelated groups`

/** Sixteen times as many groups may cost twice as much: noise, and a larger index. */
const allowedGrowth = 2

export const lanes: Benchmark = {
  name: 'lanes',
  title: 'predecessors in parallel mode, by number of groups and of shared targets',
  async measure(effort) {
    const { unrelated, shared } = effort.isQuick ? quick : full
    effort.progress('filling lanes')
    const lines = unrelated.map((each) => filled(each, effort.isQuick))
    const tasks: Task[] = lines.flatMap((line) => [
      planning(existingName(line.groups), line, fewShared),
      submitting(submissionName(line.groups), line),
    ])
    const middle = lines[Math.floor(lines.length / 2)]
    if (middle) tasks.push(...shared.map((each) => planning(sharedName(each), middle, each)))
    effort.progress('planning')
    const rounds = await measureInTurns(tasks, effort)
    const [fewest, most] = [unrelated[0], unrelated.at(-1) ?? 0]
    const growthOf = (nameAt: (unrelated: number) => string): Figure['value'] =>
      ratioOf(roundsOf(rounds, nameAt(most)), roundsOf(rounds, nameAt(fewest)))
    const what = `predecessors of a new one among ${most} unrelated groups, compared with ${fewest}`
    return measured({
      figures: tasks.map(({ name }) => ({ name, unit: 'ns', value: spreadIn(rounds, name) })),
      targets: [target(what, 'times', growthOf(existingName), atMost(allowedGrowth))],
      curves: [
        curveOf(
          'predecessors, by number of groups',
          'unrelated groups',
          unrelated,
          existingName,
          rounds,
        ),
        curveOf('predecessors, by shared targets', 'groups shared', shared, sharedName, rounds),
        curveOf('a whole submission', 'unrelated groups', unrelated, submissionName, rounds),
      ],
      notes: [
        `the new one has ${usualTargets} targets and shares one with each of ${fewShared} groups; a whole submission also walks the line, as every command does`,
      ],
    })
  },
}

function curveOf(
  name: string,
  x: string,
  values: readonly number[],
  nameAt: (value: number) => string,
  rounds: Rounds,
): Curve {
  const points = values.map((each) => ({ x: each, y: spreadIn(rounds, nameAt(each)).median }))
  return { name, x, y: 'for a new one', unit: 'ns', points }
}

/** An engine with groups that share no target, and one more group, which is planned. */
type LaneSetup = { readonly groups: number; readonly queue: Queue; readonly engine: Engine }

function filled(groups: number, isQuick: boolean): LaneSetup {
  const configuration = { mode: 'parallel', concurrency: groups + 2 } as const
  const queue = newQueue({ configuration })
  const engine = new Engine(queue, noOpPorts)
  for (let number = 1; number <= groups + 1; number++) {
    const count = !isQuick && number <= hugeOnes ? hugeTargets : usualTargets
    const targets = Array.from({ length: count }, (_, nth) => `${number}/${nth}`)
    engine.dispatch({ type: 'setImpactedTargets', number, targets, at: number })
    engine.dispatch({ type: 'submitPullRequest', number, at: number })
  }
  return { groups, queue, engine }
}

/** The targets of the new one: one of each of the last `shared` groups, the others not shared. */
function targetsOf(number: number, { groups }: LaneSetup, shared: number): string[] {
  return Array.from({ length: usualTargets }, (_, nth) =>
    nth < shared ? `${groups - nth}/0` : `${number}/${nth}`,
  )
}

/**
 * Does what the engine does for a new group: links it with the groups that share a target, and
 * finds its predecessors in order.
 */
function planning(name: string, lines: LaneSetup, shared: number): Task {
  const { groups, queue } = lines
  const number = groups + 1
  const targets = targetsOf(number, lines, shared)
  const last = queue.groups[queue.line.at(-1) ?? -1]
  if (!last) throw new Error('the line is empty')
  const run = (): readonly GroupView[] => {
    queue.impactedTargets[number] = targets
    link(queue, last)
    return predecessors(queue, last)
  }
  if (run().length !== shared) throw new Error(`expected ${shared} predecessors`)
  return { name, run }
}

/** Submits and cancels a pull request through the engine, so that the line stays unchanged. */
function submitting(name: string, lines: LaneSetup): Task {
  const number = lines.groups + 2
  const targets = targetsOf(number, lines, fewShared)
  const at = lines.queue.now
  const run = (): void => {
    lines.engine.dispatch({ type: 'setImpactedTargets', number, targets, at })
    lines.engine.dispatch({ type: 'submitPullRequest', number, at })
    lines.engine.dispatch({ type: 'cancelPullRequest', number, reason: 'USER_REQUESTED', at })
  }
  return { name, run }
}
