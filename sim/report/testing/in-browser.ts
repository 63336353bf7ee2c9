/** Tests of pages in Chromium, which each group starts once. Without Chromium they are skipped. */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import { TestBrowser, isBrowserMissing } from './browser.ts'

// What axe finds on a page.

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

/**
 * All that axe finds, however small, without the rows of a long table that are like those before them. The policy refuses a
 * script that is added to the page, so the text is evaluated.
 */
export function axeFaults(page: Page): Promise<string[]> {
  return faultsOf(page, { resultTypes: ['violations'] })
}

/** What axe finds in the colours: the only rule for which a page in the dark is another page. */
function faultsInColours(page: Page): Promise<string[]> {
  return faultsOf(page, { resultTypes: ['violations'], runOnly: ['color-contrast'] })
}

async function faultsOf(page: Page, options: RunOptions): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe)
  const results = await page.evaluate<AxeResults>(
    `axe.run({ exclude: [['tr:nth-child(n + 10)']] }, ${JSON.stringify(options)})`,
  )
  return results.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`,
  )
}

// Checks that every page must pass. Each function returns its faults as text.

/** A phone, a tablet, a laptop, a wide screen. */
const sizes = [
  { width: 390, height: 844 },
  { width: 800, height: 1000 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const

/**
 * Names that lack, content that does not fit in each size, and all that axe finds on a phone and on a wide screen. In the
 * dark only colours differ, so axe looks at those. One page is resized, because loading it takes most of the time.
 */
export async function faultsInAllSizes(page: Page): Promise<string[]> {
  const faults = await faultsInNames(page)
  for (const size of sizes) {
    await page.setViewportSize(size)
    const found = await faultsInSize(page)
    const isOuter = size === sizes[0] || size === sizes.at(-1)
    if (isOuter) found.push(...(await axeFaults(page)), ...(await faultsInTheDark(page)))
    faults.push(...found.map((fault) => `at ${size.width} px: ${fault}`))
  }
  return faults
}

async function faultsInTheDark(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' })
  const found = [...(await faultsInSize(page)), ...(await faultsInColours(page))]
  await page.emulateMedia({ colorScheme: 'light' })
  return found.map((fault) => `dark: ${fault}`)
}

/** What does not fit in the present size. */
async function faultsInSize(page: Page): Promise<string[]> {
  const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  const faults = await faultsInCharts(page)
  return wider > 0 ? [...faults, `${wider} px wider than the screen`] : faults
}

/** Text in charts that is outside the chart, shortened or overlapping. */
function faultsInCharts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`
    [...document.querySelectorAll('figure svg[aria-label]')].flatMap((svg) => {
      const all = svg.getBoundingClientRect()
      const words = [...svg.querySelectorAll('text')].filter((each) => each.textContent.trim())
      const boxes = words.map((each) => [each.textContent, each.getBoundingClientRect()])
      const isOut = ([, box]) => box.left < all.left - 1 || box.right > all.right + 1 ||
        box.top < all.top - 1 || box.bottom > all.bottom + 1
      const meets = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 &&
        a.top < b.bottom - 3 && b.top < a.bottom - 3
      return all.width === 0 ? [] : [
        ...boxes.filter(isOut).map(([text]) => 'outside its chart: ' + text),
        ...boxes.filter(([text]) => text.endsWith('…')).map(([text]) => 'shortened: ' + text),
        ...boxes.flatMap(([text, box], index) => boxes.slice(index + 1)
          .filter(([, other]) => meets(box, other))
          .map(([other]) => 'overlapping: ' + text + ', ' + other)),
      ].map((fault) => svg.ariaLabel + ': ' + fault)
    })`)
}

/** Duplicate ids, and elements that can have the focus but have no accessible name. */
function faultsInNames(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`
    (() => {
      const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
      const twice = ids.filter((id, index) => ids.indexOf(id) !== index)
      const reachable = 'a, button, input, select, summary, [tabindex], figure svg[viewBox]:not([aria-hidden])'
      const nameless = [...document.querySelectorAll(reachable)].filter((each) =>
        !(each.textContent.trim() || each.ariaLabel || each.labels?.length))
      const regions = [...document.querySelectorAll('[role=region]')].map((each) => each.ariaLabel)
      return [
        ...twice.map((id) => 'duplicate id: ' + id),
        ...nameless.map((each) => 'has no name: ' + each.outerHTML.slice(0, 200)),
        ...regions.filter((name, index) => !name || regions.indexOf(name) !== index)
          .map((name) => 'a region without a unique name: ' + name),
        ...['h1', 'main'].filter((name) => document.querySelectorAll(name).length !== 1)
          .map((name) => 'not exactly one ' + name),
      ]
    })()`)
}

/** Elements that a mouse can use and Tab does not reach. */
export async function faultsByKey(page: Page): Promise<string[]> {
  const visible = 'a[href], button, input, select, summary, .scroll, svg [tabindex="0"]'
  const marked = await page.evaluate<number>(`
    [...document.querySelectorAll('${visible}')].filter((each) => each.checkVisibility()).length`)
  await page.evaluate(`
    document.activeElement.dataset.reached = ''
    document.addEventListener('focusin', ({ target }) => { target.dataset.reached = '' })`)
  for (let presses = 0; presses < marked; presses++) await page.keyboard.press('Tab')
  return page.evaluate<string[]>(`
    [...document.querySelectorAll('${visible}')]
      .filter((each) => each.checkVisibility() && !('reached' in each.dataset))
      .map((each) => 'cannot be reached: ' + each.outerHTML.slice(0, 200))`)
}

/** The width of an A4 sheet between its margins, in CSS pixels. */
const sheetWidth = 718

/** Content that would be cut off on paper, because paper does not scroll. */
async function faultsOnPaper(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: sheetWidth, height: 1000 })
  await page.emulateMedia({ media: 'print' })
  return page.evaluate<string[]>(`
    [document.documentElement, ...document.querySelectorAll('.scroll, .timeline')]
      .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
      .map((each) => 'cut off on paper: ' + (each.ariaLabel || each.tagName) + ', ' +
        (each.scrollWidth - each.clientWidth) + ' px')`)
}

type Reader = Pick<TestBrowser, 'open' | 'visit'> & {
  /** All that no page may have. `isRoving`: keys move between rows, so that Tab does not stop at each. */
  readonly faultsIn: (html: string, as?: { readonly isRoving: boolean }) => Promise<string[]>
}

export function describeInBrowser(name: string, tell: (reader: Reader) => void): void {
  describe.skipIf(isBrowserMissing)(`in Chromium ${name}`, () => {
    let browser: TestBrowser
    beforeAll(async () => {
      browser = await TestBrowser.launch()
    })
    afterAll(() => browser.close())
    tell({
      open: (html, as) => browser.open(html, as),
      visit: (url, as) => browser.visit(url, as),
      faultsIn: async (html, { isRoving } = { isRoving: false }) => {
        const { page, noise } = await browser.open(html, { viewport: sizes[0] })
        const faults = await faultsInAllSizes(page)
        if (!isRoving) faults.push(...(await faultsByKey(page)))
        faults.push(...(await faultsOnPaper(page)))
        await page.close()
        return [...faults, ...noise]
      },
    })
  })
}
