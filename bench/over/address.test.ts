import { describe, expect, test } from 'vitest'
import { freePort } from '../../server/postgres/testing/private-postgres.ts'
import { connectionFault, shownAddress } from './address.ts'
import { openFarm } from './farm.ts'

const address = 'postgres://farm:s3cr%40t@db.example:5432/farm?sslmode=require'

describe('an address', () => {
  test('is shown without password and parameters', () => {
    expect(shownAddress(address)).toBe('postgres://farm@db.example:5432/farm')
  })

  test.each(['s3cret', 'http://farm:s3cret@db/farm', 'postgres//s3cret'])(
    'that is none is refused without repeating it: %s',
    async (wrong) => {
      const refused = openFarm(wrong, 'worker')
      await expect(refused).rejects.toThrow(
        /^worker: address: expected an address such as postgres:/,
      )
      await expect(refused).rejects.not.toThrow('s3cret')
    },
  )

  test('at which nobody listens is refused in one line', async () => {
    const port = await freePort()
    await expect(openFarm(`postgres://farm:s3cret@127.0.0.1:${port}/farm`, 'sim')).rejects.toThrow(
      `sim: postgres://farm@127.0.0.1:${port}/farm: expected a PostgreSQL that listens there, got connect ECONNREFUSED`,
    )
  })
})

describe('a connection that failed', () => {
  const fault = (message: string, code: string): string =>
    connectionFault(address, 'sim', Object.assign(new Error(message), { code })).message

  test('given a wrong password, says where a right one may come from', () => {
    expect(fault('password authentication failed for user "farm"', '28P01')).toBe(
      'sim: postgres://farm@db.example:5432/farm: expected the right password, in the address, in PGPASSWORD or in ~/.pgpass, got password authentication failed for user "farm"',
    )
  })

  test('never shows the password, whatever the driver says, and has one line', () => {
    const shown = fault('no good: s3cr@t\nor s3cr%40t\nsecond', 'XX000')
    expect(shown).toContain(
      'expected a PostgreSQL that can be used, got no good: *** or *** second',
    )
    expect(shown.split('\n')).toHaveLength(1)
  })
})
