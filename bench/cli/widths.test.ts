/** Help and results fit a terminal of 80 columns, and use the room of one of 200. */

import { afterAll, describe, expect, test } from 'vitest'
import { SimFolder } from './sim/testing/sim.ts'
import { widest } from './testing/cli-folder.ts'

const home = new SimFolder()
afterAll(() => home.remove())

/** A command stays in a line, so that it can be copied, and a word stays whole. */
const isCopied = (line: string): boolean => line.startsWith('curl ') || !line.trim().includes(' ')

const day = home.scenario('day', {
  queue: { concurrency: 1, policy: 'documented' },
  suite: { minutes: 30 },
  traffic: { count: 10, arrivals: { everyMinutes: 40 } },
})
const folder = ['--report', 'reports']

//
describe.each([80, 200])('in a terminal of %i columns', (width) => {
  test('the help of every command fits, also of those within another', async () => {
    const pending = [[], ['compare', 'everywhere'], ['compare', 'climates'], ['sim', 'import']]
    const tooWide: string[] = []
    for (const command of pending) {
      const lines = await home.shownIn(width, [...command, '--help'])
      tooWide.push(...lines.filter((line) => line.length > width && !isCopied(line)))
      const [, listed = ''] = lines.join('\n').split('\nCommands:\n')
      for (const [, name = ''] of listed.matchAll(/^ {2}([a-z]+) {2,}/gm))
        pending.push([...command, name])
    }
    expect(tooWide).toEqual([])
    expect(pending.map((words) => words.join(' '))).toContain('token create')
    expect(pending.length).toBeGreaterThan(35)
  })

  test.each([
    ['sim', day],
    ['sim', day, '--why', '1003'],
    ['sim', day, '--seeds', '10', '--set', 'queue.concurrency=1'],
    ['compare', day, '--seeds', '2'],
    ['tune', day, '--seeds', '10', '--budget', '1s'],
  ])('%s %s %s fits', async (...args) => {
    const lines = (await home.shownIn(width, [...args, ...folder])).filter(
      (line) => !isCopied(line) && !/^report {2}|reproduce with/.test(line),
    )
    expect(lines.length).toBeGreaterThan(5)
    expect(widest(lines)).toBeLessThanOrEqual(width)
    const least = args[0] === 'sim' ? 40 : 0.75 * width
    expect(widest(lines)).toBeGreaterThan(least)
  })
})
