/** The playground for everybody: sizes, light and dark, keyboard and screen reader. */

import { expect, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import {
  faultsByKey,
  faultsInNames,
  faultsInSize,
  faultsInTheDark,
  axeFaults,
} from '../../../sim/report/testing/in-browser.ts'
import { describePlayground } from '../testing/in-browser.ts'
import { tiles } from './testing/opened.ts'

const fragments = ['#from=small-team', '#from=five-hundred-an-hour&slots=60&batch=20']

describePlayground('the playground', (open) => {
  test.each(fragments)(
    'given %s, fits and can be used at every size, light and dark',
    matrix,
    async (at) => {
      const { page, noise } = await open(at)
      const faults: string[] = []
      for (const width of [390, 800, 1400]) {
        await page.setViewportSize({ width, height: 900 })
        const found = [...(await faultsInSize(page)), ...(await axeFaults(page))]
        found.push(...(await faultsInTheDark(page)))
        faults.push(...found.map((fault) => `at ${width} px: ${fault}`))
      }
      expect(faults).toEqual([])
      expect(await faultsInNames(page)).toEqual([])
      expect(noise).toEqual([])
    },
  )

  test('at first shows the adaptive policy beside today’s setting, and keeps it in sight on a phone', async () => {
    const { page } = await open('', { viewport: { width: 390, height: 844 } })
    expect(await page.getByLabel('Adaptive', { exact: true }).isChecked()).toBe(true)
    const figures = await tiles(page)
    expect(figures['half land within']?.[1]).toContain('today ')
    await page.getByLabel('Seed', { exact: true }).scrollIntoViewIfNeeded()
    const top = await page.locator('.answer').evaluate((each) => each.getBoundingClientRect().top)
    expect(top).toBe(0)
    expect(await page.evaluate<number>('scrollY')).toBeGreaterThan(300)
  })

  // S-300
  test('says who waits for whom in a stack', async () => {
    const { page } = await open('#from=stacks')
    const chip = page.getByText(/^\d+ on \d+/).first()
    expect(await chip.textContent()).toMatch(/^\d+ on \d+/)
  })

  test('everything can be reached by key', async () => {
    const { page } = await open('#from=small-team&slots=3')
    expect(await faultsByKey(page)).toEqual([])
  })
})
