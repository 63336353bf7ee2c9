/** Every figure of today's setting beside that of the advised one. */

import type { Html } from '../../../sim/report/page/html.ts'
import { table } from '../../../sim/report/page/pieces.ts'
import { cellText } from '../../statistics/text.ts'
import type { TuneDocument } from '../document.ts'
import { figureNames, titleOf } from '../figures/figures.ts'
import { changeWords } from '../sentences.ts'

export const todayTitle = "Compared with today's setting"

export function comparedWithToday(document: TuneDocument): Html {
  const { settings, verdict } = document
  const today = settings.find(({ isToday }) => isToday)
  // If the advice is to keep today's setting, the table compares it with the lowest mean.
  const otherName = verdict.kind === 'change' ? verdict.choice : verdict.best
  const other = settings.find(({ name }) => name === otherName)
  const isSame = other === today
  const head = [
    { title: 'figure' },
    { title: today?.name ?? 'today', leans: 'right' as const },
    ...(isSame
      ? []
      : [
          { title: otherName, leans: 'right' as const },
          { title: 'difference, with 95 % confidence interval' },
        ]),
  ]
  const rows = figureNames.map((name) => [
    titleOf(name),
    cellText(today?.figures[name]?.mean ?? null),
    ...(isSame
      ? []
      : [
          cellText(other?.figures[name]?.mean ?? null),
          changeWords(name, other?.againstToday?.[name] ?? null),
        ]),
  ])
  return table(head, rows, { name: todayTitle })
}
