import { expect, test } from 'vitest'
import { connectionFault, shownAddress } from './address.ts'

const address = 'postgres://farm:s3cr%40t@db.example:5432/farm?sslmode=require'
const fault = (message: string, code: string): string =>
  connectionFault(address, 'sim', Object.assign(new Error(message), { code })).message

test('an address is shown without password and parameters', () => {
  expect(shownAddress(address)).toBe('postgres://farm@db.example:5432/farm')
})

test('given a wrong password, a fault says where a right one may come from', () => {
  expect(fault('password authentication failed for user "farm"', '28P01')).toBe(
    'sim: postgres://farm@db.example:5432/farm: expected the right password, in the address, in PGPASSWORD or in ~/.pgpass, got password authentication failed for user "farm"',
  )
})

test('a fault never shows the password, whatever the driver says, and has one line', () => {
  const shown = fault('no good: s3cr@t\nor s3cr%40t\nsecond', 'XX000')
  expect(shown).toContain('expected a PostgreSQL that can be used, got no good: *** or *** second')
  expect(shown.split('\n')).toHaveLength(1)
})
