import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { describeInBrowser } from './testing/in-browser.ts'
import { reportOf } from './testing/reports.ts'
import { eventful, sparse } from './testing/scenarios.ts'

const cardOf = (page: Page, title: string): Locator =>
  page.locator('figure', { has: page.getByRole('heading', { name: title }) })

/** The texts of the lists that are open in a card. */
const listsIn = (card: Locator): Promise<string[]> =>
  card.locator('.bars h4:visible').allTextContents()

describeInBrowser('the bars of a report', ({ open, faultsIn }) => {
  let run: string
  let history: string
  beforeAll(async () => {
    run = await reportOf(eventful)
    history = await reportOf({ ...sparse, startsAt: '2026-03-02T09:30Z' })
  })

  test('a history with dates has no fault that no page may have', async () => {
    expect(await faultsIn(history, { isRoving: true })).toEqual([])
  })

  // S-211
  test('a click lists the pull requests of a bar, another click closes the list', async () => {
    const { page, noise } = await open(history)
    const card = cardOf(page, 'Arrivals by weekday and hour')
    const busy = card.getByRole('button', { name: 'Mon 00:00 to 01:00: 6 pull requests' })
    expect(await busy.getAttribute('aria-expanded')).toBe('false')
    await busy.click()
    expect(await listsIn(card)).toEqual(['Mon 00:00 to 01:00: 6 pull requests'])
    expect(await card.locator('.bars a:visible').allTextContents()).toEqual(
      [1011, 1012, 1013, 1014, 1015, 1016].map(String),
    )
    expect(await busy.getAttribute('aria-expanded')).toBe('true')
    await card.getByRole('button', { name: 'list all' }).click()
    expect(await listsIn(card)).toHaveLength(2)
    await busy.click()
    await busy.click()
    expect(await listsIn(card)).toEqual([])
    expect(noise).toEqual([])
  })

  // S-211
  test('a bar is met at its whole height, also where a text is', matrix, async () => {
    const { page } = await open(run)
    const card = cardOf(page, 'Where the CI minutes went')
    const bar = card.getByRole('button', { name: 'first runs:' })
    await bar.hover()
    expect(await page.locator('.tip').textContent()).toMatch(/^first runs: \d+ runs, /)
    await bar.click()
    expect(await listsIn(card)).toEqual([await bar.getAttribute('aria-label')])
    const low = cardOf(page, 'Time in queue').locator('svg [data-bar]:visible').last()
    await low.click({ position: { x: 2, y: 2 } })
    expect(await low.getAttribute('aria-expanded')).toBe('true')
  })

  // S-211
  test('by keyboard alone: one Tab stop, arrows between bars, Enter lists, a link unfolds its row', async () => {
    const { page } = await open(run)
    const card = cardOf(page, 'Time in queue')
    const stop = card.locator('[data-bar][tabindex="0"]:visible')
    expect(await stop.count()).toBe(1)
    await stop.focus()
    const nameOfFocus = (): Promise<string> => page.evaluate('document.activeElement.ariaLabel')
    const first = await nameOfFocus()
    await page.keyboard.press('ArrowRight')
    const second = await nameOfFocus()
    expect(second).not.toBe(first)
    expect(await page.locator('.tip').textContent()).toBe(second)
    expect(await page.locator('.tip').isVisible()).toBe(true)
    await page.keyboard.press('Enter')
    expect(await listsIn(card)).toEqual([second])
    await page.keyboard.press('Home')
    expect(await nameOfFocus()).toBe(first)
    await page.keyboard.press('Escape')
    expect(await page.locator('.tip').isVisible()).toBe(false)

    await page.keyboard.press('Shift+Tab')
    // Nothing else in the drawing has the focus.
    expect(await page.evaluate('document.activeElement.closest("svg")')).toBeNull()
    await page.keyboard.press('Tab')
    const link = card.locator('.bars a:visible').first()
    const number = await link.textContent()
    for (let presses = 0; presses < 9; presses++) {
      if ((await page.evaluate('document.activeElement.tagName')) === 'A') break
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    expect(await page.locator(`#pr-${number} ol`).isVisible()).toBe(true)
    expect(await page.evaluate('document.activeElement.parentElement.id')).toBe(`pr-${number}`)
  })

  test('a link finds its row although the search hides it, and scrolls', matrix, async () => {
    const { page } = await open(history)
    await page.getByRole('searchbox').fill('1011')
    const card = cardOf(page, 'Arrivals by weekday and hour')
    await card.getByRole('button', { name: 'Mon 09:00 to 10:00: 10 pull requests' }).click()
    await card.getByRole('link', { name: '1010' }).click()
    expect(await page.locator('#pr-1010 ol').isVisible()).toBe(true)
    const isSeen = (): Promise<unknown> =>
      page.evaluate(`(() => {
        const view = document.querySelector('.timeline').getBoundingClientRect()
        const { left, right } = document.querySelector('#pr-1010 path').getBoundingClientRect()
        return left > view.left && right < view.right
      })()`)
    await expect.poll(isSeen).toBe(true)
  })

  // S-211
  test('without scripts every list unfolds, and no bar claims to be a button', matrix, async () => {
    const { page } = await open(history, { javaScriptEnabled: false })
    const card = cardOf(page, 'Arrivals by weekday and hour')
    await card.getByText('list the pull requests of each hour').click()
    expect(await listsIn(card)).toHaveLength(2)
    expect(await page.locator('[data-bar][role=button]').count()).toBe(0)
    expect(await page.locator('#bars-hint').isVisible()).toBe(false)
  })

  // S-212
  test('a sparse history opens on the busiest day, and shows all below', matrix, async () => {
    const { page } = await open(history)
    const card = cardOf(page, 'Depth of the queue')
    expect(await card.locator('svg[aria-label]:visible').count()).toBe(1)
    expect(await card.locator('h4').textContent()).toContain('Mon 2026-03-23 (UTC)')
    await card.getByText('show all: the whole run').click()
    expect(await card.locator('svg[aria-label]:visible').count()).toBe(2)
  })
})
