/** The reports of capacity and of the calibration, as readers open them. */

import { expect, test, beforeAll } from 'vitest'
import { describeInBrowser } from '../../sim/report/testing/in-browser.ts'
import { calibrationPage } from '../benchmarks/calibration.ts'
import { groupTesting } from '../calibration/theory.ts'
import { CliFolder } from './testing/cli-folder.ts'
import { matrix } from '../../engine/testing/matrix.ts'
import { hostile } from '../../sim/report/testing/reports.ts'

const home = new CliFolder()

describeInBrowser('no fault that no page may have is in the report', ({ faultsIn }) => {
  test('of capacity', async () => {
    const slow = home.scenario('slow', {
      queue: { concurrency: 1, policy: 'documented' },
      suite: { minutes: 30 },
      traffic: { count: 10, arrivals: { everyMinutes: 40 } },
    })
    await home.run(`capacity ${slow} --budget 0.5s`)
    expect(await faultsIn(home.read('reports/slow/capacity.html'))).toEqual([])
  })

  test('of the calibration', async () => {
    expect(await faultsIn(calibrationPage([groupTesting(true)]))).toEqual([])
  })
})

const drawn = home.scenario('drawn', {
  description: hostile,
  queue: { concurrency: 3, batch: true, batchingMinSize: 3 },
  traffic: { count: 20, breakRate: 0.2 },
  suiteFlakes: { perRun: 0.1 },
})

describeInBrowser('campaign pages', ({ open, faultsIn }) => {
  let calm: string
  let failing: string
  let swarm: string
  beforeAll(async () => {
    await home.run(`sim ${drawn} --seeds 12 --report calm`)
    await home.run(`sim ${drawn} --seeds 3 --set expect.testRuns=0 --report failing`)
    await home.run('sim --seeds 8 --once --report swarm')
    calm = home.read('calm/seeds.html')
    failing = home.read('failing/seeds.html')
    swarm = home.read('swarm/seeds.html')
  })

  test('have no fault that no page may have', async () => {
    for (const html of [calm, failing, swarm]) expect(await faultsIn(html)).toEqual([])
  })

  test('given a campaign that holds, show its verdict, figures and charts', matrix, async () => {
    const { page } = await open(calm)
    expect(await page.locator('.verdict strong').textContent()).toBe('Holds')
    const figures = page.getByRole('region', { name: 'Figures, table' })
    expect(await figures.getByRole('rowheader', { name: 'test runs' }).count()).toBe(1)
    const titles = await page.locator('#distributions h3').allTextContents()
    expect(titles).toContain('test runs')
    expect(titles).not.toContain('bad PRs merged')
    expect(await page.locator('#failures, #marks').count()).toBe(0)
  })

  test('given failed seeds, list each with its command, and the shrunk scenario', async () => {
    const { page } = await open(failing)
    expect(await page.locator('.verdict strong').textContent()).toBe('Does not hold')
    const rows = page.locator('#failures tbody tr')
    expect(await rows.count()).toBe(3)
    expect(await rows.nth(1).textContent()).toContain('MISSED  testRuns')
    const command = 'npm run sim -- drawn.json --seed 2 --set expect.testRuns=0'
    expect(await rows.nth(1).locator('code').textContent()).toBe(command)
    expect(await page.locator('#shrunk').textContent()).toContain(
      'npm run sim -- reports/failures/',
    )
  })

  test('given a swarm campaign, list the coverage marks', matrix, async () => {
    const { page } = await open(swarm)
    const rows = page.locator('#marks tbody tr')
    expect(await rows.count()).toBeGreaterThan(40)
    expect(await rows.filter({ hasText: 'batch filled' }).textContent()).toMatch(/batch filled\d+/)
  })
})
