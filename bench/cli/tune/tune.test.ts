import { describe, expect, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import type { ComparisonDocument } from '../../compare/comparison.ts'
import type { TuneDocument } from '../../tune/document.ts'
import { CliFolder } from '../testing/cli-folder.ts'

const home = new CliFolder()

/** More pull requests than one slot can test one by one, so batches must win. */
const flood = home.scenario('flood', {
  description: 'More pull requests than one slot can test one by one.',
  queue: { concurrency: 1 },
  traffic: { count: 40, arrivals: { perHour: 30 }, breakRate: 0.02 },
  suiteFlakes: { perRun: 0.02 },
})

/** What it prints, and the document. */
const tune = (line: string) => home.printed(`tune ${line}`)
const documentOf = (line: string) => home.document<TuneDocument>(`tune ${line} --json`)
const documentIn = (folder: string) => home.documentIn<TuneDocument>(`${folder}/tune.json`)

// S-70, S-71
describe('a search', () => {
  test('given more pull requests than one slot can test, advises batches and writes the report', async () => {
    const args = '--batch off,8 --seeds 12 --budget 5s --repo github.com/acme/shop'
    const out = await tune(`${flood} ${args}`)
    expect(out).toMatch(/^flood: Set batch size 8\n/)
    expect(out).toMatch(/time to land, p95, min .* [\d.]+ % less \([\d.]+ to [\d.]+\)\n/)
    expect(out).toMatch(/of them in the middle of a batch +always 0 .* more /)
    expect(out).toContain('"batch":true,"batchingMinSize":8}')
    expect(out).toContain('Flakes: a run fails for no reason with chance 0.02')
    const page = home.read('reports/flood/tune.html')
    expect(page).toContain('<h1>Tuning flood</h1>')
    expect(page).toContain('$MERGEYARD_TOKEN')
    const document = await documentIn('reports/flood')
    expect(document).toMatchObject({
      seeds: 12,
      asked: { resubmitAfterMinutes: 15, leastEffectPercent: 10, prices: null },
      verdict: { kind: 'change', because: 'better', choice: 'batch size 8', tied: [] },
      named: { safest: "today's setting", fastest: 'batch size 8' },
      stretches: [],
      untried: [],
    })
    // S-232
    const ladders = document.sensitivity?.map(({ name, tried }) => `${name} from ${tried[0]}`)
    expect(ladders?.toSorted()).toEqual([
      'arrivals from 7.5',
      'breaks from 0',
      'clashes from 0',
      'flakes from 0',
      'run length from 2.5',
    ])
    expect(out).toMatch(/\nHow far the advice holds\n/)
    expect(out).toMatch(/\nflakes +2 % of runs/)
  })

  // S-232
  test('given a budget that does not suffice, says which assumptions were not tried', async () => {
    const args = `${flood} --batch off,8 --seeds 12 --no-report`
    expect(await tune(`${args} --budget 0.1s`)).toContain(
      'Not tried, the budget is too small: flakes, breaks, clashes, run length, arrivals (--budget).',
    )
    expect(await tune(`${args} --budget 2s`)).toMatch(/\nflakes +2 % of runs/)
  })

  test('given settings that change what is assumed, no sensitivity is told', matrix, async () => {
    const document = await documentOf(`${flood} --set suite.minutes=5,20 --seeds 10 --no-report`)
    expect(document.verdict).toMatchObject({ kind: 'change', choice: 'suite.minutes 5' })
    expect(document.sensitivity).toBeNull()
  })
})

test('what an import assumed is told, and tried, until the command gives it', matrix, async () => {
  const concurrency = {
    what: 'concurrency',
    value: '1 run at a time',
    replace: '--set queue.concurrency=<n>',
  }
  const imported = home.scenario('imported', {
    assumed: [concurrency],
    queue: { concurrency: 1 },
    suite: { minutes: { median: 10, p95: 20 } },
    pullRequests: Array.from({ length: 30 }, (_, index) => ({
      number: index + 1,
      at: 4 * index,
    })),
  })
  const args = `${imported} --batch off,8 --seeds 12 --no-report --budget 2s`
  const out = await tune(`${args} --concurrency 1,2`)
  expect(out).toMatch(/today's setting: .*concurrency 1 \(assumed\)/)
  expect(out).toContain(
    'Assumed by the import: concurrency, 1 run at a time; to replace: --set queue.concurrency=<n>.',
  )
  expect(out).toMatch(/\nconcurrency +1 slot /)
  const known = await tune(`${args} --concurrency 1`)
  expect(known).not.toMatch(/ssumed by the import|\nconcurrency/)
})

describe('what the command asks for', () => {
  test("given a single value, it applies to every setting, including today's", async () => {
    const args = `${flood} --batch 2,4 --set traffic.count=5 --seeds 2 --no-report`
    expect(await documentOf(args)).toMatchObject({
      axes: [{ name: 'batch' }],
      assumptions: expect.arrayContaining([expect.stringContaining('5 generated')]),
    })
  })

  test('given prices, they decide, and the price of each setting is told', matrix, async () => {
    const args = `${flood} --batch off,8 --seeds 10 --no-report --resubmit-after 5`
    const out = await tune(`${args} --ci-price 0.1 --wait-price 3`)
    expect(out).toContain('Judged by price per landed pull request')
    expect(out).toMatch(/price per landed pull request .* [\d.]+ % less/)
  })
})

// S-231
describe('no advice and no command', () => {
  test('given a scenario in which nothing is drawn', async () => {
    const fixed = home.scenario('fixed', {
      queue: { concurrency: 1 },
      pullRequests: [{ number: 1 }, { number: 2 }, { number: 3, testMinutes: 5 }],
    })
    const out = await tune(`${fixed} --batch off,4 --seeds 12 --no-report`)
    expect(out).toContain('fixed: No advice for other days: nothing is drawn')
    expect(out).toContain('the best is batch size 4')
    expect(out).toContain('as listed for 1 pull request')
    expect(out).toContain('No price is shown, as none was given (--ci-price, --wait-price).')
    expect(out).not.toContain('curl')
  })
})

// S-335
test.each([
  {
    minutesApart: 2,
    words:
      /^ *On the 40 pull requests that were kept apart it would have helped: time to land, p95 [\d.]+ % less/m,
  },
  { minutesApart: 90, words: /kept apart it would not surely have helped: time to land, p95 / },
])(
  'a history of which the end is kept apart: given that pull requests come every $minutesApart minutes in what is kept apart, says whether the advice helps there',
  async ({ minutesApart, words }) => {
    const busyUntil = 200
    const parted = home.scenario('parted', {
      queue: { concurrency: 1, policy: 'documented' },
      pullRequests: Array.from({ length: 140 }, (_, index) => ({
        number: index + 1,
        at: index < 100 ? 2 * index : busyUntil + (index - 100) * minutesApart,
      })),
      keptApartFrom: busyUntil,
      suiteFlakes: { perRun: 0.02 },
    })
    const out = await tune(`${parted} --batch off,8 --seeds 12 --budget 1s --no-report`)
    expect(out).toMatch(/^parted: Set batch size 8\n/)
    expect(out).toMatch(words)
  },
)

// S-363
test('says which flaky tests would be worth a quarantine, with what that lets through', async () => {
  const flaky = home.scenario('flaky', {
    queue: { concurrency: 2 },
    traffic: { count: 60, arrivals: { perHour: 10 }, breakRate: 0.1 },
    suiteFlakes: {
      tests: [
        { name: 'pays twice', rate: 0.2, catches: 0 },
        { name: 'finds nothing', rate: 0.15, catches: 0.5 },
        { name: 'never', rate: 0 },
      ],
    },
  })
  const args = `${flaky} --batch off --seeds 10`
  const out = await tune(`${args} --budget 2s --report flaky`)
  const { quarantine } = await documentIn('flaky')
  const found = quarantine?.results.map(({ test: name, verdict, isCatchKnown }) => {
    return [name, verdict, isCatchKnown]
  })
  expect(found).toEqual([
    ['pays twice', 'worth it', true],
    ['finds nothing', 'has a price', true],
    ['never', 'not worth it', false],
  ])
  for (const text of [out, home.read('flaky/tune.html')]) {
    expect(text).toContain('pays twice: worth it. healthy pull requests evicted: ')
    expect(text).toContain('breaks let through: always 0; merged by it: ')
    expect(text).toContain('not known, and assumed to be nothing')
  }
  const hurried = await tune(`${args} --set traffic.count=5 --budget 0.1s --no-report`)
  expect(hurried).toContain('the budget is too small: pays twice, finds nothing, never')
})

describe('the settings of another queue', () => {
  const args = `${flood} --budget 0.2s --seeds 12`

  test('given --for mergify, prints its file, and Mergeyard beside it', async () => {
    const out = await tune(`${args} --for mergify --no-report`)
    expect(out).toMatch(/^flood, Mergify's merge queue: Set batch size /)
    expect(out).toMatch(/\n\.mergify\.yml\nmerge_queue:\n {2}max_parallel_checks: \d+\n/)
    expect(out).toContain('checked against the JSON Schema')
    expect(out).toMatch(/\n {2}Mergeyard with .*: another queue, after a search of the same/)
    expect(out).toContain("Mergify's merge queue is a model, after docs.mergify.com")
    expect(out).toContain('max_parallel_checks 5, batch_size 1')
    expect(out).not.toContain('curl')
  })

  test('given --set, searches these values; given --today, these are what it has', async () => {
    const axis = '--set max_batch_size=1,8 --today max_batch_size=1 --no-report'
    const document = await documentOf(`${args} --for bors ${axis}`)
    expect(document).toMatchObject({
      asked: { queue: 'bors' },
      axes: [{ name: 'max_batch_size', values: ['1', '8'], today: '1', choice: '8' }],
      verdict: { kind: 'change', choice: 'batch at most 8', curl: null },
      configuration: { target: 'bors.toml', language: 'toml' },
      beside: { setting: { seeds: 12, againstToday: null } },
    })
    expect(document.configuration?.text).toContain('max_batch_size = 8')
    expect(document.beside?.againstChoice.p95?.measure).toBe('ratio')
  })

  test('given one value, it holds for every setting, and the page shows the request', async () => {
    const set = '--set max_entries_to_merge=3 --set grouping_strategy=HEADGREEN'
    const branch = '--repo github.com/acme/shop --branch next'
    const found = await documentOf(`${args} --for github ${set} ${branch}`)
    const { axes, configuration, verdict } = found
    expect(axes.map(({ name }) => name)).toEqual([
      'max_entries_to_build',
      'min_entries_to_merge',
      'min_entries_to_merge_wait_minutes',
    ])
    expect(verdict.kind === 'change').toBe(configuration !== null)
    const page = home.read('reports/flood/tune.html')
    expect(page).toContain('GitHub&#39;s merge queue')
    expect(page).toContain('Beside it: Mergeyard')
  })

  // S-243
  test("today's setting has the figures that compare gives it, also where many clash", async () => {
    const clashing = home.scenario('clashing', {
      queue: { concurrency: 4 },
      traffic: { count: 40, arrivals: { perHour: 30 }, conflictRate: 0.05, clashRate: 0.02 },
    })
    const rest = `${clashing} --seeds 10 --no-report --json`
    const line = `tune ${rest} --for github --today max_entries_to_build=4 --budget 0.2s`
    const { settings } = await home.document<TuneDocument>(line)
    const { compared } = await home.document<ComparisonDocument>(`compare ${rest} --best never`)
    const github = compared.find(({ strategy }) => strategy === 'GitHub-like')?.figures
    expect(settings.find(({ isToday }) => isToday)?.figures).toMatchObject({
      p95: { mean: github?.['time to land p95'] },
      ciMinutes: { mean: github?.['CI minutes per merge'] },
      evicted: { mean: github?.['healthy evicted'] },
    })
  })

  test('given parts that no other queue has, says that they are left out', async () => {
    const urgent = home.scenario('urgent', {
      traffic: { count: 10, arrivals: { perHour: 30 }, urgentRate: 0.2 },
    })
    expect(await tune(`${urgent} --for gitlab --seeds 2 --budget 0.2s`)).toContain(
      'Left out, as no other queue has it: traffic.urgentRate.',
    )
  })
})

// S-70, S-71
test.each([
  ['tune nowhere.json', 'a file that can be read'],
  ['tune', 'expected <scenario file>, got nothing'],
  ['tune flood.json flood.json', 'expected only <scenario file>, got also "flood.json"'],
  ['tune flood.json --batch many', 'sizes from 1 on'],
  ['tune flood.json --set queue.nothing=1,2', '/queue/nothing'],
  ['tune flood.json --server queue.example.com', 'such as http://127.0.0.1:3000'],
  ['tune flood.json --for zuul --server http://x', 'no --server with --for zuul'],
  ['tune flood.json --prefer luck', 'balance, time, cost, price or safety'],
  ['tune flood.json --prefer price', '--ci-price or --wait-price'],
  ['tune flood.json --budget soon', 'a time like 90s, 2m or 1h'],
  [
    'tune flood.json --allow-unproven some',
    'mid-batch,cleared-by-successor,disjoint-targets,direct',
  ],
  ['tune flood.json --least-effect 95', 'a percentage from 0 to 90'],
  ['tune flood.json --resubmit-after soon', 'minutes, at least 1; or never'],
  ['tune flood.json --repo shop', 'host/owner/name'],
  ['tune flood.json --report flood.json', 'a folder that can be written'],
  ['tune flood.json --for kodiak', 'mergeyard, github, gitlab, mergify, bors, zuul'],
  ['tune flood.json --for github --batch 2,4', '--set max_entries_to_build'],
  ['tune flood.json --for github --set batch=2,4', 'path.of.the.scenario=value'],
  ['tune flood.json --for zuul --set traffic.count=2,4', 'path.of.the.scenario=value'],
  ['tune flood.json --for mergify --set batch_size=0,4', 'sizes from 1 to 128'],
  ['tune flood.json --for bors --today max_batch_size=2,4', 'one value'],
  ['tune flood.json --today max_batch_size=2', '--for another queue as well'],
])('%s is refused before anything runs', (line, words) => home.refuses(line, words))
