import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import { meanIn, comparedOf, measures, standings, standingWords } from '../../compare/comparison.ts'
import type { ComparisonDocument, Measure, StrategyRuns } from '../../compare/comparison.ts'
import { madeUpRun, type MadeUp } from '../../compare/testing/made-up-run.ts'
import { goalsText, standingsOf } from '../compare-everywhere.ts'
import { type JudgedPlace, judgedOf } from '../../compare/judge-place.ts'

const home = new CliFolder()

/** Without the search for the best settings, which has tests of its own. */
const compare = (line: string) => home.printed(`compare --best never ${line}`)

const busy = home.scenario('busy', {
  queue: { concurrency: 3 },
  traffic: { count: 30, arrivals: { perHour: 20 }, breakRate: 0.2, cancelRate: 0.1 },
})

test('prints one table, the fields left out, and a sentence per figure', async () => {
  const out = await compare(`${busy} --seeds 3`)
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
  const out = await compare(`${busy} --seeds 2 --report models --lengths all`)
  expect(out).toContain('length of runs: the same for all runs')
  for (const model of ['run', 'constant', 'composition']) {
    expect(await home.documentIn(`models/${model}/compare.json`)).toMatchObject({ lengths: model })
  }
})

test('--best compares every queue at its best as well, in no more slots than the others', async () => {
  const line = `compare ${busy} --seeds 2 --json --no-report --best 0.3s`
  const { compared: all } = await home.document<ComparisonDocument>(line)
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
  expect(await compare(args)).toContain(join(home.path, 'reports', 'busy'))
  await compare(`${args} --report again`)
  for (const name of ['compare.json', 'compare.html']) {
    expect(home.read(`again/${name}`)).toBe(home.read(`reports/busy/${name}`))
  }
  expect(await home.documentIn('again/compare.json')).toMatchObject({
    scenario: 'busy',
    seeds: 2,
    assumptions: expect.arrayContaining([expect.stringContaining('30 generated')]),
  })
  expect(home.read('again/compare.html')).toContain('<h1>Other queues on busy</h1>')
})

// S-243
describe('an evicted healthy pull request', () => {
  const flaky = home.scenario('flaky', {
    queue: { concurrency: 3 },
    traffic: { count: 30, arrivals: { perHour: 20 } },
    suiteFlakes: { perRun: 0.2 },
  })
  const args = `${flaky} --best never --seeds 2 --no-report`
  const documentOf = (options = '') =>
    home.document<ComparisonDocument>(`compare ${args} --json${options}`)
  /** The mean p95 of each strategy. */
  const p95 = ({ compared: all }: ComparisonDocument, measure: Measure): number[] =>
    all.map((each) => meanIn(each, measure) ?? NaN)

  test('comes again after a quarter of an hour, so that no strategy gains by an eviction', async () => {
    const out = await home.printed(`compare ${args}`)
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
  const out = await compare(`${busy} --seeds 2 --ci-price 0.1 --wait-price 3`)
  expect(out).toContain('per landed PR')
  expect(out).toContain('\n  price per landed PR: ')
  expect(home.read('reports/busy/compare.html')).toContain('price per landed PR')
})

const options = '--only small-team --seeds 2 --best 0.2s --lengths constant'

const everywhere = (more: string) => home.printed(`compare everywhere ${options} ${more}`)

test('compares the proposed setting with the queues at their best, and says which goals it meets', async () => {
  const out = await everywhere('--report first')
  expect(out).toMatch(/^small-team +constant /m)
  expect(out).toMatch(/^time to land p95: no other queue is surely better in 1 of 1;/m)
  expect(out).toMatch(/^CI minutes at most 1\.1 times its: [01] of 1$/m)
  expect(out).toContain('0 bad pull requests merged; main broken 0 min')
  expect(await home.documentIn('first/small-team-constant.json')).toMatchObject({
    place: { best: [{}, {}, {}, {}, {}], judged: { seeds: 2, badMerged: 0 } },
  })
})

test('does not make a comparison again, unless the options are others', matrix, async () => {
  const file = 'again/small-team-constant.json'
  const out = await everywhere('--report again')
  home.write(file, home.read(file).replace('"badMerged": 0', '"badMerged": 7'))
  const second = await everywhere('--report again')
  expect(second).toBe(out.replace('0 bad pull requests', '7 bad pull requests'))
  expect(await everywhere('--report again --seeds 3')).toContain('0 bad pull requests')
})

test('histories are places at their own, five and twenty times their pace', async () => {
  const rows = Array.from({ length: 6 }, (_, day) => `2026-01-0${day + 1}T10:00:00Z,600,passed\n`)
  mkdirSync(join(home.path, 'traces'))
  home.write('traces/shop.csv', `startedAt,durationSeconds,status\n${rows.join('')}`)
  const traced = ['--traces', 'traces', '--only', 'shop', '--only', 'shop, 20 times as busy']
  const line = ['compare', 'everywhere', ...options.split(' '), ...traced, '--report', 'traced']
  const out = await home.printed(line)
  expect(out).toMatch(/^shop +constant +\S/m)
  expect(out).toMatch(/^shop, 20 times as busy +constant +\S/m)
})

test.each([
  ['compare nowhere.json', 'a file that can be read'],
  ['compare busy.json --seeds 9..1', 'n, or a..b with a <= b'],
  ['compare busy.json --report busy.json', 'which is a file'],
  ['compare busy.json --resubmit-after soon', 'minutes, at least 1; or never'],
  ['compare busy.json --ci-price cheap', 'a number from 0'],
  ['compare busy.json --lengths short', 'all, or one of scenario, run, constant, composition'],
  ['compare busy.json --best soon', 'a time like 90s'],
  ['compare busy.json --set queue.concurrency=0', '/queue/concurrency'],
  ['compare busy.json busy.json', 'a folder for each scenario'],
  ['compare everywhere --only nowhere', 'small-team; '],
  ['compare everywhere --traces nowhere', 'a folder with histories of builds (.csv)'],
  ['compare everywhere --lengths long', 'all, or one of scenario, run, constant, composition'],
  ['compare everywhere --best never', 'a time like 90s, 2m or 1h'],
])('%s is refused', (line, words) => home.refuses(line, words))

// The judgement of one place, of figures that are made up.

const runsOf = (strategy: string, runs: readonly MadeUp[], isReference = false) => ({
  strategy,
  setting: null,
  isReference,
  runs: runs.map(madeUpRun),
})

const costing = (...minutes: readonly number[]): MadeUp[] =>
  minutes.map((ci) => ({ p95: 1, ci, evicted: 0 }))

test('strategies that are significantly better are named, and undecided ones, but never a reference', () => {
  const found = standings(
    comparedOf([
      runsOf('Mergeyard', costing(20, 21, 22, 20, 21, 20)),
      runsOf('better', costing(10, 11, 12, 10, 11, 11)),
      runsOf('noise', costing(10, 40, 15, 30, 18, 25)),
      runsOf('worse', costing(30, 31, 32, 30, 31, 31)),
      runsOf('bound', costing(1, 1, 1, 1, 1, 1), true),
    ]),
  )
  const costs = found.find(({ measure }) => measure === 'CI minutes per merge')
  expect(costs?.better.map(({ strategy }) => strategy)).toEqual(['better'])
  expect(costs?.undecided.map(({ strategy }) => strategy)).toEqual(['noise'])
})

test('undecided strategies are named, unless these are all', () => {
  const own = runsOf('Mergeyard', costing(20, 21, 22, 20, 21, 20))
  const noises = [
    runsOf('one', costing(10, 40, 15, 30, 18, 25)),
    runsOf('two', costing(40, 10, 30, 15, 25, 18)),
  ]
  const worse = runsOf('worse', costing(30, 31, 32, 30, 31, 31))
  const wordsOf = (...all: readonly StrategyRuns[]): string[] =>
    standings(comparedOf(all)).map(standingWords)
  const first = 'no strategy is significantly better; undecided:'
  expect(wordsOf(own, ...noises, worse)).toContain(`${first} one and two.`)
  expect(wordsOf(own, ...noises)).toContain(`${first} all of them.`)
})

/** Eight seeds that differ a little. */
const seedsOf = (strategy: string, { p95, ci, evicted }: MadeUp) =>
  runsOf(
    strategy,
    Array.from({ length: 8 }, (_, seed) => {
      return { p95: p95 + (seed % 3) / 10, ci: ci + (seed % 2) / 10, evicted }
    }),
  )

const judged = judgedOf({
  own: seedsOf('own', { p95: 30, ci: 15, evicted: 1 }),
  others: [
    seedsOf('faster and dearer', { p95: 20, ci: 25, evicted: 1 }),
    seedsOf('cheaper', { p95: 30, ci: 10, evicted: 1 }),
    seedsOf('worse', { p95: 60, ci: 30, evicted: 4 }),
  ],
  clairvoyant: seedsOf('clairvoyant', { p95: 10, ci: 14, evicted: 0 }),
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
  expect(text).toContain('! marks a missed goal')
  expect(text).toContain('CI minutes at most 1.1 times its: 1 of 1')
  expect(text).toContain('at most 0.5 % of the healthy evicted: 0 of 1')
})
