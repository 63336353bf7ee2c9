/**
 * Parts that hold the answers of their tasks. Each runs its share of the tasks; the merge runs the
 * command again with all answers, so it gives the same bytes as one run.
 */

import type { Writable } from 'node:stream'
import { partOf, type Shard } from '../random/seeds.ts'
import { BadInput } from '../scenario/bad-input.ts'
import { workBar } from '../terminal/work-bar.ts'
import { overCores, type ParallelWork, type Spread } from './over-cores.ts'
import { inputOf, type Part } from './parts/part.ts'

/** The result of a part as JSON. */
export type AnswersDocument = {
  readonly part: Part
  /** The number of tasks of all parts. */
  readonly tasks: number
  /** The answers of this part, in the order of the tasks. */
  readonly answers: readonly unknown[]
}

export type RecordedWork = Pick<AnswersDocument, 'tasks' | 'answers'> & Pick<Part, 'input'>

/** Thrown instead of going on with a command of which only a part has run. */
export class PartDone extends Error {
  readonly work: RecordedWork

  constructor(work: RecordedWork) {
    super('the part is done')
    this.work = work
  }
}

/** Runs a part of the tasks, and then throws `PartDone`. */
export function recordingPart(shard: Shard, stderr: Writable): Spread {
  return async ({ worker, tasks: all, signal }) => {
    const tasks = [...all]
    const { from, to } = partOf({ from: 0, to: tasks.length - 1 }, shard)
    const answers: unknown[] = []
    const bar = workBar(stderr, `part ${shard.index} of ${shard.of}`, to - from + 1, 'tasks')
    try {
      await overCores({
        worker,
        tasks: tasks.slice(from, to + 1),
        onAnswer: (answer: unknown) => {
          answers.push(answer)
          bar.update(answers.length, '')
        },
        signal,
      })
    } finally {
      bar.stop()
    }
    throw new PartDone({ tasks: tasks.length, input: inputOf(tasks), answers })
  }
}

/** Answers the tasks from the parts, which must fit together: see `refuseUnfit`. */
export function answeringFrom(parts: readonly AnswersDocument[]): Spread {
  const sorted = parts.toSorted((a, b) => a.part.index - b.part.index)
  const [first] = sorted
  const text = JSON.stringify(sorted.flatMap(({ answers }) => answers))
  const answer = <Task, Answer>({ tasks, onAnswer }: ParallelWork<Task, Answer>): void => {
    const all = [...tasks]
    const answers: Answer[] = JSON.parse(text)
    if (inputOf(all) !== first?.part.input || answers.length !== all.length) {
      const expected = 'the scenario and the options of the parts'
      const actual = 'others: merge where the scenario is as it was'
      throw new BadInput('merge', [{ where: '/part/input', expected, actual }])
    }
    for (const each of answers) onAnswer(each)
  }
  return (work) => new Promise((resolve) => resolve(answer(work)))
}
