import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import type { TuneDocument } from '../../tune/document.ts'
import { TuneFolder } from '../sim/testing/sim.ts'

const home = new TuneFolder()
afterAll(() => home.remove())

const { flood } = home

/** Runs it with the words of a command line. */
const tune = (line: string) => home.tune(line.split(' '))

// S-70, S-71
describe('a search', () => {
  test('given more pull requests than one slot can test, advises batches and writes the report', async () => {
    const few = `${flood} --batch off,8 --seeds 12 --budget 5s`
    const args = `${few} --repo github.com/acme/shop`
    const { code, out, err } = await tune(args)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^flood: Set batch size 8\n/)
    expect(out).toMatch(/time to land, p95, min .* [\d.]+ % less \([\d.]+ to [\d.]+\)\n/)
    expect(out).toMatch(/of them in the middle of a batch +always 0 .* more /)
    expect(out).toContain('"batch":true,"batchingMinSize":8}')
    expect(out).toContain('Flakes: a run fails for no reason with chance 0.02')
    const page = readFileSync(join(home.path, 'reports/flood/tune.html'), 'utf8')
    expect(page).toContain('<h1>Tuning flood</h1>')
    expect(page).toContain('$MERGEYARD_TOKEN')
    const document = JSON.parse(readFileSync(join(home.path, 'reports/flood/tune.json'), 'utf8'))
    expect(document).toMatchObject({
      seeds: 12,
      asked: { resubmitAfterMinutes: 15, leastEffectPercent: 10, prices: null },
      verdict: { kind: 'change', because: 'better', choice: 'batch size 8', tied: [] },
      named: { safest: "today's setting", fastest: 'batch size 8' },
      stretches: [],
      untried: [],
    })
    // S-232
    const { sensitivity }: Pick<TuneDocument, 'sensitivity'> = document
    const ladders = sensitivity?.map(({ name, tried }) => `${name} from ${tried[0] ?? NaN}`)
    expect(ladders?.toSorted()).toEqual([
      'arrivals from 7.5',
      'breaks from 0',
      'flakes from 0',
      'run length from 2.5',
    ])
    expect(out).toMatch(/\nHow far the advice holds\n/)
    expect(out).toMatch(/\nflakes +2 % of runs/)
  })

  test('given the same seeds and budget, writes the same files', matrix, async () => {
    const args = `${flood} --batch 1,2,4,8 --wait 0,5 --seeds 3 --budget 0.3s`
    await tune(`${args} --report first`)
    await tune(`${args} --report second`)
    for (const name of ['tune.json', 'tune.html']) {
      const read = (folder: string): string => readFileSync(join(home.path, folder, name), 'utf8')
      expect(read('first')).toBe(read('second'))
    }
  })

  // S-232
  test('given a budget that does not suffice, says which assumptions were not tried', async () => {
    const args = `${flood} --batch off,8 --seeds 12 --no-report`
    const { out } = await tune(`${args} --budget 0.1s`)
    expect(out).toContain(
      'Not tried, the budget is too small: flakes, breaks, run length, arrivals (--budget).',
    )
    const some = await tune(`${args} --budget 2s`)
    expect(some.out).toMatch(/\nflakes +2 % of runs/)
  })

  test('given settings that change what is assumed, no sensitivity is told', matrix, async () => {
    const args = `${flood} --set suite.minutes=5,20 --seeds 10 --no-report --json`
    const document: TuneDocument = JSON.parse((await tune(args)).out)
    expect(document.verdict).toMatchObject({ kind: 'change', choice: 'suite.minutes 5' })
    expect(document.sensitivity).toBeNull()
  })

  // S-234
})

test(
  'a search over a history: given a history, what the import assumed is told, and tried, until the command gives it',
  matrix,
  async () => {
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
    const { out } = await tune(`${args} --concurrency 1,2`)
    expect(out).toMatch(/today's setting: .*concurrency 1 \(assumed\)/)
    expect(out).toContain(
      'Assumed by the import: concurrency, 1 run at a time; to replace: --set queue.concurrency=<n>.',
    )
    expect(out).toMatch(/\nconcurrency +1 slot /)
    const known = await tune(`${args} --concurrency 1`)
    expect(known.out).not.toContain('ssumed by the import')
    expect(known.out).not.toMatch(/\nconcurrency/)
  },
)

describe('what the command asks for', () => {
  test("given a single value, it applies to every setting, including today's", async () => {
    const args = `${flood} --batch 2,4 --set traffic.count=5 --seeds 2 --json`
    const { out } = await tune(`${args} --no-report`)
    expect(JSON.parse(out)).toMatchObject({
      axes: [{ name: 'batch' }],
      assumptions: expect.arrayContaining([expect.stringContaining('5 generated')]),
    })
  })

  test('given prices, they decide, and the price of each setting is told', matrix, async () => {
    const args = `${flood} --batch off,8 --seeds 10 --no-report --resubmit-after 5`
    const { out } = await tune(`${args} --ci-price 0.1 --wait-price 3`)
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
    const { out } = await tune(`${fixed} --batch off,4 --seeds 12 --no-report`)
    expect(out).toContain('fixed: No advice for other days: nothing is drawn')
    expect(out).toContain('the best is batch size 4')
    expect(out).toContain('as listed for 1 pull request')
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
    const { code, out, err } = await tune(
      `${parted} --batch off,8 --seeds 12 --budget 1s --no-report`,
    )
    expect({ code, err }).toEqual({ code: 0, err: '' })
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
  const args = `${flaky} --batch off --seeds 10 --budget 2s --report flaky`
  const { code, out, err } = await tune(args)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const read = (file: string): string => readFileSync(join(home.path, 'flaky', file), 'utf8')
  const { quarantine }: TuneDocument = JSON.parse(read('tune.json'))
  const found = quarantine?.results.map(({ test: name, verdict, isCatchKnown }) => {
    return [name, verdict, isCatchKnown]
  })
  expect(found).toEqual([
    ['pays twice', 'worth it', true],
    ['finds nothing', 'has a price', true],
    ['never', 'not worth it', false],
  ])
  for (const text of [out, read('tune.html')]) {
    expect(text).toContain('pays twice: worth it. healthy pull requests evicted: ')
    expect(text).toContain('breaks let through: always 0; merged by it: ')
    expect(text).toContain('not known, and assumed to be nothing')
  }
  const { out: hurried } = await tune(`${args} --set traffic.count=5 --budget 0.1s --no-report`)
  expect(hurried).toContain('the budget is too small: pays twice, finds nothing, never')
})
