/**
 * Ways to alter a run, or the events that a property receives. Each returns the findings of the
 * property.
 */

import type { EngineParts } from '../../../engine/index.ts'
import type { Property } from '../../observe/property.ts'
import type { AlterEvents } from '../../run/altered-engines.ts'
import { drive, type StreamSpec } from './drive.ts'
import type { TruthFacts } from './truth.ts'
import { altered, checkProperties, type PropertyFindings } from './watched.ts'

export type Alteration = (world: StreamSpec, property: Property) => PropertyFindings

/** Passes the events of a run to the property, some of them altered. */
export const alteringEvents =
  (alter: AlterEvents): Alteration =>
  (world, property) =>
    checkProperties(
      [property],
      world,
      altered(drive(world), (event, { queue }) => alter(event, queue)),
    )

/** Gives the property a truth that differs from the outcomes of the test runs. */
export const withTruth =
  (facts: TruthFacts): Alteration =>
  (world, property) =>
    checkProperties([property], { ...world, facts }, drive(world))

/** Runs an engine with a defect. */
export const withEngine =
  (engine: EngineParts): Alteration =>
  (world, property) =>
    checkProperties([property], world, drive(world, engine))
