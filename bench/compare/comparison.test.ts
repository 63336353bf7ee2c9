import { expect, test, beforeAll } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { CliFolder } from '../cli/testing/cli-folder.ts'
import { describeInBrowser } from '../../sim/report/testing/in-browser.ts'
import { strategies } from '../queues/index.ts'
import type { StrategyRuns } from './comparison.ts'
import { betterFixed, fixedRows } from './judge-place.ts'
import { madeUpRun } from './testing/made-up-run.ts'

/** Eight seeds that differ a little. */
function runsOf(strategy: string, p95: number, ci: number, evicted: number): StrategyRuns {
  const runs = Array.from({ length: 8 }, (_, seed) =>
    madeUpRun({ p95: p95 + (seed % 3) / 10, ci: ci + (seed % 2) / 10, evicted }),
  )
  return { strategy, setting: null, isReference: false, runs }
}

test('names what is faster by more than 5 %, unless it pays in CI minutes or evicts more', () => {
  const found = betterFixed(runsOf('own', 100, 20, 1), [
    runsOf('faster', 80, 20, 1),
    runsOf('a little faster', 97, 20, 1),
    runsOf('faster and a little dearer', 80, 20.5, 1),
    runsOf('faster and dearer', 80, 22, 1),
    runsOf('faster and evicts more', 80, 20, 2),
    runsOf('slower', 120, 10, 0),
  ])
  expect(found.map(({ setting }) => setting)).toEqual(['faster', 'faster and a little dearer'])
  expect(found[0]?.p95).toMatchObject({ measure: 'ratio', size: { kind: 'interval', seeds: 8 } })
})

test('every size of batch comes with and without optimistic merging and a hold', () => {
  const rows = fixedRows({ name: 'town', queue: { concurrency: 10 } })
  const settings = rows.map(({ strategy }) => strategy)
  expect(settings).toHaveLength(20)
  expect(new Set(settings).size).toBe(20)
  expect(settings).toEqual(
    expect.arrayContaining(['no batches, hold 0', 'batches of 16, optimistic, hold 2']),
  )
})

const home = new CliFolder()

/** The page of a real comparison. */
async function pageOf(scenario: string, seeds: number): Promise<string> {
  const options = ['--seeds', String(seeds), '--best', '0.3s', '--report', 'here']
  expect((await home.run(['compare', scenario, ...options])).code).toBe(0)
  return home.read('here/compare.html')
}

/** Batches that fill slowly: strategies that test at once are faster and more expensive. */
const patient = home.scenario('patient', {
  description: 'Batches that wait </p><b>&"',
  queue: { concurrency: 4, batch: true, batchingMinSize: 4, batchingMaxWaitTimeMinutes: 30 },
  traffic: { count: 60, arrivals: { perHour: 10 }, breakRate: 0.1, cancelRate: 0.05 },
  suiteFlakes: { perRun: 0.1 },
})

/** No pull request merges, so there is nothing to compare. */
const hopeless = home.scenario('hopeless', {
  pullRequests: [{ number: 1, breaks: true }],
})

describeInBrowser('a comparison', ({ open, faultsIn }) => {
  let full: string
  let empty: string
  beforeAll(async () => {
    full = await pageOf(patient, 8)
    empty = await pageOf(hopeless, 2)
  })

  test('has no fault that no page may have', async () => {
    for (const html of [full, empty]) expect(await faultsIn(html)).toEqual([])
  })

  test('shows first where Mergeyard is not the best, and what the better strategies cost', async () => {
    const { page } = await open(full, { viewport: { width: 390, height: 844 } })
    const verdict = page.locator('.verdict').first()
    expect(await verdict.textContent()).toMatch(
      /^At the defaults: Mergeyard is NOT the best in \d of 8 figures\.$/,
    )
    const box = await verdict.boundingBox()
    expect((box?.y ?? NaN) + (box?.height ?? NaN)).toBeLessThan(844)
    const header = await page.locator('header').textContent()
    expect(header).toMatch(/GitHub-like is better in time to land p50.*, and worse in /)
  })

  test('given fewer than ten seeds, says of the chart that it has no intervals', () => {
    const [, about = ''] = /id="price".*?<p[^>]*>(.*?)<\/p>/s.exec(full) ?? []
    expect(about).toContain('There are too few seeds for intervals.')
    expect(about).not.toContain('confidence')
  })

  test('names every strategy in the tables, and what it does not model', matrix, async () => {
    const { page } = await open(full)
    const rowsIn = (name: string): Promise<number> =>
      page
        .getByRole('region', { name: `${name}, table` })
        .locator('tbody tr')
        .count()
    expect(await rowsIn('What each strategy models')).toBe(strategies.length)
    // Six queues are compared at their best as well.
    expect(await rowsIn('Every strategy')).toBe(strategies.length + 6)
    expect(await page.locator('#strategies p', { hasText: ', at its best: ' }).count()).toBe(6)
    for (const { name, leavesOut } of strategies) {
      expect(await page.locator('figure svg:visible text', { hasText: name }).count()).not.toBe(0)
      expect(await page.locator('#models').textContent()).toContain(leavesOut)
    }
  })

  test('no dot touches the names beside it, also where a figure is zero', matrix, async () => {
    const { page } = await open(full)
    const gaps = await page.evaluate<number[]>(`
      [...document.querySelectorAll('#figures svg')].flatMap((svg) => {
        const boxes = (marks) => [...svg.querySelectorAll(marks)].map((each) => each.getBoundingClientRect())
        const names = boxes('.role-axis-label text[text-anchor=end]').map(({ right }) => right)
        const dots = boxes('.mark-symbol path').map(({ left }) => left)
        return names.length === 0 || names[0] === 0 ? [] : [Math.min(...dots) - Math.max(...names)]
      })`)
    expect(gaps.length).toBeGreaterThan(5)
    expect(Math.min(...gaps)).toBeGreaterThan(2)
  })

  test('given no merge, the page says so and draws the other figures', matrix, async () => {
    const { page } = await open(empty)
    expect(await page.locator('#price').textContent()).toContain('No pull request merged')
    expect(await page.locator('#differences').textContent()).toContain('no merge')
    expect(await page.locator('#figures').textContent()).toContain('Every figure is zero')
  })
})
