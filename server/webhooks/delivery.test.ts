import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { delivering } from '../testing/delivering.ts'
import { failing, polite, receiver, silent } from '../testing/receiver.ts'
import { retryAfterMs } from './courier.ts'
import { readOutbox } from './outbox-file.ts'

const events = ['pull_request.submitted', 'pull_request.queued'] as const

describe('webhooks', () => {
  test('are signed so that the library of the standard verifies them', async () => {
    const { endpoint, received, untilReceived } = await receiver(polite, { events })
    const { submit } = await delivering(endpoint)

    submit(1)
    await untilReceived(1)

    const [one] = received
    if (!one) throw new Error('nothing came')
    const headers = {
      'webhook-id': one.id,
      'webhook-timestamp': String(one.headers['webhook-timestamp']),
      'webhook-signature': String(one.headers['webhook-signature']),
    }
    expect(new Webhook(endpoint.secret).verify(one.text, headers)).toMatchObject({
      type: 'pull_request.submitted',
      pr_number: 1,
    })
    expect(() => new Webhook(endpoint.secret).verify(`${one.text} `, headers)).toThrow(
      'No matching signature found',
    )
  })

  test('that fail are tried again along the schedule, and then kept as undelivered', async () => {
    const { endpoint, received, untilReceived, told } = await receiver(failing, { events })
    const { submit, timers, folder, close } = await delivering(endpoint)

    submit(1)
    for (const [attempt, waitMs] of retryAfterMs.entries()) {
      await untilReceived(attempt + 1)
      await expect.poll(() => timers.waits).toEqual([waitMs])
      timers.advance(waitMs - 1)
      expect(received).toHaveLength(attempt + 1)
      timers.advance(1)
    }
    await untilReceived(retryAfterMs.length + 1)
    // Given up, and nothing is waited for any more.
    await expect.poll(() => timers.waits).toEqual([])
    await close()

    expect(new Set(told())).toEqual(new Set(['submitted 1']))
    expect(new Set(received.map(({ id }) => id)).size).toBe(1)
    const letters = [
      ...(readOutbox(folder.outbox).mailboxes.get(endpoint.id)?.letters.values() ?? []),
    ]
    expect(
      letters.map(({ isUndelivered, attempts, fault }) => ({ isUndelivered, attempts, fault })),
    ).toEqual([{ isUndelivered: true, attempts: 7, fault: 'answered 500' }])
  })

  test('keep the order of each pull request, and hold up no other', async () => {
    let isFailing = true
    const { endpoint, told, untilReceived } = await receiver(
      (response, one) => {
        const isRefused = isFailing && one.number === 1
        response.writeHead(isRefused ? 500 : 200).end()
      },
      { events: ['pull_request.submitted', 'pull_request.canceled'] },
    )
    const { submit, send, timers } = await delivering(endpoint)

    submit(1)
    submit(2)
    await untilReceived(2)
    await expect.poll(() => timers.waits).toEqual([5_000])
    send({ type: 'cancelPullRequest', number: 1, reason: 'USER_REQUESTED' })
    submit(3)
    await untilReceived(3)
    isFailing = false
    timers.advance(5_000)
    await untilReceived(5)

    expect(told().slice(0, 2).sort(byText)).toEqual(['submitted 1', 'submitted 2'])
    expect(told().slice(2)).toEqual(['submitted 3', 'submitted 1', 'canceled 1'])
  })

  test('that answer 410 are sent nothing any more, whatever waits or comes', async () => {
    const gone = await receiver((response) => void response.writeHead(410).end(), { events })
    const other = await receiver(polite, { events })
    const { submit, timers, folder, close } = await delivering(gone.endpoint, other.endpoint)

    submit(1)
    await gone.untilReceived(1)
    await expect.poll(() => other.told()).toEqual(['submitted 1'])
    submit(2)
    await other.untilReceived(2)
    await close()

    expect(gone.received).toHaveLength(1)
    expect(timers.waits).toEqual([])
    expect(readOutbox(folder.outbox).mailboxes.get(gone.endpoint.id)?.isGone).toBe(true)
  })

  test('follow no redirect', async () => {
    const { endpoint: elsewhere, received: led } = await receiver(polite)
    const redirecting = await receiver(
      (response) => void response.writeHead(307, { location: elsewhere.url }).end(),
      { events },
    )
    const { submit, timers } = await delivering(redirecting.endpoint)

    submit(1)
    await expect.poll(() => timers.waits).toEqual([5_000])

    expect(led).toEqual([])
  })

  test('leave a dead endpoint alone for a while, however much there is to tell it', async () => {
    const dead = await receiver(failing, { events })
    const { submit, timers } = await delivering(dead.endpoint)

    for (let number = 1; number <= 100; number++) submit(number)
    // Eight were under way at once; what came of them is known when the longest rest is set.
    await dead.untilReceived(8)
    await expect.poll(() => timers.waits).toEqual([32_000])
    expect(dead.received).toHaveLength(8)
    timers.advance(32_000)
    await dead.untilReceived(9)
    await expect.poll(() => timers.waits).toEqual([60_000])

    expect(dead.received).toHaveLength(9)
  })

  test('reach those who listen though others are dead, or never answer', async () => {
    const dead = await receiver(polite, { events })
    await dead.close()
    const slow = await receiver(silent, { events })
    const alive = await receiver(polite, { events })
    const { submit } = await delivering(dead.endpoint, slow.endpoint, alive.endpoint)

    const numbers = Array.from({ length: 100 }, (_, index) => index + 1)
    for (const number of numbers) submit(number)
    await alive.untilReceived(100)

    expect(alive.received.map(({ number }) => number).sort(byValue)).toEqual(numbers)
    // It has been given as many as may be under way at once, and keeps nobody waiting but itself.
    await slow.untilReceived(8)
    expect(slow.received).toHaveLength(8)
  })
})

const byValue = (a: number | undefined, b: number | undefined): number => (a ?? 0) - (b ?? 0)
const byText = (a: string, b: string): number => a.localeCompare(b)
