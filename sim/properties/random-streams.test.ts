import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { properties } from './index.ts'
import { drive } from './testing/drive.ts'
import { worlds } from './testing/streams.ts'
import { checkProperties } from './testing/watched.ts'

/** The same worlds every time; campaigns of the simulator cover more. */
const drawn = { numRuns: 40, seed: 1 }

describe('the real engine violates no property', () => {
  test.each([
    {
      scene: 'with honest tests and without other commands',
      hasFaultyRuns: false,
      interferences: 0,
    },
    {
      scene: 'with cancels, restarts, pushes and changed settings',
      hasFaultyRuns: false,
      interferences: 8,
    },
    {
      scene: 'with runs that are lost, hang or report a wrong result',
      hasFaultyRuns: true,
      interferences: 0,
    },
    { scene: 'with all of these at once', hasFaultyRuns: true, interferences: 40 },
  ])('$scene', (options) => {
    fc.assert(
      fc.property(worlds(options), (world) => {
        expect(checkProperties(properties, world, drive(world)).violations).toEqual([])
      }),
      drawn,
    )
  })
})
