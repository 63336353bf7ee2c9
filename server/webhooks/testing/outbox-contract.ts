/**
 * What every outbox must do, told as stories. It runs on the file of a data folder, on PostgreSQL and on the
 * simulated database.
 */

import { describe, expect, test } from 'vitest'
import type { Message } from '../message.ts'
import type { Outbox, OutboxState } from '../outbox.ts'
import type { Terms } from '../../timing/term-keeper.ts'
import {
  type KeptLine,
  type OutboxDatabase,
  type OutboxWrite,
  SharedOutbox,
  stateOf,
} from '../outbox-database.ts'

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

// What every database with a shared outbox must do in the terms of senders, told as stories. It runs on the simulated
// database and on PostgreSQL, so that what the rehearsals simulate is what there is.

/** Connections of different servers to one database. Its log has three entries with these chains. */
export type OutboxPair = {
  readonly one: OutboxDatabase
  readonly other: OutboxDatabase
  /** The terms of the sender. */
  readonly terms: Terms
}
export const chains = ['chain-1', 'chain-2', 'chain-3'] as const

const end = { sequence: 3, chain: 'chain-3' }
const linesAt = (revision: number): readonly KeptLine[] => [
  { place: revision + 1, message: null, line: { line: 'endpoint', endpoint: 'a' } },
]
const writeOf = (revision: number, more: Partial<OutboxWrite> = {}): OutboxWrite => ({
  revision,
  position: end,
  lines: linesAt(revision),
  settled: [],
  ...more,
})

export function describeOutboxDatabase(name: string, open: () => Promise<OutboxPair>): void {
  describeOutbox(name, () => outboxIn(open))
  describe(`the term of a sender in ${name}`, () => {
    tellOfTerms(open)
    tellOfWrites(open)
  })
}

/** The outbox of a sender that has the term. */
async function outboxIn(open: () => Promise<OutboxPair>): Promise<OpenOutbox> {
  const { one, other, terms } = await open()
  await terms.take('a')
  const outbox = new SharedOutbox({ database: one, sender: 'a' })
  outbox.load(await one.read())
  return {
    outbox,
    keep: () => outbox.write(end),
    reread: async () => stateOf(await other.read()),
  }
}

function tellOfTerms(open: () => Promise<OutboxPair>): void {
  test('given another server has the term, it goes on from what was written, and nobody else writes', async () => {
    const { one, other, terms } = await open()
    await terms.take('a')
    expect(await one.write('a', writeOf(0))).toBe(true)
    expect(await other.write('b', writeOf(1))).toBe(false)
    await terms.giveBack('a')
    expect(await one.write('a', writeOf(1))).toBe(false)
    await terms.take('b')
    expect(await other.read()).toMatchObject({ revision: 1, position: end, lines: linesAt(0) })
    expect(await one.write('a', writeOf(1))).toBe(false)
    expect(await other.write('b', writeOf(1))).toBe(true)
    expect((await one.read()).lines).toEqual([...linesAt(0), ...linesAt(1)])
  })

  test('given a sender that is silent, its write is refused once the term is over', async () => {
    const { one, other, terms } = await open()
    await terms.take('a')
    await expect.poll(() => terms.take('b')).toBe(true)
    expect(await one.write('a', writeOf(0))).toBe(false)
    expect((await other.read()).lines).toEqual([])
  })
}

function tellOfWrites(open: () => Promise<OutboxPair>): void {
  test.each([
    ['somebody has written since', { revision: 7 }],
    ['the log does not have the entry', { position: { sequence: 4, chain: 'chain-4' } }],
    ['the log has another entry there', { position: { sequence: 3, chain: 'of a lost tail' } }],
  ])('given %s, a write is refused, and nothing of it is there', async (_, more) => {
    const { one, other, terms } = await open()
    await terms.take('a')
    const first = { place: 1, message: '1', line: { line: 'endpoint', endpoint: 'b' } as const }
    expect(await one.write('a', writeOf(0, { lines: [first] }))).toBe(true)
    expect(await one.write('a', writeOf(1, { settled: ['1'], ...more }))).toBe(false)
    expect(await other.read()).toMatchObject({ position: end, lines: [first] })
  })
}
