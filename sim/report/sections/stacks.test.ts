import { expect, test } from 'vitest'
import { loadScenario } from '../../scenario/load.ts'
import { reportOf } from '../testing/reports.ts'
import { sparse } from '../testing/scenarios.ts'
import { stacksIn } from './stacks.ts'

/** The rows of the section as texts. */
async function drawn(path: string): Promise<string[]> {
  const page = await reportOf(loadScenario(path))
  const [, list = ''] = /<ul class="stacks">([^]*?)<\/ul>/.exec(page) ?? []
  return list.split('</ol>').map((each) =>
    each
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
}

// S-304
test('the report draws each stack from below, those that did not merge whole first', async () => {
  expect(await drawn('scenarios/a-stack-lands-in-order.json')).toEqual([
    '#3 failed #4 cancelled #5 cancelled',
    '#1 merged #2 merged',
    '',
  ])
  expect(await reportOf(sparse)).not.toContain('id="stacks"')
})

// S-304
test('what joins two stacks makes one of them, and two that name each other end no report', () => {
  const story = (number: number, ...dependsOn: readonly number[]) =>
    ({ number, dependsOn, end: 'MERGED' }) as const
  const numbers = (...stories: readonly ReturnType<typeof story>[]) =>
    stacksIn(stories).map((stack) => stack.map((each) => each.number))
  expect(numbers(story(5, 2, 4), story(1), story(2, 1), story(4, 3), story(3), story(6))).toEqual([
    [1, 2, 3, 4, 5],
  ])
  expect(numbers(story(1, 2), story(2, 1), story(3, 99))).toEqual([[2, 1]])
})
