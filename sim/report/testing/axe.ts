/** What axe finds on a page. */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

/**
 * All that axe finds, however small, without the rows of a long table that are like those before them. The policy refuses a
 * script that is added to the page, so the text is evaluated.
 */
export function axeFaults(page: Page): Promise<string[]> {
  return faultsOf(page, { resultTypes: ['violations'] })
}

/** What axe finds in the colours: the only rule for which a page in the dark is another page. */
export function faultsInColours(page: Page): Promise<string[]> {
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
