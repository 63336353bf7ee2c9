import type { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeTerms } from '../timing/testing/terms-contract.ts'
import { connect } from './connect.ts'
import { sharedNotes, sharedTerms } from './shared-state.ts'
import { withPostgres } from './testing/with-postgres.ts'

withPostgres((postgres) => {
  let pool: Pool
  beforeAll(async () => {
    pool = await connect(await postgres.database())
  })
  afterAll(() => pool.end())
  beforeEach(() => pool.query('delete from mergeyard.terms'))

  /** Moves the end of all terms; a term lasts five seconds. */
  const moveEnds = (byMs: number) =>
    pool.query('update mergeyard.terms set until = until + $1', [byMs])

  describeTerms('PostgreSQL', () =>
    Promise.resolve({ one: sharedTerms(pool, 'hosts'), other: sharedTerms(pool, 'hosts') }),
  )

  test('the work of another name has terms of its own', async () => {
    expect(await sharedTerms(pool, 'hosts').take('one')).toBe(true)
    expect(await sharedTerms(pool, 'others').take('other')).toBe(true)
  })

  test('a term whose end is too far away, because a clock was ahead, can be taken', async () => {
    const terms = sharedTerms(pool, 'hosts')
    await terms.take('one')
    await moveEnds(3_600_000)
    expect(await terms.take('other')).toBe(true)
  })

  test('notes are for the next server, and are written only in the term', async () => {
    const terms = sharedTerms(pool, 'hosts')
    const notesOf = (server: string) =>
      sharedNotes(pool, 'local/acme/shop:main', { term: 'hosts', server })
    await terms.take('one')
    const notes = await notesOf('one')
    expect(notes.read()).toBeNull()
    await notes.write('first')
    await notes.write('second')
    await moveEnds(-5_000)
    await notes.write('too late')
    await terms.take('other')
    const next = await notesOf('other')
    expect(next.read()).toBe('second')
    await next.write('third')
    await notes.write('too late')
    expect((await notesOf('other')).read()).toBe('third')
  })
})
