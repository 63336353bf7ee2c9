import { describe, expect, test } from 'vitest'
import { properties } from './index.ts'
import { deciding } from '../run/altered-engines.ts'
import { drive } from './testing/drive.ts'
import { inLanes } from './testing/in-lanes.ts'
import { cancel, submit } from './testing/script.ts'
import { checkProperties } from './testing/watched.ts'
import { cancelWithoutRestarts } from './testing/wrong-decisions.ts'
import { cases } from './testing/wrong-lanes.ts'

describe('properties in parallel mode', () => {
  const propertyOf = (name: string): (typeof properties)[number] => {
    const found = properties.find((property) => property.name === name)
    if (!found) throw new Error(`no property is called ${name}`)
    return found
  }

  test.each(cases)(
    '$property is violated when $wrongly',
    ({ property: name, world, alteration, story }) => {
      const property = propertyOf(name)
      const rightly = checkProperties([property], world, drive(world))
      expect(rightly.violations).toEqual([])
      expect(rightly.checks).toBeGreaterThan(0)
      expect(alteration(world, property).stories.join('\n')).toMatch(story)
    },
  )

  test('every property has a case', () => {
    const named = new Set(cases.map(({ property }) => property))
    expect(properties.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([])
  })
})

describe('lanes without a common target', () => {
  test('may merge in any order: no property is violated', () => {
    const world = inLanes(submit(0, 1, 2, 3, 4), { runMinutes: [30, 30, 10, 10] })
    expect(checkProperties(properties, world, drive(world)).violations).toEqual([])
  })

  test('do not excuse a run with a predecessor that left: it tested another composition', () => {
    const world = inLanes([...submit(0, 1, 2, 3), cancel(1, 1)], {
      facts: { breaks: [3], fixes: [[1, 3]] },
      runMinutes: [30, 30],
    })
    const wrong = deciding(cancelWithoutRestarts)
    expect(checkProperties(properties, world, drive(world)).violations).toEqual([])
    const found = checkProperties(properties, world, drive(world, wrong)).violations
    expect(found.map(({ property }) => property)).toContain('trunk-stays-green')
  })

  test('may clash: no violation if two that break together are in separate lanes', () => {
    const world = inLanes(submit(0, 1, 2, 3, 4), { facts: { pairs: [[1, 2]] } })
    const { steps } = drive(world)
    const merged = steps.flatMap(({ events }) =>
      events.flatMap((event) => (event.type === 'tipMoved' ? (event.number ?? []) : [])),
    )
    expect(merged).toEqual(expect.arrayContaining([1, 2]))
    expect(checkProperties(properties, world, drive(world)).violations).toEqual([])
  })

  test('are no excuse within a lane: a violation if two that break together both merge', () => {
    const world = inLanes(submit(0, 1, 2, 3, 4))
    const [truth] = properties
    const found = checkProperties(
      truth ? [truth] : [],
      { ...world, facts: { pairs: [[1, 3]] } },
      drive(world),
    )
    expect(found.stories.join('\n')).toMatch(/the branch is broken/)
  })
})
