/** The reports of capacity and of the calibration, as readers open them. */

import { afterAll, expect, test } from 'vitest'
import { describeInBrowser } from '../../sim/report/testing/in-browser.ts'
import { calibrationPage } from '../benchmarks/calibration.ts'
import { groupTesting } from '../calibration/theory.ts'
import { SimFolder } from './sim/testing/sim.ts'

const home = new SimFolder()
afterAll(() => home.remove())

describeInBrowser('no fault that no page may have is in the report', ({ faultsIn }) => {
  test('of capacity', async () => {
    const slow = home.scenario('slow', {
      queue: { concurrency: 1, policy: 'documented' },
      suite: { minutes: 30 },
      traffic: { count: 10, arrivals: { everyMinutes: 40 } },
    })
    await home.run(['capacity', slow, '--budget', '0.5s'])
    expect(await faultsIn(home.read('reports/slow/capacity.html'))).toEqual([])
  })

  test('of the calibration', async () => {
    expect(await faultsIn(calibrationPage([groupTesting(true)]))).toEqual([])
  })
})
