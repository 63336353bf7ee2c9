import type { LookupAddress } from 'node:dns'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { collectGarbage } from '../testing/garbage.ts'
import {
  delivering,
  deliveringBy,
  failing,
  accepting,
  receiver,
  silent,
} from '../testing/receiver.ts'
import { listeningWithTls } from '../testing/tls.ts'
import { readOutbox } from './outbox.ts'
import { fewestAttempts, patienceMs, waitAfter } from './dispatcher.ts'
import { makeEndpoint } from './message.ts'
import {
  type Post,
  post,
  postWithin,
  isPrivateAddress,
  privateAddressIn,
  publicLookup,
  shownTarget,
  targetFault,
} from './post.ts'

const events = ['pull_request.submitted', 'pull_request.queued'] as const

//
test('given a system time that is set back by two hours, what waits is sent after its wait', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const endpoint = makeEndpoint(
    'https://queue.example/',
    ['pull_request.submitted'],
    new Date(),
    false,
  )
  const sent: string[] = []
  const refuse: Post = (_endpoint, { id }) => {
    sent.push(id)
    return Promise.resolve({ status: 500, fault: 'answered 500' })
  }
  const { submit, log } = await deliveringBy({ post: refuse }, [endpoint])
  submit(1)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(sent).toHaveLength(1)

  vi.setSystemTime(Date.now() - 7_200_000)
  await vi.advanceTimersByTimeAsync(4_000)

  expect(sent).toHaveLength(2)
  expect(log.map((line) => /"nextMs":(\d+)/.exec(line)?.[1])).toEqual(['5000', '10000'])
})

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

  test('say why no message reaches a host with a certificate of its own', async () => {
    const { endpoint } = await receiver(accepting)
    const url = `https://localhost:${await listeningWithTls('valid')}/hook`
    const { signal } = new AbortController()
    const { fault } = await post({ ...endpoint, url }, { id: 'a', payload: '{}' }, signal)
    expect(fault).toMatch(/^its certificate is not from a known authority: name yours in NODE_EX/)
  })

  test('do not follow redirects', async () => {
    const { endpoint: elsewhere, received: redirected } = await receiver(accepting)
    const redirecting = await receiver(
      (response) => void response.writeHead(307, { location: elsewhere.url }).end(),
      { events },
    )
    const { submit, timers, close, folder } = await delivering(redirecting.endpoint)

    submit(1)
    await expect.poll(() => timers.waits).toEqual([5_000])
    await close()

    expect(redirected).toEqual([])
    const { deliveries } =
      readOutbox(folder.outbox).deliveryQueues.get(redirecting.endpoint.id) ?? {}
    const words = 'answered 307, and redirects are not followed: add where it has moved to'
    expect([...(deliveries?.values() ?? [])].map(({ fault }) => fault)).toEqual([words])
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

// The targets of webhooks: what is refused when they are added, and at each delivery.

//
test.each([
  ['ftp://hooks.example/', /http or https/],
  ['hooks.example', /http or https/],
  ['https://user@hooks.example/', /without a user and password/],
  ['https://:secret@hooks.example/', /without a user and password/],
  ['http://hooks.example:25/', /^another port: 25 belongs to another protocol/],
  ['https://hooks.example:6667/', /^another port/],
])('given %s, nothing can ever be delivered', (url, fault) => {
  expect(targetFault(url)).toMatch(fault)
})

//
test.each(['http://hooks.example/', 'https://hooks.example:8443/x?y=1', 'http://127.0.0.1:8080/'])(
  'given %s, messages can be delivered',
  (url) => {
    expect([targetFault(url), privateAddressIn(url)]).toEqual([null, null])
  },
)

//
test.each([
  ['http://10.1.2.3/', '10.1.2.3'],
  ['http://172.31.0.1/', '172.31.0.1'],
  ['http://192.168.1.1/', '192.168.1.1'],
  ['http://169.254.169.254/latest', '169.254.169.254'],
  ['http://100.64.0.1/', '100.64.0.1'],
  ['http://0.0.0.0/', '0.0.0.0'],
  ['http://0x0a000001/', '10.0.0.1'],
  ['http://167772161/', '10.0.0.1'],
  ['http://[fd00::1]/', 'fd00::1'],
  ['http://[fe80::1]/', 'fe80::1'],
  ['http://[::ffff:192.168.0.1]/', '::ffff:c0a8:1'],
  ['http://[::]/', '::'],
  ['http://[::10.0.0.1]/', '::a00:1'],
  ['http://[::ffff:0:10.0.0.1]/', '::ffff:0:a00:1'],
  ['http://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
  ['http://[64:ff9b::10.0.0.1]/', '64:ff9b::a00:1'],
  ['http://[64:ff9b:1::1]/', '64:ff9b:1::1'],
  ['http://[2002:a00:1::1]/', '2002:a00:1::1'],
  ['http://[2001:0:a00:1::1]/', '2001:0:a00:1::1'],
  ['http://[100::1]/', '100::1'],
  ['http://[fec0::1]/', 'fec0::1'],
  ['http://[ff02::1]/', 'ff02::1'],
  ['http://192.88.99.1/', '192.88.99.1'],
])('%s is private: %s', (url, address) => {
  expect(privateAddressIn(url)).toBe(address)
})

//
test.each(['127.0.0.1', '127.8.8.8', '::1', '8.8.8.8', '172.32.0.1', '2606:4700::1111', 'name'])(
  '%s is not private',
  (address) => {
    expect(isPrivateAddress(address)).toBe(false)
  },
)

//
test.each([
  ['https://hooks.example/ci', 'https://hooks.example/ci'],
  ['https://hooks.example/ci?token=s3cret', 'https://hooks.example/ci?...'],
  ['https://me:s3cret@hooks.example:8443/', 'https://hooks.example:8443/'],
  [
    'https://hooks.example/services/T1/B2/Zm9vYmFyYmF6cXV4MTIz',
    'https://hooks.example/services/T1/B2/...',
  ],
])('%s is shown as %s', (url, shown) => {
  expect(shownTarget(url)).toBe(shown)
})

//
test('given a name with a private address among others, the connection is refused', async () => {
  const addresses: LookupAddress[] = [
    { address: '8.8.8.8', family: 4 },
    { address: '10.0.0.5', family: 4 },
  ]
  const found = (host: string, all: boolean) =>
    new Promise((settle) => {
      const lookup = publicLookup((name, _options, callback) =>
        callback(null, name === 'rebound.example' ? addresses : addresses.slice(0, 1)),
      )
      lookup(host, { all }, (error, address) => settle(error?.message ?? address))
    })

  expect(await found('rebound.example', true)).toBe(
    'rebound.example is 10.0.0.5, which is a private address: webhook add --allow-private permits it',
  )
  expect(await found('public.example', true)).toEqual(addresses.slice(0, 1))
  expect(await found('public.example', false)).toBe('8.8.8.8')
})

//
test('given a private address in the webhooks file, nothing is sent, and the attempt fails', async () => {
  const endpoint = makeEndpoint('http://169.254.169.254/', null, new Date())
  const { signal } = new AbortController()

  expect(await post(endpoint, { id: 'msg_1', payload: '{}' }, signal)).toEqual({
    status: null,
    fault: '169.254.169.254 is a private address: webhook add --allow-private permits it',
  })
})

//
test('a name of this machine is a target', async () => {
  const { endpoint, received } = await receiver(accepting)
  const named = { ...endpoint, url: endpoint.url.replace('127.0.0.1', 'localhost') }
  const { signal } = new AbortController()

  const { fault } = await post(named, { id: 'msg_1', payload: '{"type":"x"}' }, signal)

  expect([fault, received.length]).toEqual([null, 1])
})

//
test('a receiver that never answers is a failure, also if garbage is collected while it is waited for', async () => {
  const { endpoint, untilReceived } = await receiver(silent)
  const { signal } = new AbortController()

  const waits = { answerMs: 500, bodyMs: 500 }
  const answer = postWithin(waits, endpoint, { id: 'msg_1', payload: '{"type":"x"}' }, signal)
  await untilReceived(1)
  collectGarbage()

  expect(await answer).toEqual({ status: null, fault: 'did not answer within 0.5 s' })
})

//
test.each([
  ['of many bytes', 1_000_000_000, 60_000],
  ['that never ends', 0, 1],
])('a body %s ends its connection, and its message has arrived', async (_name, bytes, bodyMs) => {
  let isClosed = false
  const { endpoint } = await receiver((response) => {
    response.on('close', () => void (isClosed = true))
    response.write('x'.repeat(1_000))
    // Where nobody reads any more, each write ends at once with an error.
    const more = (error?: Error | null) =>
      void (bytes > 0 && !error && response.write('x'.repeat(100_000), more))
    more()
  })
  const { signal } = new AbortController()

  const waits = { answerMs: 60_000, bodyMs }
  const message = { id: 'msg_1', payload: '{"type":"x"}' }
  expect(await postWithin(waits, endpoint, message, signal)).toEqual({ status: 200, fault: null })
  await expect.poll(() => isClosed).toBe(true)
})

//
test('a receiver that never answers holds up no other one of its host', async () => {
  const { endpoint, untilReceived } = await receiver((response, message) => {
    if (message.id === 'msg_last') accepting(response, message)
  })
  const sent = (id: string) =>
    post(endpoint, { id, payload: '{"type":"x"}' }, new AbortController().signal)

  for (let index = 1; index <= 20; index++) void sent(`msg_${index}`)
  await untilReceived(20)

  expect(await sent('msg_last')).toEqual({ status: 204, fault: null })
})
