/** The pull requests that ended last. */

import type { Pull } from '../../../../../sim/import/github/records.ts'
import { count } from '../../../../../sim/terminal/text.ts'
import { valueOf } from './history-api.ts'
import { trimmed, type Download } from './parts.ts'

/**
 * Returns as many closed pull requests as are wanted, those that ended last. GitHub lists them by their last
 * change, which is never before their end: when that of a page is older than the end of all that are
 * wanted, no other can have ended later.
 */
export async function lastPulls({ api, wanted, show }: Download, branch: string): Promise<Pull[]> {
  const order = { state: 'closed', base: branch, sort: 'updated', direction: 'desc' }
  let pulls: Pull[] = []
  for await (const { items } of api.pages('/repos/{owner}/{repo}/pulls', order, null)) {
    const oldest = Date.parse(String(valueOf(items.at(-1), 'updated_at')))
    const found = items.map((item) => trimmed('pull', item))
    pulls = [...new Map([...pulls, ...found].map((pull) => [pull.number, pull])).values()]
      .toSorted((a, b) => endOf(b) - endOf(a))
      .slice(0, wanted.last)
    show(`pull requests: ${count(pulls.length)}`)
    const last = pulls.at(-1)
    if (last && pulls.length >= wanted.last && endOf(last) >= oldest) break
  }
  return pulls
}

const endOf = (pull: Pull): number =>
  Date.parse(pull.merged_at ?? pull.closed_at ?? pull.created_at)
