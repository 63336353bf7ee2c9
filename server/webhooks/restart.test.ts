import { describe, expect, test } from 'vitest'
import { delivering, reopened } from '../testing/webhook-setup.ts'
import { failing, accepting, receiver } from '../testing/receiver.ts'
import { writeEndpoints } from './message.ts'
import { readOutbox } from './outbox-file.ts'

const events = ['pull_request.submitted'] as const

describe('after a restart', () => {
  test('pending messages are sent in order with the same ids, and delivered ones are not repeated', async () => {
    const first = await receiver(failing, { events })
    const port = Number(new URL(first.endpoint.url).port)
    const begun = await delivering(first.endpoint)
    begun.submit(1)
    begun.submit(2)
    await first.untilReceived(1)
    await expect.poll(() => begun.timers.waits).toEqual([5_000])
    await begun.close()
    await first.close()

    const second = await receiver(accepting, { port, events })
    await reopened(begun.folder, begun.timers)
    begun.timers.advance(5_000)
    await second.untilReceived(2)

    expect(second.received[0]?.id).toBe(first.received[0]?.id)
    expect(second.messages()).toEqual(['submitted 1', 'submitted 2'])
  })

  test('a removed endpoint gets nothing, and a new one gets only new messages', async () => {
    const old = await receiver(failing, { events })
    const { submit, folder, close, timers } = await delivering(old.endpoint)
    submit(1)
    await old.untilReceived(1)
    await close()
    const fresh = await receiver(accepting, { events })
    await writeEndpoints(folder.webhooks, [fresh.endpoint])

    const send = await reopened(folder, timers)
    timers.advance(5_000)
    send({ type: 'submitPullRequest', number: 2 })
    await fresh.untilReceived(1)

    expect(fresh.messages()).toEqual(['submitted 2'])
    expect(old.received).toHaveLength(1)
    await expect
      .poll(() => [...readOutbox(folder.outbox).deliveryQueues.keys()])
      .toEqual([fresh.endpoint.id])
  })
})

test('a new endpoint is on disk before the first command, so a kill cannot make it new again', async () => {
  const { endpoint } = await receiver(accepting, { events })
  const { folder } = await delivering(endpoint)
  expect([...readOutbox(folder.outbox).deliveryQueues.keys()]).toEqual([endpoint.id])
})

test('undelivered messages are sent again once after a resend request, also to an endpoint that responded 410', async () => {
  let status = 410
  const there = await receiver((response) => void response.writeHead(status).end(), { events })
  const { endpoint } = there
  const { submit, folder, close, timers } = await delivering(endpoint)
  submit(1)
  await expect
    .poll(() => readOutbox(folder.outbox).deliveryQueues.get(endpoint.id)?.undelivered)
    .toHaveLength(1)

  status = 200
  await writeEndpoints(folder.webhooks, [{ ...endpoint, resendWished: '2026-11-22T10:00:00Z' }])
  await there.untilReceived(2)
  await expect
    .poll(() => readOutbox(folder.outbox).deliveryQueues.get(endpoint.id))
    .toMatchObject({ isGone: false, deliveries: new Map(), undelivered: [] })
  await close()
  const send = await reopened(folder, timers)
  send({ type: 'submitPullRequest', number: 2 })
  await there.untilReceived(3)

  expect(there.messages()).toEqual(['submitted 1', 'submitted 1', 'submitted 2'])
  expect(there.received[1]?.id).toBe(there.received[0]?.id)
})
