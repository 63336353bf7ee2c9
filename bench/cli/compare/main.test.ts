import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { SimFolder } from '../sim/testing/sim.ts'
import { compared, measureNames, standings } from '../../strategies/comparison.ts'
import { figuresOfPolicy, type ComparedFigures } from '../../strategies/figures.ts'

const home = new SimFolder()
afterAll(() => home.remove())

const compare = (args: readonly string[]) => home.run(['compare', ...args])

const busy = home.scenario('busy', {
  queue: { concurrency: 3 },
  traffic: { count: 30, arrivals: { perHour: 20 }, breakRate: 0.2, cancelRate: 0.1 },
})

test('prints one table, the fields left out, and a sentence per figure', async () => {
  const { code, out } = await compare([busy, '--seeds', '3'])
  expect(code).toBe(0)
  expect(out).toContain('busy   3 seeds, the same pull requests for every strategy')
  expect(out).toContain('left out, because not every strategy supports it: traffic.cancelRate')
  expect(out).toMatch(/^Mergeyard +\S+ to \S+/m)
  expect(out).toMatch(/^\(oracle\)/m)
  expect(out).toContain('\nNo strategy is significantly better than Mergeyard in any figure.\n')
  for (const name of measureNames) expect(out).toContain(`\n  ${name}: `)
})

test('writes a document and a page; given the same seeds, the same bytes', async () => {
  const args = [busy, '--seeds', '2']
  const { out } = await compare(args)
  expect(out).toContain(join(home.path, 'reports', 'busy'))
  await compare([...args, '--report', 'again'])
  const read = (folder: string, name: string): string =>
    readFileSync(join(home.path, folder, name), 'utf8')
  for (const name of ['compare.json', 'compare.html']) {
    expect(read('again', name)).toBe(read('reports/busy', name))
  }
  expect(JSON.parse(read('again', 'compare.json'))).toMatchObject({
    scenario: 'busy',
    seeds: 2,
    assumptions: expect.arrayContaining([expect.stringContaining('30 generated')]),
  })
  expect(read('again', 'compare.html')).toContain('<h1>Other queues on busy</h1>')
})

test('given several scenarios, writes one subfolder each', async () => {
  const calm = home.scenario('calm', { traffic: { count: 5 } })
  await compare([busy, calm, '--seeds', '2', '--report', 'both'])
  for (const name of ['busy', 'calm']) {
    expect(existsSync(join(home.path, 'both', name, 'compare.html'))).toBe(true)
  }
})

test('--no-report writes nothing', async () => {
  await compare([busy, '--seeds', '2', '--no-report', '--report', 'nothing'])
  expect(existsSync(join(home.path, 'nothing'))).toBe(false)
})

test('given the same seeds, prints the same document', async () => {
  const args = [busy, '--seeds', '2', '--json', '--no-report']
  const [first, second] = [await compare(args), await compare(args)]
  expect(first.out).toBe(second.out)
  expect(JSON.parse(first.out)).toMatchObject({ leftOut: ['traffic.cancelRate'] })
})

describe('invalid input', () => {
  test.each([
    [['nowhere.json'], 'a file that can be read'],
    [[busy, '--seeds', '9..1'], 'n, or a..b with a <= b'],
    [[busy, '--fast'], 'an option that --help lists'],
    [[busy, '--set', 'queue.concurrency=0'], '/queue/concurrency'],
  ])('%j: exit code 2', async (args, output) => {
    const { code, out, err } = await compare(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(output)
  })
})

describe('the ranking of Mergeyard', () => {
  const run = (testRuns: number): ComparedFigures =>
    figuresOfPolicy({
      timesInQueue: [60_000],
      failed: 0,
      testRuns,
      testMs: 0,
      healthyEvicted: 0,
      badMerged: 0,
      brokenMainMs: 0,
      peakRuns: 1,
    })
  const runsOf = (strategy: string, runs: readonly number[], isBound = false) => ({
    strategy,
    isBound,
    runs: runs.map(run),
  })

  test('names strategies that are significantly better and undecided ones, but never a bound', () => {
    const found = standings(
      compared([
        runsOf('Mergeyard', [20, 21, 22, 20, 21, 20]),
        runsOf('better', [10, 11, 12, 10, 11, 11]),
        runsOf('noise', [10, 40, 15, 30, 18, 25]),
        runsOf('worse', [30, 31, 32, 30, 31, 31]),
        runsOf('bound', [1, 1, 1, 1, 1, 1], true),
      ]),
    )
    const runs = found.find(({ measure }) => measure === 'runs per merge')
    expect(runs?.better.map(({ strategy }) => strategy)).toEqual(['better'])
    expect(runs?.undecided.map(({ strategy }) => strategy)).toEqual(['noise'])
  })
})
