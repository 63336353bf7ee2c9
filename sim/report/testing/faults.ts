/** What no page may do, whatever it tells. Each answers the faults that it finds, for people. */

import type { Page } from 'playwright-core'
import type { TestBrowser } from './browser.ts'

/** A phone, a laptop, a wide screen. */
export const sizes = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const

type Size = (typeof sizes)[number]

/** What it says, asks for, and does not fit, in light and in dark. */
export async function faultsAt(
  viewport: Size,
  html: string,
  browser: TestBrowser,
): Promise<string[]> {
  const faults: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, noise } = await browser.open(html, { viewport, colorScheme })
    const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    faults.push(...noise, ...(await faultsInCharts(page)))
    if (wider > 0) faults.push(`${wider} px wider than the screen`)
    await page.close()
  }
  return faults
}

/** Words of a chart that lie outside of it, are shortened, or over each other. */
function faultsInCharts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`
    [...document.querySelectorAll('figure svg[role=img]')].flatMap((svg) => {
      const all = svg.getBoundingClientRect()
      const words = [...svg.querySelectorAll('text')].filter((each) => each.textContent.trim())
      const boxes = words.map((each) => [each.textContent, each.getBoundingClientRect()])
      const isOut = ([, box]) => box.left < all.left - 1 || box.right > all.right + 1 ||
        box.top < all.top - 1 || box.bottom > all.bottom + 1
      const meets = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 &&
        a.top < b.bottom - 3 && b.top < a.bottom - 3
      return all.width === 0 ? [] : [
        ...boxes.filter(isOut).map(([text]) => 'outside of its chart: ' + text),
        ...boxes.filter(([text]) => text.endsWith('…')).map(([text]) => 'shortened: ' + text),
        ...boxes.flatMap(([text, box], index) => boxes.slice(index + 1)
          .filter(([, other]) => meets(box, other))
          .map(([other]) => 'over each other: ' + text + ', ' + other)),
      ].map((fault) => svg.ariaLabel + ': ' + fault)
    })`)
}

/** Ids that are there twice, and what one can reach and nothing names. */
export function faultsInNames(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`
    (() => {
      const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
      const twice = ids.filter((id, index) => ids.indexOf(id) !== index)
      const reachable = 'a, button, input, select, summary, [tabindex], svg[role=img]'
      const nameless = [...document.querySelectorAll(reachable)].filter((each) =>
        !(each.textContent.trim() || each.ariaLabel || each.labels?.length))
      const regions = [...document.querySelectorAll('[role=region]')].map((each) => each.ariaLabel)
      return [
        ...twice.map((id) => 'twice: ' + id),
        ...nameless.map((each) => 'has no name: ' + each.outerHTML.slice(0, 200)),
        ...regions.filter((name, index) => !name || regions.indexOf(name) !== index)
          .map((name) => 'a region that cannot be told from others: ' + name),
        ...['h1', 'main'].filter((name) => document.querySelectorAll(name).length !== 1)
          .map((name) => 'not exactly one ' + name),
      ]
    })()`)
}

/** What a mouse can use and Tab never comes to. */
export async function faultsByKey(page: Page): Promise<string[]> {
  const visible = 'a[href], summary, .scroll'
  const marked = await page.evaluate<number>(`
    [...document.querySelectorAll('${visible}')].filter((each) => each.checkVisibility()).length`)
  for (let presses = 0; presses < marked; presses++) {
    await page.keyboard.press('Tab')
    await page.evaluate('document.activeElement.dataset.reached = ""')
  }
  return page.evaluate<string[]>(`
    [...document.querySelectorAll('${visible}')]
      .filter((each) => each.checkVisibility() && !('reached' in each.dataset))
      .map((each) => 'cannot be reached: ' + each.outerHTML.slice(0, 200))`)
}

/** As wide as a sheet of A4 with its margins. */
const sheetWidth = 718

/** What would be cut off on paper, where nobody can scroll. */
export async function faultsOnPaper(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: sheetWidth, height: 1000 })
  await page.emulateMedia({ media: 'print' })
  return page.evaluate<string[]>(`
    [document.documentElement, ...document.querySelectorAll('.scroll, .timeline')]
      .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
      .map((each) => 'cut off on paper: ' + (each.ariaLabel || each.tagName) + ', ' +
        (each.scrollWidth - each.clientWidth) + ' px')`)
}
