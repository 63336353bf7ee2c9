import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { archetypeNames } from './archetype-names.ts'
import { allowed, fieldNames, type Changes } from './changes.ts'
import { fields } from './fields.ts'
import { fragmentOf, longestPacked, packed, readFragment, unpacked } from './fragment.ts'

const anyChange = fc.constantFrom(...fieldNames).chain((name) => {
  const { min, limit } = fields[name]
  const value = fc.double({ min, max: limit, noNaN: true })
  return fc.tuple(fc.constant(name), value)
})

const anyChanges = fc.array(anyChange, { maxLength: 6 }).map((all): Changes => {
  const changes: { -readonly [Name in keyof Changes]: Changes[Name] } = {}
  for (const [name, value] of all) changes[name] = allowed(name, value)
  return changes
})

describe('the fragment of an address', () => {
  test('given any archetype and changes, is read as it was written', () => {
    fc.assert(
      fc.property(fc.constantFrom(...archetypeNames), anyChanges, (name, changes) => {
        const address = { from: { kind: 'archetype', name }, changes } as const
        expect(readFragment(fragmentOf(address))).toEqual({ ...address, unknown: [] })
      }),
    )
  })

  test('names only what differs', () => {
    const from = { kind: 'archetype', name: 'small-team' } as const
    expect(fragmentOf({ from, changes: {} })).toBe('#from=small-team')
    expect(fragmentOf({ from, changes: { batch: 4, slots: 3 } })).toBe(
      '#from=small-team&slots=3&batch=4',
    )
  })

  test('given nothing, is the first archetype with the adaptive policy beside today’s', () => {
    const from = { kind: 'archetype', name: 'startup-monorepo' }
    expect(readFragment('')).toEqual({ from, changes: { adaptive: 1 }, unknown: [] })
  })

  test('given nonsense, leaves it out and says so', () => {
    const { changes, unknown } = readFragment(
      '#from=<b>&slots=1e9&batch=x&depth=&colour=red&__proto__=1',
    )
    expect(changes).toEqual({ slots: 500 })
    expect(unknown).toEqual(['<b>', 'batch', 'depth', 'colour', '__proto__'])
  })
})

describe('a packed scenario', () => {
  test('given any JSON that is short enough, is unpacked as it was', async () => {
    const unpackedAgain = async (document: unknown): Promise<string | null> => {
      const text = await packed(document)
      return text === null ? null : unpacked(text)
    }
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (document) => {
        expect([JSON.stringify(document), null]).toContain(await unpackedAgain(document))
      }),
    )
    expect(await unpackedAgain({ name: 'ä' })).toBe('{"name":"ä"}')
  })

  test('given one that is too long for a link, is null', async () => {
    const numbers = Array.from({ length: 4000 }, (_, index) => (index * 7919) % 10_007)
    expect(await packed(numbers)).toBeNull()
  })

  test('given a text that would unpack to far more, is refused', async () => {
    const text = await packed('a'.repeat(2_100_000))
    expect(text?.length).toBeLessThan(longestPacked)
    await expect(unpacked(text ?? '')).rejects.toThrow('longer than 2000000 bytes')
  })

  test.each(['', '%%%', 'AAAA', 'not a scenario'])('given %o, is refused', async (text) => {
    await expect(unpacked(text)).rejects.toBeInstanceOf(Error)
  })
})
