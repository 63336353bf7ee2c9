import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyComposition, extend } from './composition.ts'

const contents = fc.array(fc.integer({ min: -5, max: 1_000_000 }), { maxLength: 12 })

describe('a composition', () => {
  // E-13
  test('is the same whether a pull request is merged below or tested on top', () => {
    fc.assert(
      fc.property(contents, contents, (merged, tested) => {
        const tip = extend(emptyComposition, merged)
        expect(extend(tip, tested)).toBe(extend(emptyComposition, [...merged, ...tested]))
      }),
    )
  })

  // E-13
  test('differs for different contents and for different orders', () => {
    fc.assert(
      fc.property(contents, contents, (some, others) => {
        fc.pre(JSON.stringify(some) !== JSON.stringify(others))
        expect(extend(emptyComposition, some)).not.toBe(extend(emptyComposition, others))
      }),
      { numRuns: 2000 },
    )
  })
})
