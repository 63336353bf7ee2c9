import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { properties } from './index.ts'
import { engineWith } from './testing/defects.ts'
import { drive } from './testing/drive.ts'
import { inLanes } from './testing/in-lanes.ts'
import { cancel, submit } from './testing/script.ts'
import { worlds } from './testing/streams.ts'
import { watched } from './testing/watched.ts'
import { cancelWithoutRestarts } from './testing/wrong-decisions.ts'
import { cases } from './testing/wrong-lanes.ts'

describe('in parallel mode each property can be violated', () => {
  const propertyOf = (name: string): (typeof properties)[number] => {
    const found = properties.find((property) => property.name === name)
    if (!found) throw new Error(`no property is called ${name}`)
    return found
  }

  test.each(cases)('$property: $wrongly', ({ property: name, world, telling, story }) => {
    const property = propertyOf(name)
    const rightly = watched([property], world, drive(world))
    expect(rightly.violations).toEqual([])
    expect(rightly.checks).toBeGreaterThan(0)
    expect(telling(world, property).stories.join('\n')).toMatch(story)
  })

  test('none is left out', () => {
    const named = new Set(cases.map(({ property }) => property))
    expect(properties.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([])
  })
})

describe('lanes that share nothing', () => {
  test('are compared up to each other: whatever order they merge in, nothing is violated', () => {
    const world = inLanes(submit(0, 1, 2, 3, 4), { runMinutes: [30, 30, 10, 10] })
    expect(watched(properties, world, drive(world)).violations).toEqual([])
  })

  test('but not with a predecessor that left: that run has tested something else', () => {
    const world = inLanes([...submit(0, 1, 2, 3), cancel(1, 1)], { runMinutes: [30, 30] })
    const wrong = engineWith({}, { decide: cancelWithoutRestarts })
    expect(watched(properties, world, drive(world)).violations).toEqual([])
    const found = watched(properties, world, drive(world, wrong)).violations
    expect(found.map(({ property }) => property)).toContain('trunk-stays-green')
  })

  test('may clash: two that break together, in lanes of their own, are no fault of the queue', () => {
    const world = inLanes(submit(0, 1, 2, 3, 4), { facts: { pairs: [[1, 2]] } })
    const { moments } = drive(world)
    const merged = moments.flatMap(({ events }) =>
      events.flatMap((event) => (event.type === 'tipMoved' ? (event.number ?? []) : [])),
    )
    expect(merged).toEqual(expect.arrayContaining([1, 2]))
    expect(watched(properties, world, drive(world)).violations).toEqual([])
  })

  test('of one lane two that break together are one too many: the truth is told there', () => {
    const world = inLanes(submit(0, 1, 2, 3, 4))
    const [truth] = properties
    const found = watched(
      truth ? [truth] : [],
      { ...world, facts: { pairs: [[1, 3]] } },
      drive(world),
    )
    expect(found.stories.join('\n')).toMatch(/the branch is broken/)
  })
})

describe('the engine as it is violates nothing in parallel mode', () => {
  test.each([
    { scene: 'in a quiet world of honest tests', hasOddRuns: false, interferences: 0 },
    { scene: 'with runs that err, hang and lie', hasOddRuns: true, interferences: 0 },
  ])('$scene', (ingredients) => {
    fc.assert(
      fc.property(worlds({ ...ingredients, isParallel: true }), (world) => {
        expect(watched(properties, world, drive(world)).violations).toEqual([])
      }),
      { numRuns: 200, seed: 1 },
    )
  })
})
