/** The verdict in sentences, for the terminal and the page. */

import { count } from '../../sim/terminal/text.ts'
import { figure } from '../statistics/text.ts'
import { readingOf } from '../statistics/difference.ts'
import { centreOf, endsOf, type Interval } from '../statistics/interval.ts'
import { figureTable, type FigureName } from './figures.ts'
import type { SettingResult, TuneDocument } from './document.ts'

export type VerdictWords = {
  /** The recommendation, in a few words. */
  readonly title: string
  /** The reasons, as sentences. */
  readonly reasons: readonly string[]
}

/** Returns the verdict as text. */
export function verdictWords(document: TuneDocument): VerdictWords {
  const { verdict, preference, seeds, settings, isDrawn } = document
  const { kind, choice, best, undecided, unsafe } = verdict
  const basis = isDrawn
    ? `over ${seeds} seeds, the same pull requests for every setting.`
    : 'over this history alone: it has no random draws, so the result says nothing about other days.'
  const criterion = `Judged by ${preference.means}; ${basis}`
  const better = isDrawn ? 'Significantly better' : 'Better'
  const left =
    unsafe.length === 0
      ? []
      : [`Not recommended, because main is broken for longer than today: ${listed(unsafe)}.`]
  const closest = undecided.map(({ name }) => name)
  switch (kind) {
    case 'winner':
      return {
        title: `Set ${choice}`,
        reasons: [`${better} than every other simulated setting. ${criterion}`, ...left],
      }
    case 'tie':
      return {
        title: `No single winner; ${choice} is the smallest change`,
        reasons: [
          `${count([best, ...closest].length)} settings do not differ significantly: ${listed([best, ...closest])}. Today's setting is not one of them. ${criterion}`,
          ...left,
        ],
      }
    case 'keep': {
      const today = settings.find(({ isToday }) => isToday)?.name ?? choice
      const isBest = best === choice
      const others = closest.filter((name) => name !== choice)
      const reasonText = isBest
        ? others.length === 0
          ? `It is ${better.toLowerCase()} than every other simulated setting.`
          : `It has the lowest mean, but does not differ significantly from ${listed(others)}.`
        : `${best} has the lowest mean, but not significantly; more seeds may decide.`
      return { title: `Keep ${today}`, reasons: [`${reasonText} ${criterion}`, ...left] }
    }
  }
}

const mostListed = 4

/** Lists the first few names. The table marks all of them. */
function listed(names: readonly string[]): string {
  const more = names.length - mostListed
  return more > 1
    ? `${names.slice(0, mostListed).join('; ')}; and ${count(more)} more`
    : names.join('; ')
}

/** Formats the difference from today's setting: `29.1 min less (25 to 33)`, or `undecided: ...`. */
export function changeWords(name: FigureName, difference: Interval | null): string {
  if (!difference) return 'no merge'
  const { unit } = figureTable[name]
  const units = unit === '' ? '' : ` ${unit}`
  const mean = centreOf(difference)
  const reading = readingOf(difference)
  if (reading === 'the same') return 'the same'
  if (reading === 'cannot tell') {
    const sign = mean < 0 ? '' : '+'
    return `undecided: ${sign}${figure(mean)}${units}${rangeOf(difference, 1)}`
  }
  return `${figure(Math.abs(mean))}${units} ${reading}${rangeOf(difference, Math.sign(mean))}`
}

/** Formats the ends of a difference; where nothing is drawn, there are none. */
function rangeOf(difference: Interval, sign: number): string {
  const { low, high } = endsOf(difference)
  const [from, to] = sign < 0 ? [-high, -low] : [low, high]
  switch (difference.kind) {
    case 'always':
      return ' always'
    case 'seen':
      return `, seen ${figure(from)} to ${figure(to)}`
    case 'interval':
      return ` (${figure(from)} to ${figure(to)})`
  }
}

/** Returns the role of the setting that the page highlights. */
export function choiceWords({ verdict }: TuneDocument): string {
  return verdict.kind === 'tie' ? 'the smallest change in the tie' : 'recommended'
}

/** Sorts settings: the fastest first, dropped settings last. */
export function fastestFirst(settings: readonly SettingResult[]): SettingResult[] {
  const p95 = ({ figures }: SettingResult): number =>
    figures.p95 ? centreOf(figures.p95) : Infinity
  return settings.toSorted(
    (a, b) => Number(a.dropped !== null) - Number(b.dropped !== null) || p95(a) - p95(b),
  )
}

/** Returns the marks of a setting in the table. */
export function marksOf(setting: SettingResult, { verdict }: TuneDocument): string[] {
  return [
    ...(setting.isToday ? ['today'] : []),
    ...(verdict.kind === 'winner' && setting.name === verdict.choice ? ['recommended'] : []),
    ...(verdict.kind === 'tie' && setting.name === verdict.choice ? ['smallest change'] : []),
    ...(isUndecided(setting, verdict) ? ['undecided'] : []),
    ...(setting.isOnFront ? ['front'] : []),
    ...(setting.dropped ? [`dropped after ${setting.dropped.afterSeeds}`] : []),
    ...(verdict.unsafe.includes(setting.name) ? ['breaks main'] : []),
  ]
}

/** True if the setting does not differ significantly from the best. */
function isUndecided(
  { name }: SettingResult,
  { best, undecided }: TuneDocument['verdict'],
): boolean {
  return undecided.length > 0 && [best, ...undecided.map((each) => each.name)].includes(name)
}
