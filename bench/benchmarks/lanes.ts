/**
 * Parallel mode, by what exists and by what is shared: finding the predecessors of a new pull
 * request among ever more groups that it has nothing to do with, ten of them with 20,000 targets
 * and the others with 200; and the same number of groups, sharing with ever more of them.
 */

import { Engine, newQueue, type GroupView, type Queue } from '../../engine/index.ts'
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

const hugeOnes = 10
const hugeTargets = 20_000
const usualTargets = 200

/** Groups that the new one shares a target with, however many there are. */
const fewShared = 5

const full = { unrelated: [250, 500, 1000, 2000, 4000], shared: [5, 20, 80, 200] } as const
const quick = { unrelated: [20, 40], shared: [5, 10] } as const

const existingName = (unrelated: number): string => `predecessors, ${unrelated} unrelated groups`
const sharedName = (shared: number): string => `predecessors, sharing with ${shared}`
const submissionName = (unrelated: number): string =>
  `upload, submission and cancel, ${unrelated} unrelated groups`

/** Sixteen times as many groups may cost so much more: noise, and a larger index. */
const allowedGrowth = 2

export const lanes: Benchmark = {
  name: 'lanes',
  title: 'predecessors in parallel mode, by what exists and by what is shared',
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
    const what = `predecessors of a new one among ${most} unrelated groups, beside ${fewest}`
    return measured({
      figures: tasks.map(({ name }) => ({ name, unit: 'ns', value: spreadIn(rounds, name) })),
      targets: [target(what, 'times', growthOf(existingName), atMost(allowedGrowth))],
      curves: [
        curveOf(
          'predecessors, by what exists',
          'unrelated groups',
          unrelated,
          existingName,
          rounds,
        ),
        curveOf('predecessors, by what is shared', 'groups shared', shared, sharedName, rounds),
        curveOf('a whole submission', 'unrelated groups', unrelated, submissionName, rounds),
      ],
      notes: [
        `the new one has ${usualTargets} targets and shares with ${fewShared} groups; a whole submission looks along the line as well, as every command does`,
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

/** Groups that share nothing with each other, and one more that is to be planned. */
type Lanes = { readonly groups: number; readonly queue: Queue; readonly engine: Engine }

function filled(groups: number, isQuick: boolean): Lanes {
  const configuration = { mode: 'parallel', concurrency: groups + 2 } as const
  const queue = newQueue({ configuration })
  const engine = new Engine(queue, silence)
  for (let number = 1; number <= groups + 1; number++) {
    const count = !isQuick && number <= hugeOnes ? hugeTargets : usualTargets
    const targets = Array.from({ length: count }, (_, nth) => `${number}/${nth}`)
    engine.dispatch({ type: 'setImpactedTargets', number, targets, at: number })
    engine.dispatch({ type: 'submitPullRequest', number, at: number })
  }
  return { groups, queue, engine }
}

/** Targets of its own, but for the first of each of the last `shared` groups. */
function targetsOf(number: number, { groups }: Lanes, shared: number): string[] {
  return Array.from({ length: usualTargets }, (_, nth) =>
    nth < shared ? `${groups - nth}/0` : `${number}/${nth}`,
  )
}

/** As when it is placed: tied to those it shares with, and then its predecessors in order. */
function planning(name: string, lines: Lanes, shared: number): Task {
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
  if (run().length !== shared) throw new Error(`the new one has not ${shared} predecessors`)
  return { name, run }
}

/** The whole of it through the engine, and its departure, so that the line stays as it was. */
function submitting(name: string, lines: Lanes): Task {
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
