import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { isBrowserMissing, TestBrowser } from './testing/browser.ts'
import { faultsInAllSizes, faultsInNames, faultsOnPaper } from './testing/faults.ts'
import { reportOf } from './testing/reports.ts'
import { eventful, sparse } from './testing/scenarios.ts'

describe.skipIf(isBrowserMissing)('the report of a history with idle weeks in Chromium', () => {
  let browser: TestBrowser
  let html: string
  beforeAll(async () => {
    browser = await TestBrowser.launch()
    html = await reportOf(sparse)
  })
  afterAll(() => browser.close())

  test('logs nothing and fits in each size, light and dark, and on paper', matrix, async () => {
    expect(await faultsInAllSizes(html, browser)).toEqual([])
    const { page } = await browser.open(html)
    expect(await faultsInNames(page)).toEqual([])
    expect(await faultsOnPaper(page)).toEqual([])
  })

  test('opens on the busiest day, says so, and shows all at a press of a button', async () => {
    const { page } = await browser.open(html)
    const isSeen = (what: string): Promise<unknown> =>
      page.evaluate(`(() => {
        const view = document.querySelector('.timeline').getBoundingClientRect()
        const box = document.querySelector('${what}').getBoundingClientRect()
        return box.left >= view.left && box.right <= view.right + 1 && box.top >= view.top &&
          box.bottom <= view.bottom
      })()`)
    expect(await page.locator('.opening').textContent()).toContain(
      'opens on the busiest day: day 21, with 6 new pull requests',
    )
    expect(await isSeen('#pr-1011 path')).toBe(true)
    expect(await isSeen('#pr-1001 path')).toBe(false)
    await page.getByRole('button', { name: 'show all' }).click()
    const inside = 'document.querySelector(".timeline")'
    expect(await page.evaluate(`${inside}.scrollWidth - ${inside}.clientWidth`)).toBe(0)
  })

  test('says nothing about the busiest day where the timeline shows all', matrix, async () => {
    const short = await browser.open(await reportOf(eventful))
    expect(await short.page.locator('.opening').count()).toBe(0)
    const still = await browser.open(html, { javaScriptEnabled: false })
    expect(await still.page.locator('.opening').isVisible()).toBe(false)
  })
})
