/** The settings with a name, and what their risk is: unproven merges by kind. */

import { html, type Html } from '../../../sim/report/page/html.ts'
import { table } from '../../../sim/report/page/pieces.ts'
import { cellText } from '../../statistics/text.ts'
import type { SettingResult, TuneDocument } from '../document.ts'
import { marksOf } from '../sentences.ts'
import { unprovenText } from './about-setting.ts'

/** Today's, the advised, the safest, the cheapest and the fastest setting, each in one row. */
export function namedTable(document: TuneDocument): Html | null {
  const { settings, verdict, named, asked } = document
  const today = settings.find(({ isToday }) => isToday)
  const names = [today?.name, verdict.choice, named.safest, named.cheapest, named.fastest]
  const rows = [...new Set(names)].flatMap((name) =>
    settings.filter((setting) => setting.name === name && setting.role !== 'searched'),
  )
  if (verdict.kind === 'empty' || rows.length < 2) return null
  const right = { leans: 'right' as const }
  const head = [
    { title: 'setting' },
    { title: 'to land p95, min', ...right },
    { title: 'CI minutes per landed', ...right },
    ...(asked.prices ? [{ title: 'price per landed', ...right }] : []),
    { title: 'healthy evicted', ...right },
    { title: 'merged without a run of exactly that tree: the price of risk' },
  ]
  const cell = (setting: SettingResult, name: 'p95' | 'ciMinutes' | 'price' | 'evicted'): string =>
    cellText(setting.figures[name]?.mean ?? null)
  const body = rows.map((setting) => [
    nameCell(setting, document),
    cell(setting, 'p95'),
    cell(setting, 'ciMinutes'),
    ...(asked.prices ? [cell(setting, 'price')] : []),
    cell(setting, 'evicted'),
    unprovenText(setting),
  ])
  return html`<div id="named">${table(head, body, { name: 'Settings with a name' })}</div>`
}

function nameCell(setting: SettingResult, document: TuneDocument): Html {
  const marks = marksOf(setting, document)
  const name = setting.isToday ? null : `: ${setting.name}`
  return html`${marks.join(', ')}<span class="soft">${name}</span>`
}
