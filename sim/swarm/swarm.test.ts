import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawsOf } from '../random/draw.ts'
import { checkScenario } from '../scenario/check.ts'
import { allFeatures, featuresOf } from './features.ts'
import { swarmScenario } from './swarm.ts'

const seeds = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

describe('a swarm scenario', () => {
  test('is valid and small for every seed', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (seed) => {
        const { pullRequests = [] } = checkScenario(swarmScenario(seed), 'swarm')
        expect(pullRequests.length).toBeGreaterThan(0)
        expect(pullRequests.length).toBeLessThanOrEqual(60)
      }),
      { numRuns: 150 },
    )
  })

  test('follows from its seed alone, and differs by seed', () => {
    expect(swarmScenario(17)).toEqual(swarmScenario(17))
    const texts = seeds(300).map((seed) => JSON.stringify({ ...swarmScenario(seed), seed: 0 }))
    expect(new Set(texts).size).toBe(300)
  })

  test('has the requested features, and is otherwise the same', () => {
    const drawn = featuresOf(drawsOf(17))
    const features = featuresOf(drawsOf(17), ['mode switches', 'pauses'])
    expect([...features].toSorted()).toEqual(
      [...new Set([...drawn, 'mode switches', 'pauses'])].toSorted(),
    )
    const states = seeds(50).flatMap((seed) => swarmScenario(seed, ['pauses']).events ?? [])
    expect(states.filter((event) => event.do === 'updateQueue').length).toBeGreaterThanOrEqual(50)
  })

  test('lists its features in the description', () => {
    expect(swarmScenario(17).description).toMatch(/^Scenario 17 of the swarm: \w+.*\.$/)
  })
})

describe('among the swarm scenarios', () => {
  const all = seeds(1000).map((seed) => swarmScenario(seed))
  const share = (holds: (scenario: (typeof all)[number]) => boolean): number =>
    all.filter(holds).length / all.length

  const features = seeds(1000).map((seed) => featuresOf(drawsOf(seed)))

  test.each(allFeatures)('%s: on in some, off in many', (feature) => {
    const on = features.filter((each) => each.has(feature)).length
    expect(on).toBeGreaterThan(50)
    expect(on).toBeLessThan(850)
  })

  test('some end with a single pull request after a long pause', () => {
    const isLone = share(({ pullRequests = [] }) => {
      const [last = 0, before = 0] = pullRequests.map(({ at = 0 }) => at).toReversed()
      return last - before >= 300
    })
    expect(isLone).toBeGreaterThan(0.3)
    expect(isLone).toBeLessThan(0.7)
  })

  test('some have no disturbances, so that it is determined which pull requests merge', () => {
    const isUndisturbed = share(({ events = [], faults = {}, suiteFlakes = {} }) => {
      return [events, faults, suiteFlakes].every((each) => Object.keys(each).length === 0)
    })
    expect(isUndisturbed).toBeGreaterThan(0.15)
    expect(isUndisturbed).toBeLessThan(0.4)
  })

  test('a good part has several arrivals at one instant, and a good part has none', () => {
    const collides = share(({ pullRequests = [] }) => {
      const times = pullRequests.map(({ at }) => at)
      return new Set(times).size < times.length
    })
    expect(collides).toBeGreaterThan(0.3)
    expect(collides).toBeLessThan(0.9)
  })
})
