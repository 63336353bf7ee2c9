/** Letting properties watch a run. */

import { configurationWith, newQueue, type Event, type Parts } from '../../../engine/index.ts'
import type { Moment } from '../../moment.ts'
import type { Property, Setting, Violation } from '../property.ts'
import { drive, type Drive, type World } from './drive.ts'
import { truthOf } from './truth.ts'

export type Watched = {
  readonly checks: number
  readonly violations: readonly Violation[]
  readonly stories: readonly string[]
}

/** What a property finds in a world, with the engine as it is or with another. */
export function find(property: Property, world: World, made?: Parts): Watched {
  return watched([property], world, drive(world, made))
}

/** Shows a run to properties, from its first moment to its end. */
export function watched(
  properties: readonly Property[],
  world: World,
  { moments, queue }: Drive,
): Watched {
  const violations: Violation[] = []
  let checks = 0
  const setting: Setting = {
    truth: truthOf(world.facts ?? {}),
    hasHonestTests: Object.values(world.oddRuns ?? {}).every((odd) => odd === 'reported twice'),
    configuration: configurationWith(world.configuration),
  }
  const watchers = properties.map((property) =>
    property.watch(setting, {
      check: () => void checks++,
      violate: ({ at, ...found }) =>
        void violations.push({ property: property.name, atMinutes: at / 60_000, ...found }),
    }),
  )
  for (const moment of moments) for (const watcher of watchers) watcher.onMoment(moment)
  for (const watcher of watchers) watcher.atEnd?.(queue)
  return { checks, violations, stories: violations.map(({ story }) => story) }
}

/** The run as it would have been published, had its events been bent on the way. */
export function tampered(
  { moments, queue }: Drive,
  bend: (event: Event, moment: Moment) => readonly Event[],
): Drive {
  return {
    moments: moments.map((moment) => ({
      ...moment,
      events: moment.events.flatMap((event) => bend(event, moment)),
    })),
    queue,
  }
}

/** A run told by hand: the events of one command after the other. */
export function told(commands: readonly (readonly Event[])[]): Drive {
  const queue = newQueue()
  let sequence = 0
  const moments = commands.map((events): Moment => {
    const moment = { sequence, command: { type: 'wake', at: 0 }, events, queue } as const
    sequence += events.length
    return moment
  })
  return { moments, queue }
}
