import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { scenarioOf } from '../../sim/testing/simulated.ts'
import { otherQueue } from '../queues/index.ts'
import { bestSetting, fitsIn, splitAxis } from './best-setting.ts'
import { SettingRunner } from './runner.ts'
import { figuresWith } from './testing/trials.ts'

test('all slots are divided, half of them for bisections at most', () => {
  const labels = splitAxis(10).values.map(({ label }) => label)
  expect(labels).toEqual(['10 and 1', '9 and 1', '8 and 2', '7 and 3', '5 and 5'])
})

test.each([
  [{ batch: false, concurrency: 10, bisectionConcurrency: 1 }, true],
  [{ batch: true, concurrency: 10, bisectionConcurrency: 1 }, false],
  [{ batch: true, concurrency: 9, bisectionConcurrency: 1 }, true],
  [{ batch: true, concurrency: 10 }, false],
] as const)('%j fits in ten slots: %s', (queue, fits) => {
  expect(fitsIn(scenarioOf({ queue, pullRequests: [] }), 10)).toBe(fits)
})

/** Runs in which the shorter of two trains lands sooner. */
class ShortTrains extends SettingRunner {
  override run(...[candidates, seeds]: Parameters<SettingRunner['run']>) {
    const trials = candidates.map((candidate) => ({
      ...{ candidate, seeds },
      runs: seeds.map(() => figuresWith({ p95: candidate.slots })),
      events: seeds.map(() => 1000),
    }))
    return Promise.resolve(trials)
  }
}

test('of the few lengths of a train the best is found, as no final follows', async () => {
  const runner = new ShortTrains({
    ...{ name: '', stderr: new PassThrough(), signal: new AbortController().signal },
    ...{ spread: () => Promise.resolve(), note: () => '' },
  })
  const scenario = scenarioOf({ queue: { concurrency: 10 } })
  const budget = { text: '10s', seconds: 10 }
  const queue = otherQueue('gitlab')
  const { name } = await bestSetting(runner, { scenario, queue, budget, firstSeed: 1 })
  expect(name).toBe('pipelines of a train 1')
})
