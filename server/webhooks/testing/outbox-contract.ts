/**
 * What every outbox must do, told as stories. It runs on the file of a data folder, on PostgreSQL and on the
 * simulated database.
 */

import { describe, expect, test } from 'vitest'
import type { Message } from '../message.ts'
import type { Outbox, OutboxState } from '../outbox.ts'

export type OpenOutbox = {
  /** Empty; its log has three entries. */
  readonly outbox: Outbox
  /** Settles when everything so far is kept. */
  readonly keep: () => Promise<void>
  /** Reads what is kept, as the next start does. */
  readonly reread: () => Promise<OutboxState>
}

const message = (id: string): Message => {
  const queue = 'github.com/acme/shop:main'
  const payload = `{"it's":"\\\\ ü","id":"${id}"}`
  return { id, type: 'pull_request.merged', lanes: [`${queue}#1`], queue, sequence: 1, payload }
}

const linesOf = (state: OutboxState): unknown[] => [...state.lines()].slice(1)

export function describeOutbox(name: string, open: () => Promise<OpenOutbox>): void {
  describe(`an outbox in ${name}`, () => {
    tellOfMessages(open)
    tellOfEndpoints(open)
  })
}

function tellOfMessages(open: () => Promise<OpenOutbox>): void {
  test('keeps what waits, in order, with its attempts and the position in the log', async () => {
    const { outbox, keep, reread } = await open()
    outbox.add({ line: 'endpoint', endpoint: 'a' })
    outbox.add({ line: 'endpoint', endpoint: 'b' })
    outbox.add({ line: 'message', message: message('2'), to: ['b'], since: 7 })
    await keep()
    outbox.add({ line: 'message', message: message('1'), to: ['a', 'b'], since: 8 })
    outbox.add({ line: 'message', message: message('3'), to: ['b'], since: 9 })
    const failed = { attempts: 2, notBefore: 99, fault: 'answered 500' }
    outbox.add({ line: 'failed', endpoint: 'b', message: '2', ...failed })
    outbox.add({ line: 'delivered', endpoint: 'a', message: '1' })
    outbox.reach(3)
    await keep()

    const kept = await reread()
    expect(linesOf(kept)).toEqual(linesOf(outbox.state))
    expect(kept.origin).toBe(outbox.state.origin)
    expect(kept.through).toBe(3)
    expect([...(kept.deliveryQueues.get('b')?.deliveries.keys() ?? [])]).toEqual(['2', '1', '3'])
    expect(kept.deliveryQueues.get('b')?.deliveries.get('2')).toMatchObject(failed)
  })

  test('given a message that everybody has accepted, nothing of it is left', async () => {
    const { outbox, keep, reread } = await open()
    outbox.add({ line: 'endpoint', endpoint: 'a' })
    outbox.add({ line: 'endpoint', endpoint: 'b' })
    outbox.add({ line: 'message', message: message('1'), to: ['a', 'b'] })
    await keep()
    outbox.add({ line: 'delivered', endpoint: 'a', message: '1' })
    await keep()
    expect([...((await reread()).deliveryQueues.get('b')?.deliveries.keys() ?? [])]).toEqual(['1'])
    outbox.add({ line: 'delivered', endpoint: 'b', message: '1' })
    outbox.add({ line: 'message', message: message('2'), to: ['a'] })
    outbox.add({ line: 'delivered', endpoint: 'a', message: '2' })
    outbox.reach(3)
    await keep()
    expect(linesOf(await reread())).toEqual([
      { line: 'through', sequence: 3 },
      { line: 'endpoint', endpoint: 'a' },
      { line: 'endpoint', endpoint: 'b' },
    ])
  })
}

function tellOfEndpoints(open: () => Promise<OpenOutbox>): void {
  test('keeps what was given up, and what was asked for since', async () => {
    const { outbox, keep, reread } = await open()
    outbox.add({ line: 'endpoint', endpoint: 'a' })
    outbox.add({ line: 'message', message: message('1'), to: ['a'], since: 1 })
    outbox.add({ line: 'undelivered', endpoint: 'a', message: '1', fault: 'the endpoint is gone' })
    outbox.add({ line: 'gone', endpoint: 'a' })
    await keep()
    expect((await reread()).deliveryQueues.get('a')).toMatchObject({
      isGone: true,
      undelivered: ['1'],
    })
    outbox.add({ line: 'resend', endpoint: 'a', wished: '2026-11-22T10:00:00Z' })
    await keep()
    const kept = await reread()
    expect(kept.deliveryQueues.get('a')).toEqual(outbox.state.deliveryQueues.get('a'))
    expect(kept.deliveryQueues.get('a')).toMatchObject({ isGone: false, undelivered: [] })
  })

  test('given an endpoint that was removed, its messages are gone and those of others stay', async () => {
    const { outbox, keep, reread } = await open()
    outbox.add({ line: 'endpoint', endpoint: 'a' })
    outbox.add({ line: 'endpoint', endpoint: 'b' })
    outbox.add({ line: 'message', message: message('1'), to: ['a'], since: 1 })
    outbox.add({ line: 'message', message: message('2'), to: ['a', 'b'], since: 2 })
    await keep()
    outbox.add({ line: 'removed', endpoint: 'a' })
    await keep()
    const { deliveryQueues } = await reread()
    expect([...deliveryQueues.keys()]).toEqual(['b'])
    expect([...(deliveryQueues.get('b')?.deliveries.keys() ?? [])]).toEqual(['2'])
  })
}
