import { expect, test } from 'vitest'
import { TooLong, mostCharacters, mostTargets, targetsInForce } from './pull-requests.ts'

function inForce(targets: readonly string[]): {
  result: readonly string[] | 'ALL' | TooLong
  slices: number
} {
  const work = targetsInForce(targets)
  for (let slices = 1; ; slices++) {
    const slice = work.next()
    if (slice.done === true) return { result: slice.value, slices }
  }
}

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `t${index}`)

//
test('up to 8,000 different names are a list, and one more is refused', () => {
  expect(inForce(names(mostTargets)).result).toEqual(names(mostTargets))
  expect(inForce(names(mostTargets + 1)).result).toEqual(new TooLong('8,001 different names'))
})

test('repeated names count once, however many there are, and are read in slices', () => {
  const repeated = Array.from({ length: 12 }, () => names(mostTargets)).flat()
  const { result, slices } = inForce(repeated)
  expect(result).toEqual(names(mostTargets))
  expect(slices).toBe(10)
})

test('more than 500,000 characters in different names are refused', () => {
  const long = (length: number): string[] => ['a'.repeat(length), 'b'.repeat(mostCharacters / 2)]
  expect(inForce(long(mostCharacters / 2)).result).toHaveLength(2)
  const tooLong = new TooLong('500,001 characters in different names')
  expect(inForce(long(mostCharacters / 2 + 1)).result).toEqual(tooLong)
})

test('a list of which the rest was not kept is refused', () => {
  expect(inForce(Array.from({ length: 99_999 }, () => 'web')).result).toEqual(['web'])
  const tooLong = new TooLong('100,000 names')
  expect(inForce(Array.from({ length: 100_000 }, () => 'web')).result).toEqual(tooLong)
})

test('the name ALL anywhere in a list is ALL', () => {
  expect(inForce([...names(2000), 'ALL']).result).toBe('ALL')
})
