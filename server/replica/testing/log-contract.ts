/**
 * What every database of a shared log must do, told as stories. It runs on the simulated database and on
 * PostgreSQL, so that what the rehearsals simulate is what there is.
 */

import { describe, expect, test } from 'vitest'
import { firstChain, type Head, type Line, type LogDatabase } from '../log-database.ts'

/** Two connections of different servers to the same empty database. */
export type Pair = { readonly one: LogDatabase; readonly other: LogDatabase }

const lineOf = (sequence: number, text = `{"sequence":${sequence},"it's":"\\\\ ü"}`): Line => ({
  sequence,
  text,
  chain: `chain-${sequence}`,
})
const headOf = (sequence: number): Head => ({
  sequence,
  at: 1_000 + sequence,
  chain: `chain-${sequence}`,
  engine: 1,
  wakeAt: null,
})

async function append(database: LogDatabase, from: number, to: number): Promise<void> {
  const turn = await database.begin(from - 1)
  const lines = Array.from({ length: to - from + 1 }, (_, place) => lineOf(from + place))
  await turn.commit(lines, headOf(to))
}

export function describeLogDatabase(name: string, open: () => Promise<Pair>): void {
  describe(`a shared log in ${name}`, () => {
    tellOfLines(open)
    tellOfTheLock(open)
  })
}

function tellOfLines(open: () => Promise<Pair>): void {
  test('begins empty', async () => {
    const { one } = await open()
    const { head, lines, chainBefore } = await one.readTail(0)
    expect({ head, lines, chainBefore }).toEqual({
      head: { sequence: 0, at: 0, chain: firstChain, engine: 0, wakeAt: null },
      lines: [],
      chainBefore: firstChain,
    })
    expect(await one.savedState()).toBeNull()
  })

  test('given a commit, another server sees its lines as they were written', async () => {
    const { one, other } = await open()
    await append(one, 1, 3)
    const seen = await other.readTail(1)
    expect(seen.lines).toEqual([lineOf(2), lineOf(3)])
    expect(seen.chainBefore).toBe('chain-1')
    expect(seen.head).toEqual(headOf(3))
  })

  test('given a turn that is rolled back, nothing of it is there', async () => {
    const { one, other } = await open()
    const turn = await one.begin(0)
    await turn.rollBack()
    expect((await other.readTail(0)).lines).toEqual([])
    await append(other, 1, 1)
  })
}

function tellOfTheLock(open: () => Promise<Pair>): void {
  test('given a turn is open, the next waits for its end, and sees what it wrote', async () => {
    const { one, other } = await open()
    const first = await one.begin(0)
    const second = other.begin(0)
    await first.commit([lineOf(1)], headOf(1))
    const { tail, rollBack } = await second
    await rollBack()
    expect(tail.lines).toEqual([lineOf(1)])
  })

  test('given a turn is open, a read does not wait, and sees nothing of it', async () => {
    const { one, other } = await open()
    const turn = await one.begin(0)
    expect((await other.readTail(0)).lines).toEqual([])
    await turn.rollBack()
  })

  test('given a turn that is idle, the lock goes to the next, and its commit is refused', async () => {
    const { one, other } = await open()
    const still = await one.begin(0)
    await append(other, 1, 1)
    await expect(still.commit([lineOf(1)], headOf(1))).rejects.toThrow(
      /connection error|terminat|session has ended/,
    )
    expect((await one.readTail(0)).lines).toEqual([lineOf(1)])
  })

  test('given an entry that the log does not have, says so', async () => {
    const { one } = await open()
    await append(one, 1, 2)
    expect((await one.readTail(9)).chainBefore).toBeNull()
  })

  test('the time of the database does not run backwards', async () => {
    const { one, other } = await open()
    const { now } = await one.readTail(0)
    expect((await other.readTail(0)).now).toBeGreaterThanOrEqual(now)
  })

  test('given states that were saved, the newest that fits the log is loaded', async () => {
    const { one, other } = await open()
    await append(one, 1, 3)
    const state = { at: 5, engine: 1, lines: ['{"a":"ü"}', '{"b":2}'] }
    await one.saveState({ ...state, sequence: 2, chain: 'chain-2' })
    await one.saveState({ ...state, sequence: 3, chain: 'of a tail that was lost' })
    expect(await other.savedState()).toEqual({ ...state, sequence: 2, chain: 'chain-2' })
  })
  test('given an entry, the newest saved state up to it is loaded', async () => {
    const { one, other } = await open()
    await append(one, 1, 3)
    const state = { at: 5, engine: 1, lines: ['{"a":1}'] }
    await one.saveState({ ...state, sequence: 1, chain: 'chain-1' })
    await one.saveState({ ...state, sequence: 3, chain: 'chain-3' })
    expect(await other.savedState(2)).toEqual({ ...state, sequence: 1, chain: 'chain-1' })
    expect(await other.savedState()).toMatchObject({ sequence: 3 })
    expect(await other.savedState(0)).toBeNull()
  })
}
