import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { SimFolder } from './sim/testing/sim.ts'
import { widest } from './testing/cli-folder.ts'

const home = new SimFolder()
afterAll(() => home.remove())

const slow = home.scenario('slow', {
  queue: { concurrency: 1, policy: 'documented' },
  suite: { minutes: 30 },
  traffic: { count: 10, arrivals: { everyMinutes: 40 } },
})

// S-330, S-333
describe('mergeyard capacity', () => {
  test('says how much more a queue can take, and writes the page', async () => {
    const args = ['capacity', slow, '--budget', '1s']
    const { code, out: shown, err } = await home.run(args, {}, undefined, 80)
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
    const page = readFileSync(join(home.path, 'reports/slow/capacity.html'), 'utf8')
    expect(page).toContain('<h1>How much more slow can take</h1>')
    expect(page).toContain('p95 to land, minutes over the load')
    expect(existsSync(join(home.path, 'reports/slow/capacity.json'))).toBe(true)
  })

  test('refuses a limit that nothing keeps', async () => {
    const { code, err } = await home.run(['capacity', slow, '--limit', '0'])
    expect({ code, err }).toEqual({
      code: 2,
      err: 'capacity: command line: expected more than 0 minutes, got --limit 0\n',
    })
  })

  test('refuses a scenario that lists too few pull requests', async () => {
    const few = home.scenario('few', { pullRequests: [{ number: 1 }] })
    const { code, out, err } = await home.run(['capacity', few])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toBe(
      'capacity: command line: expected traffic, or a history of at least 100 pull requests, got 1\n',
    )
  })
})
