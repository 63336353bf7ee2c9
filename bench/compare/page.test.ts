import { afterAll, beforeAll, expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { SimFolder } from '../cli/sim/testing/sim.ts'
import { describeInBrowser } from '../../sim/report/testing/in-browser.ts'
import { strategies } from '../queues/index.ts'

const home = new SimFolder()
afterAll(() => home.remove())

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

  test('given no merge, the page says so and draws the other figures', matrix, async () => {
    const { page } = await open(empty)
    expect(await page.locator('#price').textContent()).toContain('No pull request merged')
    expect(await page.locator('#differences').textContent()).toContain('no merge')
  })
})
