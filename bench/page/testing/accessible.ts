/** What axe-core finds on a page. */

import axe from 'axe-core'
import type { Page } from 'playwright-core'

type Found = { readonly id: string; readonly impact: string | null; readonly targets: string }

/** Findings that keep somebody from using the page, each with the rule and the elements. */
export async function seriousFaults(page: Page): Promise<string[]> {
  // The policy of the page refuses scripts in it, and not what the browser's tools evaluate.
  await page.evaluate(axe.source)
  const found = await page.evaluate<Found[]>(`
    axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) => ({
      id, impact, targets: nodes.map(({ target }) => target.join(' ')).join(', '),
    })))`)
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, targets }) => `${id}: ${targets}`)
}
