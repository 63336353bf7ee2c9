import { readFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { SimFolder } from '../sim/testing/sim.ts'
import { meanIn, comparedOf, measures, standings } from '../../compare/comparison.ts'
import type { ComparisonDocument, Measure } from '../../compare/comparison.ts'
import { figuresOfPolicy, type ComparedFigures } from '../../queues/figures.ts'
import { goalsText, standingsOf } from '../compare-everywhere.ts'
import { type JudgedPlace, judgedOf } from '../../compare/judge-place.ts'

const home = new SimFolder()
afterAll(() => home.remove())

/** Without the search for the best settings, which has tests of its own. */
const compare = (line: string) => home.run(`compare --best never ${line}`.split(' '))

const busy = home.scenario('busy', {
  queue: { concurrency: 3 },
  traffic: { count: 30, arrivals: { perHour: 20 }, breakRate: 0.2, cancelRate: 0.1 },
})

test('prints one table, the fields left out, and a sentence per figure', async () => {
  const { code, out } = await compare(`${busy} --seeds 3`)
  expect(code).toBe(0)
  expect(out).toContain('busy   3 seeds, the same pull requests for every strategy')
  expect(out).toContain('left out, because not every strategy supports it: traffic.cancelRate')
  expect(out).toMatch(/^Mergeyard +\S+ to \S+/m)
  expect(out).toMatch(/^\(oracle\)/m)
  expect(out).toContain(
    '\nAt the defaults: No strategy is significantly better than Mergeyard in any figure.\n',
  )
  const {
    'price per landed PR': _price,
    clashed: _clashed,
    'held back': _held,
    ...unpriced
  } = measures
  for (const name of Object.keys(unpriced)) expect(out).toContain(`\n  ${name}: `)
  expect(out).not.toContain('price per landed PR')
})

test('--lengths all compares under three models, each in its own folder', matrix, async () => {
  const args = `${busy} --seeds 2 --report models --lengths all`
  const { code, out } = await compare(args)
  expect(code).toBe(0)
  expect(out).toContain('length of runs: the same for all runs')
  for (const model of ['run', 'constant', 'composition']) {
    const text = readFileSync(join(home.path, 'models', model, 'compare.json'), 'utf8')
    expect(JSON.parse(text)).toMatchObject({ lengths: model })
  }
})

test('--best compares every queue at its best as well, in no more slots than the others', async () => {
  const { out } = await compare(`${busy} --seeds 2 --json --no-report --best 0.3s`)
  const { compared: all }: ComparisonDocument = JSON.parse(out)
  const best = all.filter(({ setting }) => setting !== null)
  expect(best.map(({ strategy }) => strategy)).toEqual(
    ['Mergeyard', 'GitHub-like', 'GitLab-like', 'Mergify-like', 'bors-like', 'Zuul-like'].map(
      (name) => `${name}, at its best`,
    ),
  )
  expect(Math.max(...all.map(({ peakRuns }) => peakRuns))).toBe(3)
  expect(best[0]?.againstMergeyard['runs per merge']?.reading).toBe('the same')
})

test('writes a document and a page; given the same seeds, the same bytes', async () => {
  const args = `${busy} --seeds 2`
  const { out } = await compare(args)
  expect(out).toContain(join(home.path, 'reports', 'busy'))
  await compare(`${args} --report again`)
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

// S-243
describe('an evicted healthy pull request', () => {
  const flaky = home.scenario('flaky', {
    queue: { concurrency: 3 },
    traffic: { count: 30, arrivals: { perHour: 20 } },
    suiteFlakes: { perRun: 0.2 },
  })
  const documentOf = async (options = ''): Promise<ComparisonDocument> => {
    const { out } = await compare(`${flaky} --seeds 2 --json --no-report${options}`)
    const document: ComparisonDocument = JSON.parse(out)
    return document
  }
  /** The mean p95 of each strategy. */
  const p95 = ({ compared: all }: ComparisonDocument, measure: Measure): number[] =>
    all.map((each) => meanIn(each, measure) ?? NaN)

  test('comes again after a quarter of an hour, so that no strategy gains by an eviction', async () => {
    const { out } = await compare(`${flaky} --seeds 2 --no-report`)
    expect(out.replaceAll('\n', ' ')).toContain('is submitted again after 15 min, until it lands')
    const document = await documentOf()
    expect(document.resubmitAfterMinutes).toBe(15)
    const [landing, inQueue] = [
      p95(document, 'time to land p95'),
      p95(document, 'time in queue p95'),
    ]
    const evicting = document.compared.map((each) => meanIn(each, 'healthy evicted') ?? 0)
    expect(evicting.filter((evicted) => evicted > 3).length).toBeGreaterThan(3)
    const gained = evicting.flatMap((evicted, index) =>
      evicted > 3 ? [(landing[index] ?? NaN) - (inQueue[index] ?? NaN)] : [],
    )
    expect(Math.min(...gained)).toBeGreaterThan(10)
  })

  test('comes again as the option or the scenario says, or never', matrix, async () => {
    expect((await documentOf(' --resubmit-after 45')).resubmitAfterMinutes).toBe(45)
    expect((await documentOf(' --set resubmit.afterMinutes=7')).resubmitAfterMinutes).toBe(7)
    for (const off of ['0', 'never']) {
      const document = await documentOf(` --resubmit-after ${off}`)
      expect(document.resubmitAfterMinutes).toBeNull()
      expect(p95(document, 'time to land p95')).toEqual(p95(document, 'time in queue p95'))
    }
  })
})

// S-244
test('given a price, shows what a landed pull request costs everywhere', matrix, async () => {
  const { code, out } = await compare(`${busy} --seeds 2 --ci-price 0.1 --wait-price 3`)
  expect(code).toBe(0)
  expect(out).toContain('per landed PR')
  expect(out).toContain('\n  price per landed PR: ')
  const page = readFileSync(join(home.path, 'reports/busy/compare.html'), 'utf8')
  expect(page).toContain('price per landed PR')
})

test.each([
  ['nowhere.json', 'a file that can be read'],
  [`${busy} --seeds 9..1`, 'n, or a..b with a <= b'],
  [`${busy} --report ${busy}`, 'which is a file'],
  [`${busy} --seeds -3`, 'got --seeds -3'],
  [`${busy} --resubmit-after soon`, 'minutes, at least 1; or never'],
  [`${busy} --ci-price cheap`, 'a number from 0'],
  [`${busy} --lengths short`, 'all, or one of scenario, run, constant, composition'],
  [`${busy} --best soon`, 'a time like 90s'],
  [`${busy} --set queue.concurrency=0`, '/queue/concurrency'],
])('invalid input: %j: exit code 2', async (args, output) => {
  const { code, out, err } = await compare(args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(output)
})

describe('the ranking of Mergeyard', () => {
  const run = (testRuns: number): ComparedFigures =>
    figuresOfPolicy({
      timesInQueue: [60_000],
      timesToLand: [60_000],
      failed: 0,
      testRuns,
      testMs: 0,
      healthyEvicted: 0,
      clashed: 0,
      heldBack: 0,
      badMerged: 0,
      brokenMainMs: 0,
      peakRuns: 1,
    })
  const runsOf = (strategy: string, runs: readonly number[], isReference = false) => ({
    strategy,
    setting: null,
    isReference,
    runs: runs.map(run),
  })

  test('names strategies that are significantly better and undecided ones, but never a reference', () => {
    const found = standings(
      comparedOf([
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

const options = ['--only', 'small-team', '--seeds', '2', '--best', '0.2s', '--lengths', 'constant']

const everywhere = (...args: readonly string[]) =>
  home.run(['compare', 'everywhere', ...options, ...args])

test('compares the proposed setting with the queues at their best, and says which goals it meets', async () => {
  const { code, out } = await everywhere('--report', 'first')
  expect(code).toBe(0)
  expect(out).toMatch(/^small-team +constant /m)
  expect(out).toMatch(/^time to land p95: no other queue is surely better in 1 of 1;/m)
  expect(out).toMatch(/^CI minutes at most 1\.1 times its: [01] of 1$/m)
  expect(out).toContain('0 bad pull requests merged; main broken 0 min')
  const text = readFileSync(join(home.path, 'first', 'small-team-constant.json'), 'utf8')
  expect(JSON.parse(text)).toMatchObject({
    place: { best: [{}, {}, {}, {}, {}], judged: { seeds: 2, badMerged: 0 } },
  })
})

test('does not make a comparison again, unless the options are others', matrix, async () => {
  const file = join(home.path, 'again', 'small-team-constant.json')
  const { out } = await everywhere('--report', 'again')
  const marked = readFileSync(file, 'utf8').replace('"badMerged": 0', '"badMerged": 7')
  writeFileSync(file, marked)
  const second = await everywhere('--report', 'again')
  expect(second.out).toBe(out.replace('0 bad pull requests', '7 bad pull requests'))
  const other = await everywhere('--report', 'again', '--seeds', '3')
  expect(other.out).toContain('0 bad pull requests')
})

test('histories are places at their own, five and twenty times their pace', async () => {
  const rows = Array.from({ length: 6 }, (_, day) => `2026-01-0${day + 1}T10:00:00Z,600,passed\n`)
  mkdirSync(join(home.path, 'traces'))
  home.write('traces/shop.csv', `startedAt,durationSeconds,status\n${rows.join('')}`)
  const traced = ['--traces', 'traces', '--only', 'shop', '--only', 'shop, 20 times as busy']
  const { out } = await everywhere(...traced, '--report', 'traced')
  expect(out).toMatch(/^shop +constant +\S/m)
  expect(out).toMatch(/^shop, 20 times as busy +constant +\S/m)
})

test.each([
  ['--only', 'nowhere', 'small-team; '],
  ['--lengths', 'long', 'all, or one of scenario, run, constant, composition'],
  ['--best', 'never', 'a time like 90s, 2m or 1h'],
])('refuses %s %s', matrix, async (option, value, expected) => {
  const { code, err } = await everywhere(option, value)
  expect(code).toBe(2)
  expect(err).toContain(expected)
})

const minute = 60_000

type Run = { readonly p95: number; readonly ci: number; readonly evicted: number }

/** Ten pull requests land in a run. */
const run = ({ p95, ci, evicted }: Run): ComparedFigures =>
  figuresOfPolicy({
    timesInQueue: Array.from({ length: 10 }, () => p95 * minute),
    timesToLand: Array.from({ length: 10 }, () => p95 * minute),
    failed: 0,
    testRuns: 10,
    testMs: 10 * ci * minute,
    healthyEvicted: evicted,
    clashed: 0,
    heldBack: 0,
    badMerged: 0,
    brokenMainMs: 0,
    peakRuns: 1,
  })

/** Eight seeds that differ a little. */
const runsOf = (strategy: string, { p95, ci, evicted }: Run) => ({
  ...{ strategy, setting: null, isReference: false },
  runs: Array.from({ length: 8 }, (_, seed) =>
    run({ p95: p95 + (seed % 3) / 10, ci: ci + (seed % 2) / 10, evicted }),
  ),
})

const judged = judgedOf({
  own: runsOf('own', { p95: 30, ci: 15, evicted: 1 }),
  others: [
    runsOf('faster and dearer', { p95: 20, ci: 25, evicted: 1 }),
    runsOf('cheaper', { p95: 30, ci: 10, evicted: 1 }),
    runsOf('worse', { p95: 60, ci: 30, evicted: 4 }),
  ],
  clairvoyant: runsOf('clairvoyant', { p95: 10, ci: 14, evicted: 0 }),
})
const place: JudgedPlace = { scenario: 'town', lengths: 'run', best: [], judged, fixed: [] }

test('names the queues that are surely better, and the figures in which they are surely worse', () => {
  expect(judged.figures.map(({ better }) => better)).toEqual([
    [{ strategy: 'faster and dearer', paysIn: ['CI minutes per merge'] }],
    [{ strategy: 'cheaper', paysIn: [] }],
    [],
  ])
  expect(judged.figures.map(({ bestOther }) => bestOther?.strategy)).toEqual([
    'faster and dearer',
    'cheaper',
    'faster and dearer',
  ])
})

test('measures times and costs against the clairvoyant, and evictions against those that landed', () => {
  expect(judged.overClairvoyant.p95?.size).toMatchObject({ kind: 'interval', seeds: 8 })
  expect(judged.evictedPercent).toEqual({ kind: 'always', value: 10, seeds: 8 })
})

test('counts the places in which another queue is better, for a price and for nothing', () => {
  expect(standingsOf([place])).toEqual([
    { measure: 'time to land p95', places: 1, beaten: 1, beatenForNothing: 0, bestMean: 0 },
    { measure: 'CI minutes per merge', places: 1, beaten: 1, beatenForNothing: 1, bestMean: 0 },
    { measure: 'healthy evicted', places: 1, beaten: 0, beatenForNothing: 0, bestMean: 1 },
  ])
})

test('the table marks each goal that is missed', () => {
  const text = goalsText([place])
  expect(text).toContain('p95: faster and dearer (CI); CI: cheaper')
  expect(text).toMatch(/^town .* 2\.98 ! .* 1\.07 +10 ! /m)
  expect(text).toContain('CI minutes at most 1.1 times its: 1 of 1')
  expect(text).toContain('at most 0.5 % of the healthy evicted: 0 of 1')
})
