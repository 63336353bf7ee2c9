/** Runs of the test world, watched by properties. */

import type { Event, EngineParts } from '../../../engine/index.ts'
import type { Step } from '../../steps/step.ts'
import type { Property, RunFacts, Violation } from '../../observe/property.ts'
import { watchProperties } from '../../observe/watch-properties.ts'
import { drive, type DrivenRun, queueOf, type StreamSpec } from './drive.ts'
import { truthOf } from './truth.ts'

export type PropertyFindings = {
  readonly checks: number
  /** How many checks an exception has left out. */
  readonly leftOut: number
  readonly violations: readonly Violation[]
  readonly stories: readonly string[]
}

/** Runs a world, with the real engine by default, and returns the findings of a property. */
export function findingsOf(
  property: Property,
  world: StreamSpec,
  engine?: EngineParts,
): PropertyFindings {
  return checkProperties([property], world, drive(world, engine))
}

/** Passes a run to properties, from its first step to its end, and returns their findings. */
export function checkProperties(
  properties: readonly Property[],
  world: StreamSpec,
  { steps, queue, flakes }: DrivenRun,
): PropertyFindings {
  const facts: RunFacts = {
    truth: truthOf(world.facts ?? {}),
    knowsTruth: true,
    isFlake: (testRun) => flakes?.has(testRun) === true,
    beginning: () => queueOf(world),
  }
  const violations: Violation[] = []
  const run = watchProperties(properties, facts, (violation) => void violations.push(violation))
  for (const step of steps) run.onStep(step)
  run.atEnd(queue)
  const checks = run.results.reduce((sum, { checked }) => sum + checked, 0)
  const leftOut = run.judged.reduce((sum, each) => sum + each.leftOut, 0)
  return { checks, leftOut, violations, stories: violations.map(({ story }) => story) }
}

/** Returns the same run with altered events. */
export function altered(
  { steps, ...run }: DrivenRun,
  alter: (event: Event, step: Step) => readonly Event[],
): DrivenRun {
  return {
    steps: steps.map((step) => ({
      ...step,
      events: step.events.flatMap((event) => alter(event, step)),
    })),
    ...run,
  }
}
