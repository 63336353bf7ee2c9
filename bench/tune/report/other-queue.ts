/** The parts of the page that only a search of another product's queue has. */

import { html, type HtmlContent } from '../../../sim/report/page/html.ts'
import { table } from '../../../sim/report/page/pieces.ts'
import { intervalText } from '../../statistics/text.ts'
import type { TuneDocument } from '../document.ts'
import { figureNames, figureTable } from '../figures/figures.ts'
import { besideWords, changeWords } from '../sentences.ts'

/** The product's own configuration, and how to apply it. */
export function configurationPart({ configuration }: TuneDocument): HtmlContent {
  if (!configuration) return null
  const { target, text, apply, checked } = configuration
  return html`<p>${target}:</p>
    <pre class="command"><code>${text}</code></pre>
    <ul>
      ${apply.map((each) => html`<li>${each}</li>`)}
    </ul>
    <p class="soft">Checked against ${checked}.</p>`
}

/** What Mergeyard would have given. */
export function besideSections({ beside, settings, verdict }: TuneDocument) {
  const choice = settings.find(({ name }) => name === verdict.choice)
  if (!beside || !choice) return []
  const { setting, againstChoice } = beside
  const right = { leans: 'right' as const }
  const head = [
    { title: 'figure' },
    { title: choice.name, ...right },
    { title: 'Mergeyard', ...right },
    { title: 'difference, with 95 % confidence interval' },
  ]
  const rows = figureNames.map((name) => {
    const { title, unit } = figureTable[name]
    return [
      unit === '' ? title : `${title}, ${unit}`,
      intervalText(choice.figures[name]?.mean ?? null),
      intervalText(setting.figures[name]?.mean ?? null),
      changeWords(name, againstChoice?.[name] ?? null),
    ]
  })
  const name = 'Beside it: Mergeyard'
  const about = `Mergeyard with ${besideWords(beside)}.`
  return [{ id: 'beside', title: name, about, body: table(head, rows, { name }) }]
}
