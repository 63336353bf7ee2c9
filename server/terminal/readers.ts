/** Reads the values of options: words, whole numbers, times. */

import type { BadInput } from './bad-input.ts'

/** Returns the error for the option that is being parsed. */
export type FaultOf = (expected: string) => BadInput

/** Converts the value of an option. Throws the error of `faultOf` for one that is not valid. */
export type Reader<T> = (text: string, faultOf: FaultOf) => T

/** One of these words. */
export const oneOf =
  <Name extends string>(names: readonly Name[], expected = names.join(', ')): Reader<Name> =>
  (text, faultOf) => {
    const name = names.find((each) => each === text)
    if (name === undefined) throw faultOf(expected)
    return name
  }

const largest = 999_999_999_999_999

/** One of the names in a table. */
export const nameIn =
  <Table extends object>(
    table: Table,
    expected = Object.keys(table).join(', '),
  ): Reader<keyof Table & string> =>
  (text, faultOf) => {
    const isIn = (name: string): name is keyof Table & string => Object.hasOwn(table, name)
    if (isIn(text)) return text
    throw faultOf(expected)
  }

/** Parses a whole number from 0 to `most`. Throws the error of `faultOf` for any other text. */
export function wholeNumber(text: string, faultOf: FaultOf, most = largest): number {
  const number = /^\d+$/.test(text) ? Number(text) : NaN
  if (number <= most) return number
  const isPlain = most === largest && !(number > most)
  throw faultOf(`a whole number ${isPlain ? 'from 0' : `up to ${most}`}`)
}

/** A whole number from 0 to `most`. */
export const upTo =
  (most: number): Reader<number> =>
  (text, faultOf) =>
    wholeNumber(text, faultOf, most)

/** A whole number from 1 to `most`. */
export const fromOneTo =
  (most: number): Reader<number> =>
  (text, faultOf) => {
    const fault = (): BadInput =>
      faultOf(`a whole number from 1${most === largest ? '' : ` to ${most}`}`)
    const number = wholeNumber(text, fault, most)
    if (number === 0) throw fault()
    return number
  }

/** A whole number that is not 0. */
export const fromOne = fromOneTo(largest)

// An end that an option sets: `30d`, `12h`, or an instant.

const hourMs = 60 * 60_000
const unitMs = { h: hourMs, d: 24 * hourMs } as const

/** A time to come, as an instant. A date begins at midnight UTC. */
export const endAfter =
  (now: Date): Reader<string> =>
  (text, faultOf) => {
    const time = timeIn(text, now.getTime())
    if (time > now.getTime()) return new Date(time).toISOString()
    throw faultOf('a time to come: 30d, 12h, 2027-01-31 or 2027-01-31T12:00Z')
  }

function timeIn(text: string, now: number): number {
  const { count, unit } = /^(?<count>[1-9]\d{0,4})(?<unit>[dh])$/.exec(text)?.groups ?? {}
  if (count !== undefined) return now + Number(count) * unitMs[unit === 'h' ? 'h' : 'd']
  const isTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/
  return isTime.test(text) ? Date.parse(text) : Number.NaN
}

/** Reads the address of a web server. What is added to it is a path. */
export const webAddress =
  (example: string): Reader<string> =>
  (text, faultOf) => {
    if (!/^https?:\/\/./.test(text) || !URL.canParse(text)) {
      throw faultOf(`an address with http or https, such as ${example}`)
    }
    const { username, password, search, hash } = new URL(text)
    if (username + password + search + hash === '') return text.replace(/\/+$/, '')
    throw faultOf(`an address without user, password, query and fragment, such as ${example}`)
  }
