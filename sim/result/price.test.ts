import { expect, test } from 'vitest'
import { simulated } from '../testing/simulated.ts'
import { priceOf, runPriceOf } from './price.ts'

const costs = { testMinutes: 300, waitedHours: 10 }

// S-244
test('the price is CI minutes and waiting hours, in one total', () => {
  const prices = { ciMinute: 0.1, waitingHour: 3 }
  expect(priceOf(costs, prices)).toEqual({ ci: 30, waiting: 30, total: 60 })
  expect(runPriceOf(costs, 8, prices)).toEqual({ ci: 30, waiting: 30, total: 60, perLanded: 7.5 })
})

test('given one price, the other counts as nothing; given none, there is no price', () => {
  expect(priceOf(costs, { ciMinute: 0.1 })).toEqual({ ci: 30, waiting: 0, total: 30 })
  expect(priceOf(costs, { waitingHour: 0 })).toEqual({ ci: 0, waiting: 0, total: 0 })
  expect(priceOf(costs, {})).toBeNull()
  expect(priceOf(costs, { ciMinute: null, waitingHour: null })).toBeNull()
})

test('given no landing, there is a total and no price for each', () => {
  expect(runPriceOf(costs, 0, { ciMinute: 1 })).toMatchObject({ total: 300, perLanded: null })
})

// S-244
test('a result has a price where the scenario gives one, and counts the wait of all submissions', () => {
  const scenario = {
    queue: { concurrency: 1 },
    pullRequests: [{ number: 1, flakyRuns: [1] }],
    resubmit: { afterMinutes: 40 },
  }
  expect(simulated(scenario)).not.toHaveProperty('price')
  // Two runs of ten minutes; it lands an hour after its first submission.
  const { price } = simulated({ ...scenario, prices: { ciMinute: 2, waitingHour: 5 } })
  expect(price).toEqual({ ci: 40, waiting: 5, total: 45, perLanded: 45 })
})
