/** The tooltip of a setting: its name and what judges it, one figure a line. */

import { cellText, figure } from '../../statistics/text.ts'
import type { SettingResult } from '../document.ts'
import { figureTable, type FigureName } from '../figures/figures.ts'
import { meanIn, unprovenByKind } from '../sentences.ts'

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
export function unprovenText(setting: SettingResult): string {
  const total = figure(meanIn(setting, 'unproven') ?? 0)
  const kinds = unprovenByKind(setting).map(({ words, mean }) => `${words} ${figure(mean)}`)
  return kinds.length === 0 ? total : `${total}: ${kinds.join(', ')}`
}
