/** The section about the axes that need no thought. */

import { html } from '../../../sim/report/page/html.ts'
import type { TuneDocument } from '../document.ts'
import { foldedWords } from '../sentences.ts'

/** Returns no section if every value makes a difference. */
export function sameSections(document: TuneDocument) {
  const words = foldedWords(document)
  if (words.length === 0) return []
  const { leastEffectPercent } = document.asked
  const about = `These values, each set alone instead of the one of ${document.verdict.choice}, surely change time to land and CI minutes by less than ${leastEffectPercent} %, and are as safe.`
  const body = html`<ul>
    ${words.map((each) => html`<li>${each}</li>`)}
  </ul>`
  return [{ id: 'same', title: 'What makes no difference', about, body }]
}
