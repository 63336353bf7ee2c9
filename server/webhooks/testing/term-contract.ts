/**
 * What every database with a shared outbox must do about terms, told as stories. It runs on the simulated
 * database and on PostgreSQL, so that what the rehearsals simulate is what there is.
 */

import { describe, expect, test } from 'vitest'
import type { OutboxDatabase, OutboxWrite, Term } from '../outbox-database.ts'
import { SharedOutbox, stateOf } from '../shared-outbox.ts'
import { describeOutbox, type OpenOutbox } from './outbox-contract.ts'

/** Connections of different servers to one database. Its log has three entries with these chains. */
export type OutboxPair = { readonly one: OutboxDatabase; readonly other: OutboxDatabase }
export const chains = ['chain-1', 'chain-2', 'chain-3'] as const

const end = { sequence: 3, chain: 'chain-3' }
const writeOf = ({ revision }: Term, more: Partial<OutboxWrite> = {}): OutboxWrite => {
  const line = { line: 'endpoint', endpoint: 'a' } as const
  const lines = [{ place: revision + 1, message: null, line }]
  return { revision, position: end, lines, settled: [], ...more }
}

async function taken(database: OutboxDatabase, sender: string): Promise<Term> {
  const term = await database.take(sender)
  if (!term) throw new Error(`${sender} did not get the term`)
  return term
}

export function describeOutboxDatabase(name: string, open: () => Promise<OutboxPair>): void {
  describeOutbox(name, () => outboxIn(open))
  describe(`the term of a sender in ${name}`, () => {
    tellOfTerms(open)
    tellOfWrites(open)
  })
}

/** The outbox of a sender whose clock stands still. */
async function outboxIn(open: () => Promise<OutboxPair>): Promise<OpenOutbox> {
  const { one, other } = await open()
  const term = await taken(one, 'a')
  const outbox = new SharedOutbox({ database: one, term, askedAt: 0, clock: () => 0 })
  outbox.load(await one.read())
  return {
    outbox,
    keep: () => outbox.write(end),
    reread: async () => stateOf(await other.read()),
  }
}

function tellOfTerms(open: () => Promise<OutboxPair>): void {
  test('given two servers that ask at once, one gets it', async () => {
    const { one, other } = await open()
    const terms = await Promise.all([one.take('a'), other.take('b')])
    expect(terms.filter((term) => term !== null)).toMatchObject([
      { number: 1, revision: 0, position: { sequence: 0, chain: '' } },
    ])
  })

  test('given it is given back, another server goes on from what was written', async () => {
    const { one, other } = await open()
    const first = await taken(one, 'a')
    expect(await one.write(first, writeOf(first))).toBe(true)
    expect(await other.take('b')).toBeNull()
    await one.giveBack(first)
    expect(await taken(other, 'b')).toMatchObject({ number: 2, revision: 1, position: end })
    expect((await other.read()).lines).toEqual(writeOf(first).lines)
  })

  test('given a sender that is silent, another server gets it after some seconds', async () => {
    const { one, other } = await open()
    const silent = await taken(one, 'a')
    let next: Term | null = null
    await expect
      .poll(async () => (next ??= await other.take('b')), { timeout: 20_000 })
      .toMatchObject({ number: 2 })
    expect(await one.write(silent, writeOf(silent))).toBe(false)
    // What it gives back is not its own any more.
    await one.giveBack(silent)
    expect(await one.take('a')).toBeNull()
  })

  test('given a sender that has failed, it can begin again at once', async () => {
    const { one } = await open()
    const failed = await taken(one, 'a')
    const again = await taken(one, 'a')
    expect(again.number).toBe(2)
    expect(await one.write(failed, writeOf(failed))).toBe(false)
    expect(await one.write(again, writeOf(again))).toBe(true)
  })
}

function tellOfWrites(open: () => Promise<OutboxPair>): void {
  test.each([
    ['somebody has written since', { revision: 7 }],
    ['the log does not have the entry', { position: { sequence: 4, chain: 'chain-4' } }],
    ['the log has another entry there', { position: { sequence: 3, chain: 'of a lost tail' } }],
  ])('given %s, a write is refused, and nothing of it is there', async (_, more) => {
    const { one, other } = await open()
    const term = await taken(one, 'a')
    const first = { place: 1, message: '1', line: { line: 'endpoint', endpoint: 'b' } as const }
    expect(await one.write(term, writeOf(term, { lines: [first] }))).toBe(true)
    const next = { ...writeOf({ ...term, revision: 1 }), settled: ['1'], ...more }
    expect(await one.write(term, next)).toBe(false)
    expect(await other.read()).toMatchObject({ position: end, lines: [first] })
  })
}
