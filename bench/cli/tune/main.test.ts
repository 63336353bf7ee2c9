import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { SimFolder } from '../sim/testing/sim.ts'

const home = new SimFolder()
afterAll(() => home.remove())

const tune = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  home.run(['tune', ...args], env)

/** More pull requests than one slot can test one by one, so batches must win. */
const flood = home.scenario('flood', {
  description: 'More pull requests than one slot can test one by one.',
  queue: { concurrency: 1 },
  traffic: { count: 40, arrivals: { perHour: 30 }, breakRate: 0.02 },
  suiteFlakes: { perRun: 0.02 },
})

describe('a grid', () => {
  test('given more pull requests than one slot can test, recommends batches and writes the report', async () => {
    const args = [flood, '--batch', 'off,8', '--seeds', '10', '--repo', 'github.com/acme/shop']
    const { code, out, err } = await tune(args)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('Set batch size 8')
    expect(out).toMatch(/time in queue, p95 +[\d.]+ min less \([\d.]+ to [\d.]+\)/)
    expect(out).toContain('"batch":true,"batchingMinSize":8')
    expect(out).toContain('Flakes: a run fails for no reason with chance 0.02')
    const page = readFileSync(join(home.path, 'reports/flood/tune.html'), 'utf8')
    expect(page).toContain('<h1>Tuning flood</h1>')
    expect(page).toContain('$MERGEYARD_TOKEN')
    expect(page.match(/<svg /g)?.length).toBeGreaterThan(4)
    expect(page).not.toContain('<script')
    const document = JSON.parse(readFileSync(join(home.path, 'reports/flood/tune.json'), 'utf8'))
    expect(document).toMatchObject({
      seeds: 10,
      verdict: { kind: 'winner', choice: 'batch size 8', undecided: [] },
    })
  })

  test('given the same seeds, writes the same files', async () => {
    const args = [flood, '--batch', '1,2', '--wait', '0,5', '--seeds', '3']
    await tune([...args, '--report', 'first'])
    await tune([...args, '--report', 'second'])
    for (const name of ['tune.json', 'tune.html']) {
      const read = (folder: string): string => readFileSync(join(home.path, folder, name), 'utf8')
      expect(read('first')).toBe(read('second'))
    }
  })

  test('--json prints only the document, --no-report writes no files', async () => {
    const args = [flood, '--depth', '0,1', '--seeds', '2', '--json', '--no-report', '--report', 'x']
    const { code, out } = await tune(args)
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ scenario: 'flood', axes: [{ name: 'depth' }] })
    expect(existsSync(join(home.path, 'x'))).toBe(false)
  })

  test("given a single value, it applies to every setting, including today's", async () => {
    const args = [flood, '--batch', '2,4', '--set', 'traffic.count=5', '--seeds', '2', '--json']
    const { out } = await tune([...args, '--no-report'])
    expect(JSON.parse(out)).toMatchObject({
      axes: [{ name: 'batch' }],
      assumptions: expect.arrayContaining([expect.stringContaining('5 generated')]),
    })
  })
})

test('given a scenario without random draws, the result makes no claim about other days', async () => {
  const fixed = home.scenario('fixed', {
    queue: { concurrency: 1 },
    pullRequests: [{ number: 1 }, { number: 2 }, { number: 3, testMinutes: 5 }],
  })
  const { out } = await tune([fixed, '--batch', 'off,4', '--seeds', '6', '--no-report'])
  expect(out).toContain('Set batch size 4')
  expect(out).toContain('it has no random draws, so the result says nothing about other days')
  expect(out).not.toContain('Significantly')
  expect(out).toContain('as listed for 1 pull request')
})

describe('invalid input', () => {
  test.each([
    [['nowhere.json'], 'a file that can be read'],
    [[flood, flood], 'expected only <scenario file>, got also "flood.json"'],
    [[flood, '--batch', 'many'], 'sizes from 1 on'],
    [[flood, '--set', 'queue.nothing=1,2'], 'queue'],
    [[flood, '--prefer', 'luck'], 'balance, time or cost'],
    [[flood, '--repo', 'shop'], 'host/owner/name'],
    [[flood, '--fast'], 'an option that --help lists'],
  ])('%j: exit code 2, and nothing is run', async (args, output) => {
    const { code, out, err } = await tune(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(output)
  })

  test('given an option that npm consumed, the error shows the corrected command', async () => {
    const { code, err } = await tune([flood], { npm_config_batch: 'true' })
    expect(code).toBe(2)
    expect(err).toContain('npm run tune -- flood.json --batch')
  })

  test('given no file: one line, exit code 2; given --help: exit code 0', async () => {
    const err = 'tune: command line: expected <scenario file>, got nothing\n'
    expect(await tune([])).toEqual({ code: 2, out: '', err })
    const { code, out } = await tune(['--help'])
    expect(code).toBe(0)
    expect(out).toContain('--batch <1,2,4>')
  })
})
