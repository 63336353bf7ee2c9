/** The figures of today's setting beside those of the advised one. */

import { html, type Html } from '../../../sim/report/page/html.ts'
import { table } from '../../../sim/report/page/pieces.ts'
import { cellText } from '../../statistics/text.ts'
import type { SettingResult, TuneDocument } from '../document.ts'
import { figureNames, figureTable, titleOf, type FigureName } from '../figures/figures.ts'
import { changeWords, meanIn } from '../sentences.ts'

const intervalHead = 'difference, with 95 % confidence interval'

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
          { title: verdict.kind === 'always' ? 'difference' : intervalHead },
        ]),
  ]
  const both = [today, other].filter((setting) => setting !== undefined)
  const rows = figureNames
    .filter((name) => stateOf(name, both) === 'told')
    .map((name) => [
      titleOf(name),
      cellText(today?.figures[name]?.mean ?? null),
      ...(isSame
        ? []
        : [
            cellText(other?.figures[name]?.mean ?? null),
            changeWords(name, other?.againstToday?.[name] ?? null),
          ]),
    ])
  return html`${rows.length === 0 ? null : table(head, rows, { name: todayTitle })}
  ${withoutRow(both, document).map((words) => html`<p class="soft">${words}</p>`)}`
}

/** Whether a figure has a row: not if it is zero, or unknown, with each of the settings. */
function stateOf(
  name: FigureName,
  settings: readonly SettingResult[],
): 'told' | 'zero' | 'unknown' {
  const means = settings.map((setting) => meanIn(setting, name))
  if (means.every((mean) => mean === null)) return 'unknown'
  return means.every((mean) => mean === 0) ? 'zero' : 'told'
}

/** The figures without a row, in words. */
function withoutRow(
  settings: readonly SettingResult[],
  { asked }: TuneDocument,
): readonly string[] {
  const namesOf = (state: 'zero' | 'unknown'): string[] =>
    figureNames
      .filter((name) => stateOf(name, settings) === state)
      .filter((name) => state === 'zero' || name !== 'price' || asked.prices !== null)
      .map((name) => alone[name] ?? figureTable[name].title)
  const [zero, unknown] = [namesOf('zero'), namesOf('unknown')]
  const which = settings[0] === settings[1] ? '' : ' with both'
  return [
    ...(zero.length === 0 ? [] : [`Zero${which} in every seed: ${zero.join('; ')}.`]),
    ...(unknown.length === 0 ? [] : [`Unknown, as nothing landed: ${unknown.join('; ')}.`]),
    ...(asked.prices === null
      ? ['No price is told, as none was given (--ci-price, --wait-price).']
      : []),
  ]
}

/** Titles that refer to the row above them, told without it. */
const alone: Partial<Record<FigureName, string>> = {
  midBatch: 'merged in the middle of a batch',
  clearedBySuccessor: 'cleared by a successor',
  disjointTargets: 'merged beside disjoint targets',
  direct: 'merged without a run',
}
