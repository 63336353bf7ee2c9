import { describe, expect, test } from 'vitest'
import { scenarioOf, type UnnamedScenario } from '../../sim/testing/simulated.ts'
import type { ComparedFigures } from './figures.ts'
import { strategies } from './index.ts'

function simulateWith(name: string, draft: UnnamedScenario): ComparedFigures {
  const strategy = strategies.find((each) => each.name === name)
  if (!strategy) throw new Error(`no strategy ${name}`)
  return strategy.simulate(scenarioOf(draft))
}

/** Four pull requests at once. The second breaks. Every run takes ten minutes. */
const four: UnnamedScenario = {
  queue: { concurrency: 4, batch: true, batchingMinSize: 4 },
  suite: { minutes: 10 },
  pullRequests: [{ number: 1 }, { number: 2, breaks: true }, { number: 3 }, { number: 4 }],
}

describe('the references, which know what breaks', () => {
  test('oracle: each is tested once, none on top of the culprit', () => {
    const { testRuns, merged, timeInQueueMinutes } = simulateWith('oracle', four)
    expect({ testRuns, merged, max: timeInQueueMinutes.max }).toEqual({
      testRuns: 4,
      merged: 3,
      max: 10,
    })
  })

  test('oracle: it repeats a flaky run and evicts no pull request', () => {
    const flake: UnnamedScenario = { pullRequests: [{ number: 1, flakyRuns: [1] }] }
    expect(simulateWith('oracle', flake)).toMatchObject({
      merged: 1,
      testRuns: 2,
      healthyEvicted: 0,
    })
  })

  test('batching clairvoyant: a run holds all good ones that wait, each bad one costs a run', () => {
    const three: UnnamedScenario = {
      queue: { concurrency: 3 },
      suite: { minutes: 10 },
      pullRequests: [
        { number: 1, testMinutes: 30 },
        { number: 2, at: 1, breaks: true },
        { number: 3, at: 2 },
      ],
    }
    const { merged, testRuns, healthyEvicted } = simulateWith('batching clairvoyant', three)
    expect({ merged, testRuns, healthyEvicted }).toEqual({
      merged: 2,
      testRuns: 3,
      healthyEvicted: 0,
    })
  })
})
