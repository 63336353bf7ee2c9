/** Tests of pages in Chromium, which each group starts once. Without Chromium they are skipped. */

import { afterAll, beforeAll, describe } from 'vitest'
import { isBrowserMissing, TestBrowser } from './browser.ts'
import { faultsByKey, faultsInAllSizes, faultsInNames, faultsOnPaper } from './faults.ts'

export type Reader = Pick<TestBrowser, 'open' | 'visit'> & {
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
        const { page } = await browser.open(html)
        const faults = await faultsInNames(page)
        if (!isRoving) faults.push(...(await faultsByKey(page)))
        faults.push(...(await faultsOnPaper(page)))
        await page.close()
        return [...faults, ...(await faultsInAllSizes(html, browser))]
      },
    })
  })
}
