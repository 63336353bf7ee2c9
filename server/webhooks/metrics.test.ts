import { expect, test } from 'vitest'
import { delivering, receiver } from '../testing/receiver.ts'
import { DrivenQueue } from '../testing/driven-queue.ts'
import { writeEndpoints } from './message.ts'
import { waitAfter } from './dispatcher.ts'

const events = ['pull_request.submitted'] as const
/** The queue `main` as the webhooks see it in a scrape. */
const scraped = [new DrivenQueue().queue]

//
test('a scrape tells the backlog, the age of its oldest message, and the attempts', async () => {
  let status: number | null = 500
  const there = await receiver(
    (response) => {
      if (status === null) response.destroy()
      else response.writeHead(status).end()
    },
    { events },
  )
  const { submit, timers, webhooks } = await delivering(there.endpoint)
  const { id: endpoint } = there.endpoint
  const labels = `host="github.com",repo="acme/shop",branch="main",endpoint="${endpoint}"`
  const samples = async (): Promise<string[]> =>
    (await webhooks.metricsOf(scraped))
      .split('\n')
      .filter((line) => line.startsWith('mq_'))
      .map((line) => line.replace(`{${labels}`, '{').replace('{}', '').replace('{,', '{'))

  submit(1)
  submit(2)
  await expect.poll(() => timers.waits).toEqual([waitAfter(1)])
  status = null
  timers.advance(waitAfter(1))
  await expect.poll(() => timers.waits).toEqual([waitAfter(2)])

  expect(await samples()).toEqual([
    'mq_webhook_backlog 2',
    'mq_webhook_oldest_waiting_seconds 5',
    'mq_webhook_undelivered 0',
    'mq_webhook_attempts_total{outcome="delivered"} 0',
    'mq_webhook_attempts_total{outcome="refused"} 1',
    'mq_webhook_attempts_total{outcome="no_response"} 1',
    'mq_webhook_given_up_total 0',
  ])

  status = 204
  timers.advance(waitAfter(2))
  await there.untilReceived(4)
  await expect.poll(samples).toContain('mq_webhook_attempts_total{outcome="delivered"} 2')
  expect(await samples()).toEqual(
    expect.arrayContaining(['mq_webhook_backlog 0', 'mq_webhook_oldest_waiting_seconds 0']),
  )
})

//
test('messages that were given up are counted, until they are sent again', async () => {
  let status = 410
  const there = await receiver((response) => void response.writeHead(status).end(), { events })
  const { submit, webhooks, folder } = await delivering(there.endpoint)
  const valueOf = async (name: string): Promise<string | undefined> =>
    new RegExp(`^${name}\\{.*\\} (\\d+)$`, 'm').exec(await webhooks.metricsOf(scraped))?.[1]

  submit(1)
  await expect.poll(() => valueOf('mq_webhook_given_up_total')).toBe('1')
  expect(await valueOf('mq_webhook_undelivered')).toBe('1')
  status = 204
  await writeEndpoints(folder.webhooks, [
    { ...there.endpoint, resendWished: '2026-11-22T10:00:00Z' },
  ])
  await expect.poll(() => valueOf('mq_webhook_undelivered')).toBe('0')
  expect(await valueOf('mq_webhook_given_up_total')).toBe('1')
})

//
test('a scrape shows only the queues that were asked for', async () => {
  const there = await receiver(undefined, { events })
  const { webhooks } = await delivering(there.endpoint)
  const driven = new DrivenQueue()
  driven.at(0, driven.created.command, { queue: 'github.com/acme/shop:other' })
  const text = await webhooks.metricsOf([...driven.registry.queues].slice(1))
  expect(text).toContain('branch="other"')
  expect(text).not.toContain('branch="main"')
  expect(await webhooks.metricsOf([])).not.toContain('endpoint=')
})
