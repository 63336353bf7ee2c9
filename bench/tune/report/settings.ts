/** Settings on the page: those that look alike, their tooltips, and their rows in a table. */

import { type Html, type HtmlContent, html } from '../../../sim/html/html.ts'
import { table, right } from '../../../sim/html/pieces.ts'
import { cellText, figure } from '../../statistics/text.ts'
import type { SettingResult, TuneDocument } from '../document.ts'
import { type FigureName, figureTable, titleOf } from '../figures.ts'
import { marksOf, meanIn, unprovenByKind } from '../sentences.ts'

// Settings that look alike: the document says so, or all figures that the page shows are the same.

export type Alike = {
  /** The one that stands for all: today's, else one with a mark, else the one of the document. */
  readonly first: SettingResult
  readonly others: readonly SettingResult[]
  /** What is special about any of them. */
  readonly marks: readonly string[]
}

/** The figures that tell settings apart in tables and on the chart. */
const inTables = ['p95', 'ciMinutes', 'price', 'evicted', 'unproven', 'broken'] as const

/** Groups the settings in their order. Nothing is known of those in which nothing landed. */
export function alikeOf(settings: readonly SettingResult[], document: TuneDocument): Alike[] {
  const groups = new Map<string, SettingResult[]>()
  const byName = new Map(settings.map((setting) => [setting.name, setting]))
  for (const setting of settings) {
    const like = byName.get(setting.sameAs ?? '') ?? setting
    const key = looksOf(like)
    groups.set(key, [...(groups.get(key) ?? []), setting])
  }
  return [...groups.values()].flatMap((group) => {
    const marked = (setting: SettingResult): boolean => marksOf(setting, document).length > 0
    const first =
      group.find(({ isToday }) => isToday) ??
      group.find(marked) ??
      group.find(({ sameAs }) => sameAs === null) ??
      group[0]
    if (!first) return []
    const others = group.filter((setting) => setting !== first)
    const marks = [first, ...others].flatMap((setting) => marksOf(setting, document))
    return [{ first, others, marks: [...new Set(marks)] }]
  })
}

/** The same text for settings that cannot be told apart on the page. */
function looksOf(setting: SettingResult): string {
  const { name, role, seeds, figures } = setting
  if (meanIn(setting, 'p95') === null || seeds < 2) return `only ${name}`
  const shown = inTables.map((each: FigureName) => cellText(figures[each]?.mean ?? null))
  return JSON.stringify([role === 'searched', seeds, shown])
}

// The tooltip of a setting: its name and what judges it, one figure a line.

export function aboutSetting(
  setting: SettingResult,
  others: readonly SettingResult[] = [],
): string {
  return [
    setting.name,
    ...(others.length === 0
      ? []
      : [`the same figures: ${others.map(({ name }) => name).join('; ')}`]),
    ...(['p95', 'ciMinutes', 'price', 'evicted'] as const).flatMap((name) =>
      figureLine(setting, name),
    ),
    `merged unproven: ${unprovenText(setting)}`,
    setting.role === 'searched'
      ? `left in the search, after ${setting.seeds} other seeds`
      : `means over ${setting.seeds} seeds`,
  ].join('\n')
}

function figureLine(setting: SettingResult, name: FigureName): string[] {
  const result = setting.figures[name]
  if (!result) return []
  const { title, unit } = figureTable[name]
  return [`${title}: ${cellText(result.mean)} ${unit}`.trimEnd()]
}

/** Formats as `257: cleared by a successor 200, in the middle of a batch 57`. */
function unprovenText(setting: SettingResult): string {
  const total = figure(meanIn(setting, 'unproven') ?? 0)
  const kinds = unprovenByKind(setting).map(({ words, mean }) => `${words} ${figure(mean)}`)
  return kinds.length === 0 ? total : `${total}: ${kinds.join(', ')}`
}

// Settings in a table. Those that look alike share a row.

export function settingsTable(
  groups: readonly Alike[],
  name: string,
  { asked }: TuneDocument,
): Html {
  const shown = (['p95', 'ciMinutes', 'price', 'evicted', 'broken'] as const).filter(
    (each) => each !== 'price' || asked.prices !== null,
  )
  const head = [
    'setting',
    right('seeds'),
    ...shown.map((each) => right(titleOf(each))),
    figureTable.unproven.title,
  ]
  const rows = groups.map((group) => [
    nameOf(group),
    sortable(group.first.seeds, String(group.first.seeds)),
    ...shown.map((each) => figureCell(group.first, each)),
    sortable(meanIn(group.first, 'unproven'), unprovenText(group.first)),
  ])
  return table(head, rows, { name, isSortable: true })
}

function nameOf({ first: { name }, others, marks }: Alike): HtmlContent {
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

function figureCell(setting: SettingResult, name: FigureName): HtmlContent {
  return sortable(meanIn(setting, name), cellText(setting.figures[name]?.mean ?? null))
}

function sortable(value: number | null, text: string): HtmlContent {
  return value === null ? text : html`<data value="${value}">${text}</data>`
}
