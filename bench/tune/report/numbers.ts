/** The settings of a chart in a table: what the tooltips say, for those who have no mouse. */

import { html, type Html, type HtmlContent } from '../../../sim/report/page/html.ts'
import { table } from '../../../sim/report/page/pieces.ts'
import { cellText } from '../../statistics/text.ts'
import type { SettingResult, TuneDocument } from '../document.ts'
import { titleOf, type FigureName } from '../figures/figures.ts'
import { meanIn } from '../sentences.ts'
import { unprovenText } from './about-setting.ts'
import type { Alike } from './alike.ts'

const inNumbers = ['p95', 'ciMinutes', 'price', 'evicted'] as const

/** A row for each group of settings that look alike. */
export function numbersOf(groups: readonly Alike[], name: string, { asked }: TuneDocument): Html {
  const right = { leans: 'right' as const }
  const shown = inNumbers.filter((each) => each !== 'price' || asked.prices !== null)
  const head = [
    { title: 'setting' },
    { title: 'seeds', ...right },
    ...shown.map((each) => ({ title: titleOf(each), ...right })),
    { title: 'merged unproven' },
  ]
  const rows = groups.map(({ first, others, marks }) => [
    nameOf(first, { others, marks }),
    sortable(first.seeds, seedsText(first)),
    ...shown.map((each) => figureCell(first, each)),
    sortable(meanIn(first, 'unproven'), unprovenText(first)),
  ])
  return table(head, rows, { name, isSortable: true })
}

/** Those that left in the search ran on other seeds. */
function seedsText({ seeds, role }: SettingResult): string {
  return role === 'searched' ? `${seeds} other` : String(seeds)
}

export function nameOf(
  { name }: SettingResult,
  { others, marks }: Pick<Alike, 'others' | 'marks'>,
): HtmlContent {
  const words = marks.filter((mark) => name !== "today's setting" || mark !== 'today').join(', ')
  return html`${name}${words === '' ? null : html` <strong>(${words})</strong>`}
  ${
    others.length === 0
      ? null
      : html`<div class="soft">
          the same figures: ${others.map((each) => each.name).join('; ')}
        </div>`
  }`
}

export function figureCell(setting: SettingResult, name: FigureName): HtmlContent {
  return sortable(meanIn(setting, name), cellText(setting.figures[name]?.mean ?? null))
}

export function sortable(value: number | null, text: string): HtmlContent {
  return value === null ? text : html`<data value="${value}">${text}</data>`
}
