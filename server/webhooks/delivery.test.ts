import { describe, expect, test } from 'vitest'
import { delivering } from '../testing/webhook-setup.ts'
import { failing, accepting, receiver } from '../testing/receiver.ts'
import { readOutbox } from './outbox-file.ts'
import { fewestAttempts, patienceMs, waitAfter } from './dispatcher.ts'

const events = ['pull_request.submitted', 'pull_request.queued'] as const

describe('webhooks', () => {
  test('that fail are retried on schedule and then kept as undelivered', async () => {
    const { endpoint, received, untilReceived, messages } = await receiver(failing, { events })
    const { submit, timers, folder, close } = await delivering(endpoint)

    submit(1)
    for (let attempt = 1; attempt <= fewestAttempts; attempt++) {
      const waitMs = waitAfter(attempt)
      await untilReceived(attempt)
      await expect.poll(() => timers.waits).toEqual([waitMs])
      timers.advance(waitMs - 1)
      expect(received).toHaveLength(attempt)
      timers.advance(1)
    }
    await expect.poll(() => timers.waits).toEqual([5 * 60_000])
    timers.advance(patienceMs)
    await untilReceived(fewestAttempts + 2)
    // The delivery is given up, so no timer is left.
    await expect.poll(() => timers.waits).toEqual([])
    await close()

    expect(new Set(messages())).toEqual(new Set(['submitted 1']))
    expect(new Set(received.map(({ id }) => id)).size).toBe(1)
    const deliveries = [
      ...(readOutbox(folder.outbox).deliveryQueues.get(endpoint.id)?.deliveries.values() ?? []),
    ]
    expect(
      deliveries.map(({ isUndelivered, attempts, fault }) => ({ isUndelivered, attempts, fault })),
    ).toEqual([{ isUndelivered: true, attempts: fewestAttempts + 2, fault: 'answered 500' }])
  })

  //
  test('keep the order of their queue: what is behind a refused one waits, other queues go on', async () => {
    let isFailing = true
    const { endpoint, messages, untilReceived } = await receiver(
      (response, one) => {
        const isRefused = isFailing && one.number === 1
        response.writeHead(isRefused ? 500 : 200).end()
      },
      { events: ['pull_request.submitted', 'pull_request.canceled'] },
    )
    const { submit, send, timers, addQueue } = await delivering(endpoint)
    const next = addQueue('next')

    submit(1)
    await untilReceived(1)
    await expect.poll(() => timers.waits).toEqual([5_000])
    submit(2)
    send({ type: 'cancelPullRequest', number: 1, reason: 'USER_REQUESTED' })
    submit(3, next)
    submit(4, next)
    await untilReceived(3)
    isFailing = false
    timers.advance(5_000)
    await untilReceived(6)

    expect(messages()).toEqual([
      'submitted 1',
      'submitted 3',
      'submitted 4',
      'submitted 1',
      'submitted 2',
      'canceled 1',
    ])
  })

  test('are not sent to an endpoint that responded 410', async () => {
    const gone = await receiver((response) => void response.writeHead(410).end(), { events })
    const other = await receiver(accepting, { events })
    const { submit, timers, folder, close } = await delivering(gone.endpoint, other.endpoint)

    submit(1)
    await gone.untilReceived(1)
    await expect.poll(() => other.messages()).toEqual(['submitted 1'])
    submit(2)
    await other.untilReceived(2)
    await close()

    expect(gone.received).toHaveLength(1)
    expect(timers.waits).toEqual([])
    expect(readOutbox(folder.outbox).deliveryQueues.get(gone.endpoint.id)?.isGone).toBe(true)
  })

  test('do not follow redirects', async () => {
    const { endpoint: elsewhere, received: redirected } = await receiver(accepting)
    const redirecting = await receiver(
      (response) => void response.writeHead(307, { location: elsewhere.url }).end(),
      { events },
    )
    const { submit, timers } = await delivering(redirecting.endpoint)

    submit(1)
    await expect.poll(() => timers.waits).toEqual([5_000])

    expect(redirected).toEqual([])
  })

  test('pause delivery to a failing endpoint, however many messages are pending', async () => {
    const failed = await receiver(failing, { events })
    const { submit, timers, addQueue } = await delivering(failed.endpoint)

    for (let number = 1; number <= 100; number++) submit(number, addQueue(`branch-${number}`))
    // Eight deliveries run concurrently. After all of them have failed, the pause is 32 s.
    await failed.untilReceived(8)
    await expect.poll(() => timers.waits).toEqual([32_000])
    expect(failed.received).toHaveLength(8)
    timers.advance(32_000)
    await failed.untilReceived(9)
    await expect.poll(() => timers.waits).toEqual([60_000])

    expect(failed.received).toHaveLength(9)
  })
})
