/** A scrape takes several turns of the event loop and shows the instant at which it began. */

import { expect, test } from 'vitest'
import type { RecordedCommand } from '../../engine/index.ts'
import { QueueRegistry } from '../queues/queue-registry.ts'
import { silent } from '../testing/recording.ts'
import { Metrics } from './metrics.ts'

const shop = 'github.com/acme/shop:main'

function filled(pullRequests: number) {
  const registry = new QueueRegistry(silent)
  const metrics = new Metrics(() => registry.at)
  const send = (command: RecordedCommand): void => {
    const sequence = registry.sequence + 1
    const outcome = registry.apply({ sequence, at: sequence, queue: shop, command })
    if (!outcome.accepted) throw new Error(outcome.rejection.code)
  }
  const incarnation = '0c9a5a2e-5b1f-4a33-8c1d-000000000001'
  send({ type: 'createQueue', incarnation, set: { concurrency: 1000 } })
  for (let number = 1; number <= pullRequests; number++) send({ type: 'submitPullRequest', number })
  return { scrape: () => metrics.textOf([...registry.queues]), send }
}

//
test('commands during a scrape do not change what it shows, and the loop turns meanwhile', async () => {
  const { scrape, send } = filled(2000)
  const before = await scrape()

  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const scraping = scrape()
  for (let testRun = 1; testRun <= 500; testRun++) {
    send({ type: 'finishTestRun', testRun, outcome: 'passed' })
  }
  const during = await scraping
  isOver = true

  expect(during).toBe(before)
  // 2,000 pull requests in slices of 500.
  expect(turns).toBeGreaterThanOrEqual(4)
  expect(await scrape()).toContain('conclusion="merged"} 500')
})
