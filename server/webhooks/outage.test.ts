/** A receiver that is down for a while, and what happens once it is up again. */

import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test, describe } from 'vitest'
import { Webhook } from 'standardwebhooks'
import {
  type ReceiverBehavior,
  accepting,
  receiver,
  silent,
  failing,
  delivering,
  reopened,
} from '../testing/receiver.ts'
import { writeEndpoints } from './message.ts'
import { OutboxState, readOutbox, OutboxFile, writeOutbox } from './outbox.ts'
import { dataFolder } from '../store/data-folder.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { describeOutbox } from './testing/outbox-contract.ts'

const events = ['pull_request.submitted'] as const
const minute = 60_000

/** A receiver that responds 500 while it is down. */
function unreliable() {
  const state = { isDown: true }
  const behavior: ReceiverBehavior = (response) =>
    void response.writeHead(state.isDown ? 500 : 204).end()
  return { state, behavior }
}

//
test('given an outage, the first success sends everything that waits at once and in order', async () => {
  const { state, behavior } = unreliable()
  const there = await receiver(behavior, { events })
  const { submit, timers, addQueue } = await delivering(there.endpoint)
  const [next, last] = [addQueue('next'), addQueue('last')]
  submit(1)
  submit(2)
  submit(11, next)
  submit(12, next)
  await there.untilReceived(2)
  // A day of failures in two queues: both wait for minutes between their attempts.
  let failed = 2
  for (let hour = 0; hour < 20; hour++) {
    await expect.poll(() => timers.waits).toHaveLength(1)
    timers.advance(10 * minute)
    await there.untilReceived((failed += 1))
  }
  await expect.poll(() => timers.waits).toHaveLength(1)
  const before = there.received.length

  state.isDown = false
  submit(21, last)
  timers.advance(minute)
  await there.untilReceived(before + 5)

  const after = there.messages().slice(before)
  expect(after.filter((text) => / \d$/.test(text))).toEqual(['submitted 1', 'submitted 2'])
  expect(after.filter((text) => / 1\d$/.test(text))).toEqual(['submitted 11', 'submitted 12'])
  expect(after).toContain('submitted 21')
})

//
test.each([
  [429, '600'],
  [503, 'Sun, 29 Nov 2026 20:10:00 GMT'],
])('a receiver that answers %d and a time gets nothing before it', async (status, after) => {
  let isBusy = true
  const headers = { 'retry-after': after, date: 'Sun, 29 Nov 2026 20:00:00 GMT' }
  const there = await receiver(
    (response) => void response.writeHead(isBusy ? status : 204, isBusy ? headers : {}).end(),
    { events },
  )
  const { submit, timers, addQueue } = await delivering(there.endpoint)
  const next = addQueue('next')
  submit(1)
  await expect.poll(() => timers.waits).toEqual([10 * minute])
  submit(2, next)
  isBusy = false
  timers.advance(10 * minute - 1)
  expect(there.messages()).toEqual(['submitted 1'])
  timers.advance(1)
  await there.untilReceived(3)
  expect(there.messages().toSorted()).toEqual(['submitted 1', 'submitted 1', 'submitted 2'])
})

//
test('given messages that wait for their next attempt, a resend request sends them now', async () => {
  const { state, behavior } = unreliable()
  const there = await receiver(behavior, { events })
  const { submit, timers, folder } = await delivering(there.endpoint)
  submit(1)
  submit(2)
  await there.untilReceived(1)
  await expect.poll(() => timers.waits).toEqual([5_000])

  state.isDown = false
  const asked = { ...there.endpoint, resendWished: '2026-11-22T10:00:00Z' }
  await writeEndpoints(folder.webhooks, [asked])
  await there.untilReceived(3)

  expect(there.messages()).toEqual(['submitted 1', 'submitted 1', 'submitted 2'])
})

//
test('every attempt is a line of the log, without the URL', async () => {
  const { state, behavior } = unreliable()
  const there = await receiver(behavior, { events })
  const { submit, timers, log } = await delivering(there.endpoint)
  submit(7)
  await expect.poll(() => timers.waits).toEqual([5_000])
  state.isDown = false
  timers.advance(5_000)
  await expect.poll(() => log).toHaveLength(2)

  const { id: webhook, url } = there.endpoint
  const same = {
    webhook,
    message: there.received[0]?.id,
    type: 'pull_request.submitted',
    sequence: 2,
    ms: 0,
  }
  const [failed = '', delivered = ''] = log
  expect(JSON.parse(failed)).toMatchObject({
    ...same,
    attempt: 1,
    status: 500,
    fault: 'answered 500',
    nextMs: 5_000,
  })
  expect(JSON.parse(delivered)).toMatchObject({ ...same, attempt: 2, status: 204 })
  expect(log.join('')).not.toContain(url)
})

//
test('given endpoints with other selections, the outbox keeps the order of each after a restart', () => {
  const state = new OutboxState()
  const add = (number: number, ...to: readonly string[]): void => {
    const message = { id: `msg_${number}`, type: 'pull_request.merged', lanes: [] } as const
    state.apply({ line: 'message', message: { ...message, payload: '' }, to })
  }
  state.apply({ line: 'endpoint', endpoint: 'a' })
  state.apply({ line: 'endpoint', endpoint: 'b' })
  add(1, 'b')
  add(2, 'a', 'b')
  add(3, 'b')

  const again = new OutboxState()
  for (const line of state.lines()) again.apply(line)

  expect([...(again.deliveryQueues.get('b')?.deliveries.keys() ?? [])]).toEqual([
    'msg_1',
    'msg_2',
    'msg_3',
  ])
})

/** An outbox that was written with three messages, to which a fourth was added later. */
async function writtenOutbox(): Promise<{ readonly path: string; readonly lines: string[] }> {
  const state = new OutboxState()
  const add = (id: string) =>
    ({
      line: 'message',
      message: { id, type: 'pull_request.merged', lanes: [], payload: '' },
      to: ['a'],
    }) as const
  state.apply({ line: 'endpoint', endpoint: 'a' })
  for (const id of ['1', '2', '3']) state.apply(add(id))
  state.apply({ line: 'through', sequence: 3 })
  const path = dataFolder(temporaryFolder()).outbox
  await writeOutbox(path, state)
  const outbox = await OutboxFile.open(path, () => undefined)
  outbox.add(add('4'))
  await outbox.close()
  return { path, lines: readFileSync(path, 'utf8').trim().split('\n') }
}

type Damage = (lines: string[]) => string[]

const writeLines = (path: string, lines: readonly string[]): void =>
  writeFileSync(path, `${lines.join('\n')}\n`)
const flipped =
  (index: number): Damage =>
  (lines) =>
    lines.with(index, `${lines[index]}x`)

//
test.each<[string, Damage, number]>([
  ['a flipped bit in its first line', flipped(0), 1],
  ['a flipped bit in what it was written with', flipped(3), 4],
  ['nothing in it', () => [], 1],
  ['a cut in what it was written with', (lines) => lines.slice(0, 5), 6],
])('an outbox with %s is refused by the line', async (_what, damage, line) => {
  const { path, lines } = await writtenOutbox()
  writeLines(path, damage(lines))
  expect(() => readOutbox(path)).toThrow(`outbox.jsonl, line ${line}: expected a whole line`)
})

//
test.each<[string, Damage]>([
  ['a flipped bit', flipped(6)],
  ['a cut', (lines) => lines.slice(0, 6)],
])('an outbox with %s in what was added later is read up to there', async (_what, damage) => {
  const { path, lines } = await writtenOutbox()
  writeLines(path, damage(lines))
  const { deliveryQueues, through } = readOutbox(path)
  expect([...(deliveryQueues.get('a')?.deliveries.keys() ?? [])]).toEqual(['1', '2', '3'])
  // What came later is made again from there.
  expect(through).toBe(3)
})

test('messages reach an endpoint although others are down or never respond', async () => {
  const down = await receiver(accepting, { events })
  await down.close()
  const slow = await receiver(silent, { events })
  const healthy = await receiver(accepting, { events })
  const { submit } = await delivering(down.endpoint, slow.endpoint, healthy.endpoint)

  const numbers = Array.from({ length: 100 }, (_, index) => index + 1)
  for (const number of numbers) submit(number)
  await healthy.untilReceived(100)

  expect(healthy.received.map(({ number }) => number)).toEqual(numbers)
  // The slow endpoint got the first message, and delayed only its own.
  await slow.untilReceived(1)
  expect(slow.received).toHaveLength(1)
})

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

//
test('an endpoint that responded 410 gets messages again once it has another URL, also if no server runs then', async () => {
  const gone: ReceiverBehavior = (response) => void response.writeHead(410).end()
  const first = await receiver(gone, { events })
  const second = await receiver(gone, { events })
  const third = await receiver(accepting, { events })
  const { submit, folder, close, timers, log } = await delivering(first.endpoint)
  const isGone = () => readOutbox(folder.outbox).deliveryQueues.get(first.endpoint.id)?.isGone
  const setUrl = ({ endpoint: { url } }: typeof second) =>
    writeEndpoints(folder.webhooks, [{ ...first.endpoint, url }])
  submit(1)
  await expect.poll(isGone).toBe(true)

  // Another secret is no other address.
  await writeEndpoints(folder.webhooks, [{ ...first.endpoint, secret: second.endpoint.secret }])
  await expect.poll(() => log.join('')).toContain('read the webhooks again')
  submit(2)
  await setUrl(second)
  await expect.poll(isGone).toBe(false)
  submit(3)
  await expect.poll(isGone).toBe(true)
  await close()
  await setUrl(third)
  const send = await reopened(folder, timers)
  send({ type: 'submitPullRequest', number: 4 })
  await third.untilReceived(1)

  expect(first.messages()).toEqual(['submitted 1'])
  expect(second.messages()).toEqual(['submitted 3'])
  expect(third.messages()).toEqual(['submitted 4'])
})

test('given an old outbox, which does not say what is gone, another URL is noticed from the next start on', async () => {
  const there = await receiver(accepting, { events })
  const { folder, close, timers } = await delivering(there.endpoint)
  await close()
  const { id } = there.endpoint
  const old = readOutbox(folder.outbox)
  old.apply({ line: 'gone', endpoint: id })
  await writeOutbox(folder.outbox, old)
  const send = await reopened(folder, timers)
  send({ type: 'submitPullRequest', number: 1 })
  await writeEndpoints(folder.webhooks, [{ ...there.endpoint, url: `${there.endpoint.url}/2` }])
  await expect.poll(() => readOutbox(folder.outbox).deliveryQueues.get(id)?.isGone).toBe(false)
  send({ type: 'submitPullRequest', number: 2 })
  await there.untilReceived(1)
  expect(there.messages()).toEqual(['submitted 2'])
})

//
test('given another secret, address or selection of types, what waits is sent by it', async () => {
  const before = await receiver(failing, { events })
  const after = await receiver(accepting, { events })
  const { submit, folder, timers, log } = await delivering(before.endpoint)
  submit(1)
  await expect.poll(() => timers.waits).toEqual([5_000])
  const { url, secret } = after.endpoint
  await writeEndpoints(folder.webhooks, [{ ...before.endpoint, url, secret, events: null }])
  await expect.poll(() => log.join('')).toContain('read the webhooks again')
  timers.advance(5_000)
  await after.untilReceived(1)
  submit(2)
  await after.untilReceived(2)
  expect(after.messages()).toEqual(['submitted 1', 'submitted 2'])
  expect(before.received).toHaveLength(1)
  const [{ headers, text } = { headers: {}, text: '' }] = after.received
  const signed = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, String(value)]),
  )
  expect(() => new Webhook(secret).verify(text, signed)).not.toThrow()
})

test.each(['whsec_abc', 'secret'])(
  'a secret that signs nothing, %s, is not valid, and the webhooks before stay',
  async (secret) => {
    const there = await receiver(accepting, { events })
    const { submit, folder, log } = await delivering(there.endpoint)
    await writeEndpoints(folder.webhooks, [{ ...there.endpoint, secret }])
    await expect.poll(() => log.join('')).toContain('the previous webhooks stay in force')
    submit(1)
    await there.untilReceived(1)
  },
)

describeOutbox('a file', async () => {
  const path = dataFolder(temporaryFolder()).outbox
  const outbox = await OutboxFile.open(path, (error) => {
    throw error
  })
  return {
    outbox,
    keep: () => outbox.flush(),
    reread: () => Promise.resolve(readOutbox(path)),
  }
})
