import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CliFolder, widest } from './testing/cli-folder.ts'

const home = new CliFolder()

const slow = home.scenario('slow', {
  queue: { concurrency: 1, policy: 'documented' },
  suite: { minutes: 30 },
  traffic: { count: 10, arrivals: { everyMinutes: 40 } },
})

// S-330, S-333
describe('mergeyard capacity', () => {
  test('says how much more a queue can take, and writes the page', async () => {
    const line = `capacity ${slow} --budget 1s`
    const { code, out: shown, err } = await home.run(line, { width: 80 })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const [, table = '', below = ''] = shown.split('\n\n')
    expect(widest(shown.split('\n'))).toBeLessThanOrEqual(80)
    expect(table).toMatch(/\n +times today's +against today's *\nsetting .* what ends it\n/)
    expect(below).toMatch(/^ +what binds\n/)
    const out = shown.replaceAll('\n', ' ')
    expect(out).toMatch(
      /^slow: At 1 to 1\.41 times today's pull requests, 1\.78 an hour, you no longer keep up/,
    )
    expect(out).toContain(
      'The budget of 1s ended the search early for every setting: the intervals are wide, or what binds is not known. ',
    )
    expect(out).toContain('1 seed, budget 1s.')
    const page = home.read('reports/slow/capacity.html')
    expect(page).toContain('<h1>How much more slow can take</h1>')
    expect(page).toContain('p95 to land, minutes over the load')
    expect(existsSync(join(home.path, 'reports/slow/capacity.json'))).toBe(true)
  })

  test.each([
    ['capacity slow.json --limit 0', 'expected more than 0 minutes, got --limit 0\n'],
    ['capacity few.json', 'expected traffic, or a history of at least 100 pull requests, got 1\n'],
  ])('%s is refused', async (line, words) => {
    home.scenario('few', { pullRequests: [{ number: 1 }] })
    await home.refuses(line, `capacity: command line: ${words}`)
  })
})
