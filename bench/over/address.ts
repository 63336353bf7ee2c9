/** The address of the database over which a campaign is spread. */

import { connectionWords } from '../../server/postgres/store-fault.ts'
import { BadInput } from '../../server/terminal/bad-input.ts'

const schemes = new Set(['postgres:', 'postgresql:'])

/** Returns the address without its password. Nothing else of an address that is none is shown. */
export function shownAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url || !schemes.has(url.protocol)) return 'something else, not repeated here'
  const user = url.username === '' ? '' : `${url.username}@`
  return `postgres://${user}${url.host}${url.pathname}`
}

/** Throws `BadInput` unless the address is that of a PostgreSQL. */
export function refuseOtherAddress(address: string, where: string): void {
  if (URL.canParse(address) && schemes.has(new URL(address).protocol)) return
  const expected = 'an address such as postgres://farm@db/farm'
  throw new BadInput(where, [{ where: 'address', expected, actual: shownAddress(address) }])
}

/** What to do about the errors that a wrong address or a wrong role has. */
const advice: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'a PostgreSQL that listens there',
  ENOTFOUND: 'the name of a machine that is known',
  EAI_AGAIN: 'the name of a machine that is known',
  '28P01': 'the right password, in the address, in PGPASSWORD or in ~/.pgpass',
  '28000': 'a role that may connect',
  '3D000': 'a database that exists: createdb makes one',
  '42501': 'a role that may make a schema in this database',
  '25006': 'a database that can be written, not a replica',
}

/** Returns the fault of a connection that failed, in one line and without the password. */
export function connectionFault(address: string, where: string, error: unknown): BadInput {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const expected = advice[code] ?? 'a PostgreSQL that can be used'
  const actual = withoutPassword(address, connectionWords(error) || code)
  return new BadInput(where, [{ where: shownAddress(address), expected, actual }])
}

function withoutPassword(address: string, text: string): string {
  const { password } = new URL(address)
  return [password, decoded(password)]
    .filter((secret) => secret !== '')
    .reduce((left, secret) => left.replaceAll(secret, '***'), text)
}

/** A password with a percent sign may be written as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
