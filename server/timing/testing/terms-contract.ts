/**
 * What every database must do about terms, told as stories. It runs on the simulated database and on
 * PostgreSQL, so that what the rehearsals simulate is what there is.
 */

import { describe, expect, test } from 'vitest'
import type { Terms } from '../term-keeper.ts'

/** Connections of different servers to one database, for the terms of one name. */
export type TermsPair = { readonly one: Terms; readonly other: Terms }

export function describeTerms(name: string, open: () => Promise<TermsPair>): void {
  describe(`a term in ${name}`, () => {
    test('one server has it, and prolongs it, until it gives it back', async () => {
      const { one, other } = await open()
      expect(await one.take('a')).toBe(true)
      expect(await other.take('b')).toBe(false)
      expect(await one.take('a')).toBe(true)
      // It is not for others to give back.
      await other.giveBack('b')
      expect(await other.take('b')).toBe(false)
      await one.giveBack('a')
      expect(await other.take('b')).toBe(true)
      expect(await one.take('a')).toBe(false)
    })

    test('of many that ask at once one gets it', async () => {
      const { one, other } = await open()
      const asked = Array.from({ length: 20 }, (_, place) =>
        (place % 2 === 0 ? one : other).take(`server ${place}`),
      )
      expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1)
    })

    test('given a server that is silent, another one gets it after some seconds', async () => {
      const { one, other } = await open()
      expect(await one.take('a')).toBe(true)
      await expect.poll(() => other.take('b')).toBe(true)
      // What it gives back is not its own any more.
      await one.giveBack('a')
      expect(await one.take('a')).toBe(false)
    })
  })
}
