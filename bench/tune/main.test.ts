import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { SimFolder } from '../../sim/command-line/testing/sim.ts'
import { main } from './main.ts'

const home = new SimFolder()
afterAll(() => home.remove())

async function tune(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number; out: string; err: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const said = Promise.all([textOf(stdout), textOf(stderr)])
  const { signal } = new AbortController()
  const surroundings = { stdout, stderr, signal, env: { INIT_CWD: home.path, ...env } }
  const code = await main(args, surroundings)
  stdout.end()
  stderr.end()
  const [out, err] = await said
  return { code, out, err }
}

/** Far more than one slot can do one by one: batches must win. */
const flood = home.scenario('flood', {
  description: 'More than one by one can do.',
  queue: { concurrency: 1 },
  traffic: { count: 40, arrivals: { perHour: 30 }, breakRate: 0.02 },
  suiteFlakes: { perRun: 0.02 },
})

describe('a grid', () => {
  test('batches win a flood: the setting, what it saves, the curl line, the files', async () => {
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
      verdict: { kind: 'winner', choice: 'batch size 8', cannotBeTold: [] },
    })
  })

  test('fixed seeds give the same files', async () => {
    const args = [flood, '--batch', '1,2', '--wait', '0,5', '--seeds', '3']
    await tune([...args, '--report', 'first'])
    await tune([...args, '--report', 'second'])
    for (const name of ['tune.json', 'tune.html']) {
      const read = (folder: string): string => readFileSync(join(home.path, folder, name), 'utf8')
      expect(read('first')).toBe(read('second'))
    }
  })

  test('--json prints the document alone, --no-report writes nothing', async () => {
    const args = [flood, '--depth', '0,1', '--seeds', '2', '--json', '--no-report', '--report', 'x']
    const { code, out } = await tune(args)
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ scenario: 'flood', axes: [{ name: 'depth' }] })
    expect(existsSync(join(home.path, 'x'))).toBe(false)
  })

  test("a single value holds for every setting, today's included", async () => {
    const args = [flood, '--batch', '2,4', '--set', 'traffic.count=5', '--seeds', '2', '--json']
    const { out } = await tune([...args, '--no-report'])
    expect(JSON.parse(out)).toMatchObject({
      axes: [{ name: 'batch' }],
      assumptions: expect.arrayContaining([expect.stringContaining('5 generated')]),
    })
  })
})

test('where nothing is drawn, nothing is said of other days', async () => {
  const fixed = home.scenario('fixed', {
    queue: { concurrency: 1 },
    pullRequests: [{ number: 1 }, { number: 2 }, { number: 3, testMinutes: 5 }],
  })
  const { out } = await tune([fixed, '--batch', 'off,4', '--seeds', '6', '--no-report'])
  expect(out).toContain('Set batch size 4')
  expect(out).toContain('how other days would go cannot be told')
  expect(out).not.toContain('Surely')
  expect(out).toContain('as listed for 1 pull request')
})

describe('what cannot be used', () => {
  test.each([
    [['nowhere.json'], 'a file that can be read'],
    [[flood, flood], 'one scenario'],
    [[flood, '--batch', 'many'], 'sizes from 1 on'],
    [[flood, '--set', 'queue.nothing=1,2'], 'queue'],
    [[flood, '--prefer', 'luck'], 'balance, time or cost'],
    [[flood, '--repo', 'shop'], 'host/owner/name'],
    [[flood, '--fast'], 'an option that --help lists'],
  ])('%j: exit 2, and nothing is run', async (args, said) => {
    const { code, out, err } = await tune(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(said)
  })

  test('options that npm swallowed are answered with the missing "--"', async () => {
    const { code, err } = await tune([flood], { npm_config_batch: 'true' })
    expect(code).toBe(2)
    expect(err).toContain('npm run tune -- flood.json --batch')
  })

  test('no file at all: the help, exit 2; asked for: exit 0', async () => {
    expect(await tune([])).toMatchObject({ code: 2, out: '' })
    const { code, out } = await tune(['--help'])
    expect(code).toBe(0)
    expect(out).toContain('--batch <1,2,4>')
  })
})
