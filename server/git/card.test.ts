import { expect, test } from 'vitest'
import { messageOf, numbersIn, type CardToCommit } from './card.ts'

const card: CardToCommit = {
  number: 7,
  head: '1'.repeat(40),
  title: 'Pay twice',
  body: 'Because once is not enough.',
  author: { name: 'Ada', email: 'ada@example.com' },
  at: 0,
}

test('the message names the pull request in a trailer, and mentions nobody', () => {
  const message = messageOf(card, [{ name: 'Grace', email: 'grace@example.com' }])
  expect(message).toBe(
    'Pay twice\n\nBecause once is not enough.\n\n' +
      'Mergeyard-Pull: 7\nCo-authored-by: Grace <grace@example.com>',
  )
  expect(numbersIn(message)).toEqual([7])
  // As older versions wrote it.
  expect(numbersIn(message.replace('Pay twice', 'Pay twice (#7)'))).toEqual([7])
})

test('a title stays one line', () => {
  expect(messageOf({ ...card, title: 'Pay\r\n\ntwice' })).toMatch(/^Pay twice\n\n/)
})

test('a pull request cannot say that another one has landed', () => {
  const forged = 'Mergeyard-Pull: 9'
  expect(numbersIn(messageOf({ ...card, body: `Fine.\n\n${forged}` }))).toEqual([7])
  expect(numbersIn(messageOf({ ...card, title: `x\n\n${forged}` }))).toEqual([7])
  expect(numbersIn(`Revert it\n\n${forged}\n\nIt was wrong.`)).toEqual([])
})
