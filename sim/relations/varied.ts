/**
 * A second engine beside the one that is watched. It is told the same commands, changed in a way
 * that must not matter, and has to answer with the same events, changed in the same way.
 */

import { runCommand, type Parts, type Queue } from '../../engine/index.ts'
import { differenceOf } from '../compare-runs.ts'
import { newQueueOf } from '../new-queue.ts'
import type { Moment } from '../moment.ts'
import type { Property } from '../properties/property.ts'
import { toMinutes } from '../time.ts'
import { linesOf } from '../trace.ts'

export type Variation = Pick<Property, 'name' | 'sentence'> & {
  /** The instant at which the second queue is made. */
  readonly begin?: number
  /** How commands and events are changed: a field's name and value to its other value. */
  readonly change?: (name: string, value: unknown) => unknown
  /** What becomes of the second queue between any two commands. */
  readonly between?: (queue: Queue) => Queue
}

/** The property that the variation changes nothing but what it changes. */
export function varied(variation: Variation): Property {
  const { name, sentence } = variation
  return {
    name,
    sentence,
    watch({ makings }, findings) {
      if (!makings) return { onMoment: () => undefined }
      const twin = new Twin(newQueueOf(makings.scenario, variation.begin), makings.parts, variation)
      let isOver = false
      return {
        onMoment(moment) {
          if (isOver) return
          findings.check()
          const difference = twin.follow(moment)
          if (!difference) return
          isOver = true
          const { command } = moment
          const sequence = moment.sequence + Math.max(difference.sameLines, 1)
          const first = difference.first ?? 'nothing more'
          const second = difference.second ?? 'nothing more'
          const at = `${command.type} at minute ${toMinutes(command.at)}`
          const story = `After ${at}, where one engine says ${first}, the other says ${second}.`
          findings.violate({ at: command.at, sequence, story, pullRequests: [] })
        },
      }
    },
  }
}

class Twin {
  readonly #parts: Parts
  readonly #variation: Variation
  #queue: Queue

  constructor(queue: Queue, parts: Parts, variation: Variation) {
    this.#queue = queue
    this.#parts = parts
    this.#variation = variation
  }

  /** The first line of the trace in which the two differ; null when they agree. */
  follow({ command, events }: Moment): ReturnType<typeof differenceOf> {
    const { between } = this.#variation
    const changed = this.#changed(command)
    const expected = linesOf(changed, this.#changed(events))
    try {
      if (between) this.#queue = between(this.#queue)
      const outcome = runCommand(this.#queue, changed, this.#parts)
      const came = outcome.accepted
        ? linesOf(changed, outcome.events)
        : `${JSON.stringify(outcome.rejection)}\n`
      return differenceOf(expected, came, 0)
    } catch (error) {
      return differenceOf(expected, `${error instanceof Error ? error.message : 'error'}\n`, 0)
    }
  }

  #changed<T>(value: T): T {
    const { change } = this.#variation
    if (!change) return value
    const changed: T = JSON.parse(JSON.stringify(value, change))
    return changed
  }
}
