import { expect, test } from 'vitest'
import { barList, mostListed } from './bar-list.ts'

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

test('links the pull requests that the page shows, and skips bars that list nothing', () => {
  const members = [
    { what: 'merged', numbers: [4, 5] },
    { what: 'failed', numbers: [] },
  ]
  const { text } = barList('Times', [null, { about: '1 to 2 min', members }], {
    isShown: (number) => number === 4,
  })
  expect(text.match(/data-bar="\d+"/g)).toEqual(['data-bar="1"'])
  expect(text).toContain('<h4>1 to 2 min</h4>')
  expect(text).toContain('<span class="soft">merged</span> <a href="#pr-4">4</a>, 5')
  expect(text).not.toContain('failed')
})

// S-211
test('says how many more there are', () => {
  const textOf = (count: number, hasMore: boolean): string => {
    const bar = { about: 'all', members: [{ what: '', numbers: upTo(count) }], hasMore }
    return barList('Times', [bar], { isShown: () => false }).text
  }
  expect(textOf(mostListed, false)).not.toContain('more')
  expect(textOf(mostListed + 1200, false)).toContain(' and 1,200 more')
  expect(textOf(mostListed, true)).toContain('and more, which were not kept')
})
