/** Settings that look alike: the document says so, or all figures that the page shows are the same. */

import { cellText } from '../../statistics/text.ts'
import type { SettingResult, TuneDocument } from '../document.ts'
import type { FigureName } from '../figures/figures.ts'
import { marksOf, meanIn } from '../sentences.ts'

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
  const { name, role, seeds, isTooSlow, figures } = setting
  if (meanIn(setting, 'p95') === null || seeds < 2) return `only ${name}`
  const shown = inTables.map((each: FigureName) => cellText(figures[each]?.mean ?? null))
  return JSON.stringify([role === 'searched', seeds, isTooSlow, shown])
}
