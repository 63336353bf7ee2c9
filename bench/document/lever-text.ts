/** The levers as tables for the terminal. */

import { columns } from '../../sim/terminal/text.ts'
import { endsOf, type Interval } from '../../sim/statistics/interval.ts'
import {
  leverFigureNames,
  leverFigures,
  type LeverEffect,
  type LeverFigure,
  type LeverRow,
  type LeverStudies,
  type LeverStudy,
} from '../measuring/lever-study.ts'
import { cellText } from '../statistics/text.ts'

/** Explains the cells of the tables. */
export const leversAbout =
  'The row without a lever gives means. The others give ratios (times and CI minutes) or differences (counts) to it, seed by seed, and in brackets their 95 % confidence intervals.'

/** Returns a table for each queue, and what was tried in vain. */
export function leversText({ studies, inVain }: LeverStudies): string {
  const tables = studies.map((study) => {
    const head = [`    ${study.archetype}, ${study.setting}`, ...leverFigureNames.map(leverTitle)]
    const rows = study.rows.map((row) => [`    ${row.lever}`, ...leverCells(row)])
    return `${columns([head, ...rows], [1, 2, 3, 4, 5])}\n`
  })
  const left = inVain.map(({ policy, found }) => `    ${policy}: ${found}\n`)
  return `  ${leversAbout}\n\n${tables.join('')}  tried, and left out\n${left.join('')}\n`
}

export function leverTitle(name: LeverFigure): string {
  const { title, unit } = leverFigures[name]
  return unit === '' ? title : `${title}, ${unit}`
}

/** The cells of a row, in the order of the figures. */
export function leverCells({ means, effects }: LeverRow): string[] {
  return leverFigureNames.map((name) =>
    effects === null ? cellText(means[name]) : effectText(effects[name]),
  )
}

/** Formats as `0.83 (0.78 to 0.88)`, `+3 (1 to 5)`, or `same` where every seed gave the same. */
function effectText(effect: LeverEffect | null): string {
  if (effect === null) return '-'
  const { measure, size } = effect
  if (size.kind === 'always' && size.value === neutralIn(effect)) return 'same'
  return measure === 'ratio' ? cellText(size) : signed(size)
}

function signed(size: Interval): string {
  const { low } = endsOf(size)
  const text = cellText(size)
  return low > 0 && size.kind === 'interval' ? `+${text}` : text
}

/** The value that means no change. */
const neutralIn = ({ measure }: LeverEffect): number => (measure === 'ratio' ? 1 : 0)

/** Whether the whole interval is on one side of no change. */
export function verdictOn(effect: LeverEffect): 'better' | 'worse' | null {
  if (effect.size.kind === 'seen') return null
  const { low, high } = endsOf(effect.size)
  const neutral = neutralIn(effect)
  if (high < neutral) return 'better'
  return low > neutral ? 'worse' : null
}

export type Harm = {
  readonly study: LeverStudy
  readonly lever: string
  readonly name: LeverFigure
  readonly text: string
}

/** What is dearer than a merge without a run of its tree, which a setting allows or not. */
const harmed = ['p95', 'ciMinutes', 'evicted'] as const

/** Returns where a lever makes time, cost or evictions worse. */
export function harmsIn(studies: readonly LeverStudy[]): Harm[] {
  return studies.flatMap((study) =>
    study.rows.flatMap(({ lever, effects }) =>
      harmed.flatMap((name): Harm[] => {
        const effect = effects?.[name] ?? null
        if (effect === null || verdictOn(effect) !== 'worse') return []
        return [{ study, lever, name, text: effectText(effect) }]
      }),
    ),
  )
}
