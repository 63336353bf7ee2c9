import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { properties } from './index.ts'
import { drive } from './testing/drive.ts'
import { worlds } from './testing/streams.ts'
import { watched } from './testing/watched.ts'

/** The same worlds every time; the simulator's seeds look further. */
const drawn = { numRuns: 200, seed: 1 }

describe('the engine as it is violates nothing', () => {
  test.each([
    { scene: 'in a quiet world of honest tests', hasOddRuns: false, interferences: 0 },
    { scene: 'with people in the way', hasOddRuns: false, interferences: 8 },
    { scene: 'with runs that err, hang and lie', hasOddRuns: true, interferences: 0 },
    { scene: 'with all of it at once', hasOddRuns: true, interferences: 40 },
  ])('$scene', (ingredients) => {
    fc.assert(
      fc.property(worlds(ingredients), (world) => {
        expect(watched(properties, world, drive(world)).violations).toEqual([])
      }),
      drawn,
    )
  })
})
