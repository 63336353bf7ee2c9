import { expect, test } from 'vitest'
import { Spool } from './lists.ts'

test('given little text, returns it from memory', () => {
  const spool = new Spool()
  expect(spool.isEmpty).toBe(true)
  spool.add('a')
  spool.add('ä€')
  expect(spool.isEmpty).toBe(false)
  expect([...spool.texts()].join('')).toBe('aä€')
})

test('given more text than memory allows, returns it repeatedly, with multi-byte characters', () => {
  const spool = new Spool({ piecesInMemory: 1 })
  const line = `${'€uro'.repeat(25_000)}|`
  const count = 90
  for (let index = 0; index < count; index++) spool.add(`${index}${line}`)
  let length = 0
  for (const text of spool.texts()) length += text.length
  const digits = 10 + 80 * 2
  expect(length).toBe(digits + count * line.length)
  const again = [...spool.texts()].join('').split('|')
  expect(again.every((text, index) => index === count || text.startsWith(`${index}€uro`))).toBe(
    true,
  )
  expect(again[50]).toBe(`50${line.slice(0, -1)}`)
})
