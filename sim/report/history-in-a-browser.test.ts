import { beforeAll, expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { describeInBrowser } from './testing/in-browser.ts'
import { reportOf } from './testing/reports.ts'
import { eventful, sparse } from './testing/scenarios.ts'

describeInBrowser('the report of a history with idle weeks', ({ open }) => {
  let html: string
  beforeAll(async () => {
    html = await reportOf(sparse)
  })

  test('opens on the busiest day, says so, and shows all at a press of a button', async () => {
    const { page } = await open(html)
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
    const short = await open(await reportOf(eventful))
    expect(await short.page.locator('.opening').count()).toBe(0)
    const still = await open(html, { javaScriptEnabled: false })
    expect(await still.page.locator('.opening').isVisible()).toBe(false)
  })
})
