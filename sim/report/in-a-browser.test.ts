import type { Page, Locator } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { describeInBrowser } from './testing/in-browser.ts'
import { reportOf, broken, eventful, hasty, hostile, sparse } from './testing/reports.ts'

async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).first().boundingBox()
  if (!box) throw new Error(`${selector} is not visible`)
  return box
}

const roving = { isRoving: true }

/** Whether all of it is to be seen in the timeline as it is scrolled. */
const isSeen = (page: Page, what: string): Promise<boolean> =>
  page.evaluate<boolean>(`(() => {
    const view = document.querySelector('.timeline').getBoundingClientRect()
    const box = document.querySelector('${what}').getBoundingClientRect()
    return box.left >= view.left && box.right <= view.right + 1 && box.top >= view.top &&
      box.bottom <= view.bottom
  })()`)

describeInBrowser('a report', ({ open, faultsIn }) => {
  let passing: string
  let failing: string
  beforeAll(async () => {
    passing = await reportOf({ ...eventful, name: hostile.slice(0, 80), description: hostile })
    failing = await reportOf(broken, { parts: hasty })
  })

  test('has no fault that no page may have', async () => {
    for (const html of [passing, failing]) expect(await faultsIn(html, roving)).toEqual([])
  })

  test('uses the colour scheme that the reader prefers', matrix, async () => {
    const backgrounds = (['light', 'dark'] as const).map(async (colorScheme) => {
      const { page } = await open(passing, { colorScheme })
      const bar = 'getComputedStyle(document.querySelector("figure svg [fill^=var]")).fill'
      return page.evaluate(`getComputedStyle(document.documentElement).backgroundColor + ${bar}`)
    })
    expect(new Set(await Promise.all(backgrounds)).size).toBe(2)
  })

  test('opens the timeline at the violation and expands its story', matrix, async () => {
    const { page } = await open(failing)
    const timeline = await boxOf(page, '.timeline')
    const step = await boxOf(page, '#violation')
    expect(step.y).toBeGreaterThan(timeline.y)
    expect(step.y + step.height).toBeLessThan(timeline.y + timeline.height)
    const line = await boxOf(page, '.marks i')
    expect(line.x).toBeGreaterThan(timeline.x + 100)
    expect(line.x).toBeLessThan(timeline.x + timeline.width)
    expect(await page.locator('#pr-140').getAttribute('open')).not.toBeNull()
    await page.getByRole('link', { name: 'See the first violation in the timeline' }).click()
    expect(await page.locator('#violation').isVisible()).toBe(true)
  })

  test('finds pull requests by number, by word and by outcome', async () => {
    const { page } = await open(failing)
    const shown = page.locator('.row.pr:visible')
    await page.keyboard.press('/')
    await page.keyboard.type('140')
    const byNumber = await shown.count()
    expect(byNumber).toBeLessThan(10)
    expect(await page.locator('#pr-140').isVisible()).toBe(true)
    expect(await page.locator('output').textContent()).toBe(`${byNumber} of 200`)
    await page.getByRole('searchbox').fill('Failed because pull request breaks')
    expect(await shown.count()).toBe(0)
    await page.getByRole('searchbox').fill('FAILED because this pull request breaks')
    expect(await shown.count()).toBe(1)
    await page.getByRole('searchbox').fill('')
    await page.getByLabel('Show').selectOption('failed')
    expect(await shown.count()).toBe(1)
    await page.getByLabel('Show').selectOption('')
    expect(await shown.count()).toBe(200)
  })

  test('works by keyboard: one Tab stop, arrows between rows, Enter expands', async () => {
    const { page } = await open(passing)
    expect(await page.locator('.row > summary[tabindex="0"]').count()).toBe(1)
    await page.getByRole('searchbox').fill('1005')
    await page.keyboard.press('Enter')
    const first = page.locator('.row.pr:visible').first()
    expect(await first.locator('ol').isVisible()).toBe(true)
    await page.keyboard.press('ArrowDown')
    const second = page.locator('.row.pr:visible').nth(1)
    expect(await second.locator('ol').isVisible()).toBe(false)
    await page.keyboard.press('Enter')
    expect(await second.locator('ol').isVisible()).toBe(true)
  })

  test('zooms by key and by button, around the visible time', matrix, async () => {
    const { page } = await open(passing)
    const width = async (): Promise<number> => (await boxOf(page, '.sheet')).width
    const whole = await width()
    // Wherever the focus is, as the hint says.
    await page.keyboard.press('+')
    const closer = await width()
    expect(closer).toBeGreaterThan(whole * 1.3)
    await page.getByRole('button', { name: 'Zoom in' }).click()
    expect(await width()).toBeGreaterThan(closer * 1.3)
    expect(await page.locator('.axis span').count()).toBeGreaterThan(5)
    const moved = (): Promise<unknown> =>
      page.evaluate('document.querySelector(".timeline").scrollLeft')
    await expect.poll(moved).not.toBe(0)
    await page.keyboard.press('-')
    expect(await width()).toBeLessThan(closer * 1.3)
    await page.keyboard.press('0')
    expect(await width()).toBe(whole)
    await page.getByRole('searchbox').focus()
    await page.keyboard.type('+1-0')
    expect(await page.getByRole('searchbox').inputValue()).toBe('+1-0')
    expect(await width()).toBe(whole)
  })

  test('cuts no label of the axis, with and without scripts', async () => {
    const pullRequests = [1, 2, 3, 4, 5, 6, 7].map((number) => ({ number }))
    const queue = { concurrency: 1 }
    // Its last label stands at its end.
    const html = await reportOf({ name: 'even', queue, suite: { minutes: 10 }, pullRequests })
    for (const javaScriptEnabled of [true, false]) {
      const viewport = { width: 1000, height: 800 }
      const { page } = await open(html, { javaScriptEnabled, viewport })
      const axis = await boxOf(page, '.axis > div')
      const labels = await page.locator('.axis span').all()
      expect(labels.length).toBeGreaterThan(3)
      for (const label of labels) {
        const box = await label.boundingBox()
        expect((box?.x ?? NaN) + (box?.width ?? NaN)).toBeLessThanOrEqual(axis.x + axis.width + 1)
      }
    }
  })

  test('works without scripts: every story expands, and controls that need a script are hidden', async () => {
    const { page, noise } = await open(failing, { javaScriptEnabled: false })
    expect(await page.locator('form.controls').isVisible()).toBe(false)
    await page.locator('#pr-3 > summary').click()
    expect(await page.locator('#pr-3 ol').isVisible()).toBe(true)
    expect(await page.locator('figure svg').first().isVisible()).toBe(true)
    expect(noise).toEqual([])
  })

  test('prints without controls, and without scrolling', matrix, async () => {
    const { page } = await open(passing)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('form.controls').isVisible()).toBe(false)
    const inside = 'document.querySelector(".timeline")'
    expect(await page.evaluate(`${inside}.scrollHeight - ${inside}.clientHeight`)).toBe(0)
    const pdf = await page.pdf()
    expect(pdf.subarray(0, 4).toString()).toBe('%PDF')
  })
})

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
    expect(await faultsIn(history, roving)).toEqual([])
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
    await expect.poll(() => isSeen(page, '#pr-1010 path')).toBe(true)
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

describeInBrowser('the report of a history with idle weeks', ({ open }) => {
  let html: string
  beforeAll(async () => {
    html = await reportOf(sparse)
  })

  test('opens on the busiest day, says so, and shows all at a press of a button', async () => {
    const { page } = await open(html)
    expect(await page.locator('.opening').textContent()).toContain(
      'opens on the busiest day: day 21, with 6 new pull requests',
    )
    expect(await isSeen(page, '#pr-1011 path')).toBe(true)
    expect(await isSeen(page, '#pr-1001 path')).toBe(false)
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
