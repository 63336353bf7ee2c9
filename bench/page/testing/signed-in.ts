/** A person who signs in to a real server, by the page itself. */

import type { Page } from 'playwright-core'
import type { Visit } from './in-browser.ts'

/** Opens the only queue. */
export async function signedIn(
  visit: Visit,
  url: string,
  token: string,
  viewport = { width: 1400, height: 900 },
): Promise<Page> {
  const { page } = await visit(url, { viewport })
  await page.getByLabel('Token').fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('.answer').waitFor()
  // A table under the pointer holds still.
  await page.mouse.move(0, 0)
  return page
}
