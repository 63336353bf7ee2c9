/** The playground as a reader opens it. */

import type { Page } from 'playwright-core'

/** Resolves when everything that was asked for is there. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main:not(:has([aria-busy=true]))').waitFor()
}

/** The texts of the tiles, by name: the figure and what stands beside it. */
export async function tiles(page: Page): Promise<Record<string, readonly string[]>> {
  const entries = await page
    .locator('.answer .tiles > div')
    .evaluateAll((all) =>
      all.map((each): [string, string[]] => [
        each.querySelector('dt')?.textContent ?? '',
        [...each.querySelectorAll('dd')].map(({ textContent }) => textContent),
      ]),
    )
  return Object.fromEntries(entries)
}

/** Moves a slider as a key does, by one step. */
export async function press(page: Page, label: string, key: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).press(key)
}
