/** The reports of capacity and of the calibration, as readers open them. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isBrowserMissing, TestBrowser } from '../../sim/report/testing/browser.ts'
import { faultsByKey, faultsInAllSizes, faultsInNames } from '../../sim/report/testing/faults.ts'
import { calibrationPage } from '../benchmarks/calibration.ts'
import { groupTesting } from '../calibration/theory.ts'
import { SimFolder } from './sim/testing/sim.ts'

const home = new SimFolder()

describe.skipIf(isBrowserMissing)('a report in Chromium', () => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await TestBrowser.launch()
  })
  afterAll(async () => {
    await browser.close()
    home.remove()
  })

  async function faultsOf(html: string): Promise<string[]> {
    const { page } = await browser.open(html)
    const faults = [...(await faultsInNames(page)), ...(await faultsByKey(page))]
    await page.close()
    return [...(await faultsInAllSizes(html, browser)), ...faults]
  }

  test('of capacity fits each size, and axe finds nothing, light and dark', async () => {
    const slow = home.scenario('slow', {
      queue: { concurrency: 1, policy: 'documented' },
      suite: { minutes: 30 },
      traffic: { count: 10, arrivals: { everyMinutes: 40 } },
    })
    await home.run(['capacity', slow, '--budget', '0.5s'])
    expect(await faultsOf(home.read('reports/slow/capacity.html'))).toEqual([])
  })

  test('of the calibration fits each size, and axe finds nothing, light and dark', async () => {
    expect(await faultsOf(calibrationPage([groupTesting(true)]))).toEqual([])
  })
})
