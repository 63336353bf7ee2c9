import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { describeInBrowser } from './testing/in-browser.ts'
import { reportOf } from './testing/reports.ts'
import { broken, eventful, hasty, hostile } from './testing/scenarios.ts'

async function boxOf(page: Page, selector: string): Promise<Box> {
  const box = await page.locator(selector).first().boundingBox()
  if (!box) throw new Error(`${selector} is not visible`)
  return box
}

const roving = { isRoving: true }

type Box = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

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
    const backgrounds = ['light', 'dark'].map(async (scheme) => {
      const colorScheme = scheme === 'dark' ? ('dark' as const) : ('light' as const)
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
    const width = async (): Promise<number> =>
      (await page.locator('.sheet').boundingBox())?.width ?? NaN
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
    for (const javaScriptEnabled of [true, false]) {
      const viewport = { width: 1000, height: 800 }
      const { page } = await open(passing, { javaScriptEnabled, viewport })
      const end = await page.locator('.axis > div').boundingBox()
      const labels = await page.locator('.axis span').all()
      expect(labels.length).toBeGreaterThan(3)
      for (const label of labels) {
        const box = await label.boundingBox()
        expect((box?.x ?? NaN) + (box?.width ?? NaN)).toBeLessThanOrEqual(
          (end?.x ?? NaN) + (end?.width ?? NaN) + 1,
        )
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
