/** Settings that act alike: with the same seeds they have the very same figures. */

import type { SettingResult, TuneDocument } from '../document.ts'
import { marksOf, meanIn } from '../sentences.ts'

export type Alike = {
  /** The one that stands for all: today's, else one with a mark, else the first. */
  readonly first: SettingResult
  readonly others: readonly SettingResult[]
  /** What is special about any of them. */
  readonly marks: readonly string[]
}

/** Groups the settings in their order. Nothing is known of those in which nothing landed. */
export function alikeOf(settings: readonly SettingResult[], document: TuneDocument): Alike[] {
  const groups = new Map<string, SettingResult[]>()
  for (const setting of settings) {
    const { name, seeds, figures } = setting
    const isKnown = meanIn(setting, 'p95') !== null && seeds > 1
    const key = isKnown
      ? JSON.stringify([setting.role === 'searched', seeds, figures])
      : `only ${name}`
    groups.set(key, [...(groups.get(key) ?? []), setting])
  }
  return [...groups.values()].flatMap((group) => {
    const marked = (setting: SettingResult): boolean => marksOf(setting, document).length > 0
    const first = group.find(({ isToday }) => isToday) ?? group.find(marked) ?? group[0]
    if (!first) return []
    const others = group.filter((setting) => setting !== first)
    const marks = [first, ...others].flatMap((setting) => marksOf(setting, document))
    return [{ first, others, marks: [...new Set(marks)] }]
  })
}
