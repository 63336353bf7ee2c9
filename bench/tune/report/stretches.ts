/** The section about the stretches of a history: whether the advice is that of a season. */

import { table } from '../../../sim/report/page/pieces.ts'
import type { TuneDocument } from '../document.ts'
import { stretchWords } from '../sentences.ts'

/** Returns no section if the history was not taken apart. */
export function stretchSections({ stretches, verdict }: TuneDocument) {
  if (stretches.length === 0) return []
  const name = verdict.kind === 'unsure' ? verdict.best : verdict.choice
  const right = { leans: 'right' as const }
  const head = [
    { title: 'stretch' },
    { title: 'days', ...right },
    { title: 'pull requests', ...right },
    { title: `${name}, instead of today's setting` },
  ]
  const rows = stretches.map(({ days, pullRequests, isBetter }, index) => [
    `${index + 1} of ${stretches.length}`,
    String(days),
    String(pullRequests),
    isBetter ? 'better on average' : 'not better',
  ])
  const title = 'Stretch by stretch'
  const about = `The history in ${stretches.length} parts with about as many pull requests each. Taken apart, ${stretchWords(stretches)}. It is advised only if it is better in all of them but one: else it depends on the season.`
  return [{ id: 'stretches', title, about, body: table(head, rows, { name: title }) }]
}
