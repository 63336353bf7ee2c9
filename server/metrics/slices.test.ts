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

test('with many queues each metric has one header, and all series that single scrapes have', async () => {
  const told = new ToldQueue({})
  for (let index = 1; index < 45; index++) {
    const name = `github.com/acme/shop-${index}:main`
    told.at(0, told.created.command, name)
    told.at(0, { type: 'submitPullRequest', number: 1 }, name)
  }
  const queues = [...told.registry.queues]
  const seriesOf = (text: string): string[] =>
    text.split('\n').filter((line) => line.startsWith('mq_'))

  const text = await metricsOf(queues, 0)

  const single: string[] = []
  for (const queue of queues) single.push(...seriesOf(await metricsOf([queue], 0)))
  expect(seriesOf(text).toSorted()).toEqual(single.toSorted())
  // The series of a metric follow its only header.
  const blocks = text.trimEnd().split('\n\n')
  expect(blocks.length).toBeGreaterThan(8)
  for (const block of blocks) {
    const [, name = ''] = /^# HELP (\w+) .*\n# TYPE/.exec(block) ?? []
    expect(seriesOf(block).every((line) => line.startsWith(name))).toBe(true)
    expect(block.match(/^# HELP/gm)).toHaveLength(1)
  }
})
