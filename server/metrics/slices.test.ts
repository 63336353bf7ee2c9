/** A scrape takes several turns of the event loop and shows the instant at which it began. */

import { expect, test } from 'vitest'
import type { RecordedCommand } from '../../engine/index.ts'
import { QueueRegistry } from '../queues/queue-registry.ts'
import { silent } from '../testing/recording.ts'
import { Metrics } from './metrics.ts'

function filled(queues: number, pullRequests: number) {
  const registry = new QueueRegistry(silent)
  const metrics = new Metrics(() => registry.at)
  const send = (name: string, command: RecordedCommand): void => {
    const sequence = registry.sequence + 1
    const outcome = registry.apply({ sequence, at: sequence, queue: name, command })
    if (!outcome.accepted) throw new Error(outcome.rejection.code)
  }
  const names = Array.from({ length: queues }, (_, index) => `github.com/acme/shop-${index}:main`)
  for (const [index, name] of names.entries()) {
    const incarnation = `0c9a5a2e-5b1f-4a33-8c1d-${String(index).padStart(12, '0')}`
    send(name, { type: 'createQueue', incarnation, set: { concurrency: 1000 } })
    for (let number = 1; number <= pullRequests; number++) {
      send(name, { type: 'submitPullRequest', number })
    }
  }
  return { registry, metrics, names, send }
}

//
test('commands during a scrape do not change what it shows, and the loop turns meanwhile', async () => {
  const { registry, metrics, names, send } = filled(1, 2000)
  const [shop = ''] = names
  const before = await metrics.textOf([...registry.queues])

  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const scrape = metrics.textOf([...registry.queues])
  for (let testRun = 1; testRun <= 500; testRun++) {
    send(shop, { type: 'finishTestRun', testRun, outcome: 'passed' })
  }
  const during = await scrape
  isOver = true

  expect(during).toBe(before)
  // 2,000 pull requests in slices of 500.
  expect(turns).toBeGreaterThanOrEqual(4)
  const after = await metrics.textOf([...registry.queues])
  expect(after).toContain('conclusion="merged"} 500')
})

test('with many queues each metric has one header, and all series that single scrapes have', async () => {
  const { registry, metrics } = filled(45, 1)
  const queues = [...registry.queues]

  const lines = (await metrics.textOf(queues)).split('\n')

  const seriesOf = (text: string): string[] =>
    text.split('\n').filter((line) => line.startsWith('mq_'))
  const single: string[] = []
  for (const queue of queues) single.push(...seriesOf(await metrics.textOf([queue])))
  expect(seriesOf(lines.join('\n')).toSorted()).toEqual(single.toSorted())
  const headers = lines.filter((line) => line.startsWith('# HELP '))
  expect(new Set(headers).size).toBe(headers.length)
  expect(headers.length).toBeGreaterThan(8)
  // The series of a metric follow each other.
  const metricOf = lines.filter((line) => line.startsWith('mq_')).map((line) => line.split('{')[0])
  const changes = metricOf.filter((name, index) => name !== metricOf[index - 1])
  expect(changes.filter((name) => name?.endsWith('_total') === true)).toHaveLength(
    headers.filter((line) => line.includes('_total ')).length,
  )
})
