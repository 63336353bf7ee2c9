/**
 * A property that runs the model beside the engine. The model is another reading of
 * engine/SPEC.md: it receives the same commands, and says what must follow from them.
 */

import type { Event, TestRun } from '../../engine/index.ts'
import type { Property } from '../observe/property.ts'
import { hostAnswers } from '../run/faults.ts'
import { toMinutes } from '../scenario/time.ts'
import { take } from './chapters/commands.ts'
import { nextWake } from './chapters/wakes.ts'
import { saidBy, type Said } from './said-by-the-engine.ts'
import { Model, type Deed } from './state/state.ts'

export const agreesWithTheModel: Property = {
  name: 'agrees-with-the-model',
  sentence:
    'What moves, starts, is cancelled, merges and leaves, why and in which order, and which commands are refused, is what a second reading of the specification expects.',
  watch({ inputs, configuration, queueState, check }) {
    if (!inputs) return {}
    const model = new Model(configuration, queueState, hostAnswers(inputs.scenario))
    const runs = new Map<number, TestRun>()
    let wake: number | null = null
    let isOver = false
    return {
      atRest({ step: { command, events, sequence } }) {
        if (isOver) return
        const said = saidBy(events, runs)
        wake = wakeAfter(events, wake)
        const difference =
          differenceOf(model, said, () => take(model, command)) ?? lateWake(model, wake)
        isOver = difference !== null
        // A property that finds the reason in the same step says more, so it comes first.
        const at = { at: command.at, sequence: sequence + events.length }
        const minute = toMinutes(command.at)
        check(!isOver, at, () => ({
          story: `After ${command.type} at minute ${minute}, ${difference?.story ?? ''}.`,
          pullRequests: difference?.numbers ?? [],
        }))
      },
      // E-3: nothing changes, so the model must refuse it too, and stays as it is.
      atRefusal({ command, ...at }) {
        if (isOver) return
        isOver = take(model, command)
        const minute = toMinutes(command.at)
        check(!isOver, at, () => ({
          story: `The engine refuses ${command.type} at minute ${minute}, and the model does not.`,
          pullRequests: 'number' in command ? [command.number] : [],
        }))
      },
    }
  },
}

/** The instant of the wake-up that is requested and has not come. */
function wakeAfter(events: readonly Event[], before: number | null): number | null {
  let wake = before
  for (const event of events) {
    if (event.type === 'woken') wake = null
    if (event.type === 'wakeScheduled') wake = event.wakeAt
  }
  return wake
}

/** E-8: a wake-up is requested that comes in time. An earlier one changes nothing. */
function lateWake(model: Model, wake: number | null): Difference | null {
  const due = nextWake(model)
  if (due === null || (wake !== null && wake <= due)) return null
  const asked = wake === null ? 'for none' : `for minute ${toMinutes(wake)}`
  const story = `the model expects a wake-up by minute ${toMinutes(due)} (E-8), and the engine asks ${asked}`
  return { story, place: 0, numbers: [] }
}

type Difference = {
  readonly story: string
  /** Its place among all that the model expects after the command. */
  readonly place: number
  readonly numbers: readonly number[]
}

/** The first difference between the model and the engine after a command; null if they agree. */
function differenceOf(
  model: Model,
  said: readonly Said[],
  takeCommand: () => boolean,
): Difference | null {
  if (!takeCommand()) {
    return { story: 'the model refuses the command', place: 0, numbers: [] }
  }
  const subjects = new Set([...model.deeds, ...said].map(({ subject }) => subject))
  const found = [...subjects].flatMap((subject) => compare(subject, model.deeds, said))
  found.sort((a, b) => a.place - b.place)
  return found[0] ?? null
}

/** Compares what both say about one subject, and tells the model the numbers of the new runs. */
function compare(subject: string, deeds: readonly Deed[], said: readonly Said[]): Difference[] {
  const expected = deeds.filter((each) => each.subject === subject)
  const actual = said.filter((each) => each.subject === subject)
  for (let at = 0; at < Math.max(expected.length, actual.length); at++) {
    const [mine = null, its = null] = [expected[at], actual[at]]
    if (mine?.text !== its?.text) {
      const place = mine ? deeds.indexOf(mine) : said.findIndex((each) => each === its)
      return [{ ...between(mine, its), place }]
    }
    if (mine?.run && its?.run) mine.run.id = its.run.id
  }
  return []
}

function between(mine: Deed | null, its: Said | null): Omit<Difference, 'place'> {
  const expected = mine ? `${mine.text} (${mine.rules})` : 'nothing more'
  const story = `the model expects ${expected}, and the engine says ${its?.text ?? 'nothing more'}`
  const numbers = [...new Set([...(mine?.numbers ?? []), ...(its?.numbers ?? [])])]
  return { story, numbers }
}
