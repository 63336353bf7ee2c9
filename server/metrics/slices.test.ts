/** A scrape takes several turns of the event loop and shows the instant at which it began. */

import { expect, test } from 'vitest'
import { ToldQueue } from '../testing/told-queue.ts'
import { metricsOf } from './metrics.ts'

//
test('commands during a scrape do not change what it shows, and the loop turns meanwhile', async () => {
  const told = new ToldQueue({ concurrency: 1000 })
  for (let number = 1; number <= 2000; number++) told.submit(1, number)
  const scrape = () => metricsOf([told.queue], told.registry.at)
  const before = await scrape()

  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const scraping = scrape()
  for (let testRun = 1; testRun <= 500; testRun++) told.end(2, testRun, 'passed')
  const during = await scraping
  isOver = true

  expect(during).toBe(before)
  // 2,000 pull requests in slices of 500.
  expect(turns).toBeGreaterThanOrEqual(4)
  expect(await scrape()).toContain('conclusion="merged"} 500')
})
