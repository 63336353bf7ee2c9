/** Ways to tell a run wrongly, or to run it wrongly, and what a property finds then. */

import type { Event, Parts, TestRun } from '../../../engine/index.ts'
import type { Property } from '../property.ts'
import { drive, type World } from './drive.ts'
import type { Facts } from './truth.ts'
import { tampered, watched, type Watched } from './watched.ts'

export type Telling = (world: World, property: Property) => Watched

/** The events as they were told, but for some. */
export const bending =
  (bend: (event: Event) => readonly Event[]): Telling =>
  (world, property) =>
    watched([property], world, tampered(drive(world), bend))

export const bendingRuns = (
  isMeant: (run: TestRun) => boolean,
  bent: (run: TestRun) => Partial<TestRun>,
): Telling =>
  bending((event) =>
    event.type === 'testRunStarted' && isMeant(event.run)
      ? [{ ...event, run: { ...event.run, ...bent(event.run) } }]
      : [event],
  )

/** Something told first that never happened. */
export function beginningWith(...first: readonly Event[]): Telling {
  let hasBegun = false
  return bending((event) => {
    const events = hasBegun ? [event] : [...first, event]
    hasBegun = true
    return events
  })
}

/** Another truth than the tests knew. */
export const believing =
  (facts: Facts): Telling =>
  (world, property) =>
    watched([property], { ...world, facts }, drive(world))

export const withEngine =
  (made: Parts): Telling =>
  (world, property) =>
    watched([property], world, drive(world, made))
