/**
 * The cost of one engine command, by the length of the line and by the number of waiting pull
 * requests.
 */

import { commandsPerTurn, EngineInMotion } from '../measuring/engine-in-motion.ts'
import { atMost, measured, target, type Benchmark, type Figure } from '../measuring/measurement.ts'
import { measureInTurns, roundsOf, spreadIn, type Task } from '../measuring/rounds.ts'
import { ratioOf } from '../measuring/spread.ts'

const full = { lines: [1, 10, 100, 1000], waiting: [10, 1000, 10_000, 100_000] } as const
const quick = { lines: [1, 10], waiting: [10, 1000] } as const

const lineName = (length: number): string => `command, ${length} in the line`
const waitingName = (pending: number): string => `command, 5 in the line, ${pending} waiting`

/** Waiting pull requests must not add to the cost. This allows for noise. */
const allowedGrowth = 1.5

export const engineStep: Benchmark = {
  name: 'engine-step',
  title: 'a command, by the length of the line and by the number waiting',
  async measure(effort) {
    const { lines, waiting } = effort.isQuick ? quick : full
    effort.progress('filling queues')
    const tasks: Task[] = [
      ...lines.map((inLine) => turning(lineName(inLine), inLine, 0)),
      ...waiting.map((pending) => turning(waitingName(pending), 5, pending)),
    ]
    effort.progress('commands')
    const rounds = await measureInTurns(tasks, effort)
    const few = waitingName(waiting[0])
    const many = waitingName(waiting.at(-1) ?? 0)
    const growth = ratioOf(roundsOf(rounds, many), roundsOf(rounds, few))
    const figures = tasks.map(({ name }): Figure => {
      const to = name.includes('waiting') ? few : lineName(lines[0])
      const value = spreadIn(rounds, name)
      if (name === to) return { name, unit: 'ns', value }
      const ratio = ratioOf(roundsOf(rounds, name), roundsOf(rounds, to))
      return { name, unit: 'ns', value, ratio: { to, value: ratio } }
    })
    const name = `a command with ${waiting.at(-1)} waiting, compared with one with ${waiting[0]}`
    return measured({
      figures,
      targets: [target(name, 'times', growth, atMost(allowedGrowth))],
      curves: [
        {
          name: 'a command, by the line',
          x: 'groups in the line',
          y: 'per command',
          unit: 'ns',
          points: lines.map((x) => ({ x, y: spreadIn(rounds, lineName(x)).median })),
        },
        {
          name: 'a command, by the number waiting',
          x: 'pull requests waiting',
          y: 'per command',
          unit: 'ns',
          points: waiting.map((x) => ({ x, y: spreadIn(rounds, waitingName(x)).median })),
        },
      ],
    })
  },
}

function turning(name: string, inLine: number, pending: number): Task {
  const motion = new EngineInMotion({ inLine, pending })
  return { name, run: () => motion.turn(), calls: commandsPerTurn }
}
