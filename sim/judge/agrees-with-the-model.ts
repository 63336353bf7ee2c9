/**
 * A property that runs the model beside the engine. The model is another reading of
 * engine/SPEC.md: it receives the same commands, and says what must follow from them.
 */

import type { Command, Configuration, TestRun } from '../../engine/index.ts'
import { nextWake, take } from '../model/commands.ts'
import { settingsWith } from './settings-of-the-model.ts'
import { Model } from '../model/state.ts'
import type { Property } from '../observe/property.ts'
import { codeHostOf } from '../run/faults.ts'
import { toMillis, toMinutes } from '../scenario/time.ts'
import { rulesOf } from './rules-of-the-model.ts'
import { wordsOfTheEngine } from './words-of-the-engine.ts'
import { wordsOfTheModel } from './words-of-the-model.ts'
import type { Said } from './words.ts'

type Difference = { readonly story: string; readonly numbers: readonly number[] }

export const agreesWithTheModel: Property = {
  name: 'agrees-with-the-model',
  sentence:
    'What moves, starts, is cancelled, merges and leaves, why and in which order, is what a second reading of the specification expects.',
  watch({ inputs, configuration, queueState, check }) {
    if (!inputs) return {}
    const { state: _state, ...given } = inputs.scenario.queue ?? {}
    const model = new Model(settingsWith(given), queueState, codeHostOf(inputs.scenario))
    for (const { test, until } of inputs.scenario.quarantine ?? []) {
      model.quarantine.set(test, until === undefined ? Infinity : toMillis(until))
    }
    const unlike = differentSettings(configuration, model.settings)
    const runs = new Map<number, TestRun>()
    let wake = Infinity
    let isOver = false
    const judge = (command: Command, sequence: number, difference: Difference | null): void => {
      isOver = difference !== null
      const minute = toMinutes(command.at)
      check(!isOver, { at: command.at, sequence }, () => ({
        story: `After ${command.type} at minute ${minute}, ${difference?.story ?? ''}.`,
        pullRequests: difference?.numbers ?? [],
      }))
    }
    return {
      atRest({ step: { command, events, sequence } }) {
        if (isOver) return
        for (const event of events) {
          if (event.type === 'woken') wake = Infinity
          if (event.type === 'wakeScheduled') wake = event.wakeAt
        }
        const done = events.flatMap((event) => wordsOfTheEngine(event, runs))
        const isAccepted = take(model, command)
        const difference = isAccepted
          ? firstDifference(model.deeds.flatMap(wordsOfTheModel), done)
          : refuses
        // A property that finds the reason in the same step says more, so it comes first.
        judge(command, sequence + events.length, unlike ?? difference ?? lateWake(model, wake))
      },
      atRefusal(command, sequence) {
        if (!isOver) judge(command, sequence, take(model, command) ? accepts : null)
      },
    }
  },
}

function differentSettings(its: Configuration, mine: Configuration): Difference | null {
  const values = new Map<string, unknown>(Object.entries(its))
  const unlike = Object.entries(mine)
    .filter(([name, value]) => JSON.stringify(values.get(name)) !== JSON.stringify(value))
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  if (unlike.length === 0) return null
  return {
    story: `the model expects other settings at the start: ${unlike.join(', ')}`,
    numbers: [],
  }
}

const refuses = { story: 'the model refuses the command', numbers: [] }
const accepts = { story: 'the model accepts the command, and the engine refuses it', numbers: [] }

/** E-8: a wake-up is requested that comes in time. An earlier one changes nothing. */
function lateWake(model: Model, wake: number): Difference | null {
  const due = nextWake(model)
  if (wake <= due) return null
  const asked = wake === Infinity ? 'for none' : `for minute ${toMinutes(wake)}`
  const story = `the model expects a wake-up by minute ${toMinutes(due)} (E-8), and the engine asks ${asked}`
  return { story, numbers: [] }
}

/** Compares subject by subject. */
function firstDifference(expected: readonly Said[], done: readonly Said[]): Difference | null {
  const left = [...done]
  for (const mine of expected) {
    const at = left.findIndex(({ subject }) => subject === mine.subject)
    const [its] = at === -1 ? [] : left.splice(at, 1)
    if (its?.text !== mine.text) return between(mine, its)
  }
  return left[0] ? between(undefined, left[0]) : null
}

function between(mine: Said | undefined, its: Said | undefined): Difference {
  const expected = mine ? `${mine.text} (${rulesOf[mine.topic] ?? ''})` : 'nothing more'
  const story = `the model expects ${expected}, and the engine says ${its?.text ?? 'nothing more'}`
  return { story, numbers: [...new Set([...(mine?.numbers ?? []), ...(its?.numbers ?? [])])] }
}
