/** The verdict in words, for the terminal and the page alike. */

import { count } from '../../sim/command-line/text.ts'
import { figure } from '../statistics/text.ts'
import { readingOf, type Difference } from '../statistics/interval.ts'
import { figureTable, type FigureName } from './figures.ts'
import type { SettingResult, TuneDocument } from './document.ts'

export type VerdictWords = {
  /** A few words. */
  readonly title: string
  /** Whole sentences. */
  readonly reasons: readonly string[]
}

export function verdictWords(document: TuneDocument): VerdictWords {
  const { verdict, preference, seeds, settings, isDrawn } = document
  const { kind, choice, best, cannotBeTold, unsafe } = verdict
  const chance = isDrawn
    ? `over ${seeds} seeds, the same pull requests for every setting.`
    : 'over this one history: nothing in it is drawn, so how other days would go cannot be told.'
  const measured = `Judged by ${preference.means}; ${chance}`
  const surely = isDrawn ? 'Surely better' : 'Better'
  const left =
    unsafe.length === 0
      ? []
      : [`Left out, because main stays broken for longer than today: ${listed(unsafe)}.`]
  const closest = cannotBeTold.map(({ name }) => name)
  switch (kind) {
    case 'winner':
      return {
        title: `Set ${choice}`,
        reasons: [`${surely} than every other setting that was tried. ${measured}`, ...left],
      }
    case 'tie':
      return {
        title: `No single winner; ${choice} changes least`,
        reasons: [
          `${count([best, ...closest].length)} settings cannot be told from each other: ${listed([best, ...closest])}. Today's is not among them. ${measured}`,
          ...left,
        ],
      }
    case 'keep': {
      const today = settings.find(({ isToday }) => isToday)?.name ?? choice
      const isBest = best === choice
      const others = closest.filter((name) => name !== choice)
      const why = isBest
        ? others.length === 0
          ? `It is ${surely.toLowerCase()} than every other setting that was tried.`
          : `It has the lowest mean, and cannot be told from ${listed(others)}.`
        : `The lowest mean is that of ${best}, but not surely: more seeds could tell.`
      return { title: `Keep ${today}`, reasons: [`${why} ${measured}`, ...left] }
    }
  }
}

const mostListed = 4

/** The first few; the table marks them all. */
function listed(names: readonly string[]): string {
  const more = names.length - mostListed
  return more > 1
    ? `${names.slice(0, mostListed).join('; ')}; and ${count(more)} more`
    : names.join('; ')
}

/** What a figure changes by, beside today's: `29.1 min less (25 to 33)`, or that it cannot be told. */
export function changeWords(name: FigureName, difference: Difference | null): string {
  if (!difference) return 'nobody merged'
  const { unit } = figureTable[name]
  const units = unit === '' ? '' : ` ${unit}`
  const { mean, low, high } = difference
  const reading = readingOf(difference)
  if (reading === 'the same') return 'the same'
  if (reading === 'cannot tell') {
    const sign = mean < 0 ? '' : '+'
    return `cannot be told: ${sign}${figure(mean)}${units} (${figure(low)} to ${figure(high)})`
  }
  const range = mean < 0 ? [-high, -low] : [low, high]
  return `${figure(Math.abs(mean))}${units} ${reading} (${range.map(figure).join(' to ')})`
}

/** What the setting that the page points at is. */
export function choiceWords({ verdict }: TuneDocument): string {
  return verdict.kind === 'tie' ? 'of the tie, the one that changes least' : 'recommended'
}

/** The fastest first; those that were dropped last. */
export function fastestFirst(settings: readonly SettingResult[]): SettingResult[] {
  const p95 = ({ figures }: SettingResult): number => figures.p95?.mean ?? Infinity
  return settings.toSorted(
    (a, b) => Number(a.dropped !== null) - Number(b.dropped !== null) || p95(a) - p95(b),
  )
}

/** What is special about a setting, in a word or two. */
export function marksOf(setting: SettingResult, { verdict }: TuneDocument): string[] {
  return [
    ...(setting.isToday ? ['today'] : []),
    ...(verdict.kind === 'winner' && setting.name === verdict.choice ? ['recommended'] : []),
    ...(verdict.kind === 'tie' && setting.name === verdict.choice ? ['changes least'] : []),
    ...(isOpen(setting, verdict) ? ['cannot be told'] : []),
    ...(setting.isOnFront ? ['front'] : []),
    ...(setting.dropped ? [`dropped after ${setting.dropped.afterSeeds}`] : []),
    ...(verdict.unsafe.includes(setting.name) ? ['breaks main'] : []),
  ]
}

/** It may be as good as the best, as far as the seeds tell. */
function isOpen({ name }: SettingResult, { best, cannotBeTold }: TuneDocument['verdict']): boolean {
  return cannotBeTold.length > 0 && [best, ...cannotBeTold.map((each) => each.name)].includes(name)
}
