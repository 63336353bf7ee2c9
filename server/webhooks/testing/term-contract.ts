/**
 * What every database with a shared outbox must do in the terms of senders, told as stories. It runs on the simulated
 * database and on PostgreSQL, so that what the rehearsals simulate is what there is.
 */

import { describe, expect, test } from 'vitest'
import type { Terms } from '../../timing/term-keeper.ts'
import {
  type KeptLine,
  type OutboxDatabase,
  type OutboxWrite,
  SharedOutbox,
  stateOf,
} from '../outbox-database.ts'
import { describeOutbox, type OpenOutbox } from './outbox-contract.ts'

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
  ...{ revision, position: end, lines: linesAt(revision), settled: [], ...more },
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
