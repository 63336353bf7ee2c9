/** The section about how far the advice holds. */

import { type Html, type HtmlContent, html } from '../../../sim/html/html.ts'
import { table } from '../../../sim/html/pieces.ts'
import { figure } from '../../statistics/text.ts'
import type { TuneDocument } from '../document.ts'
import type { SensitivityResult as Sensitivity } from '../sensitivity.ts'
import { assumedRange, assumedValue, hereWords, untriedWords } from '../sentences.ts'

/** Returns no section where nothing was decided. */
export function sensitivitySections(document: TuneDocument) {
  const { sensitivity } = document
  const missing = untriedWords(document)
  if (!sensitivity || (sensitivity.length === 0 && missing.length === 0)) return []
  return [
    {
      id: 'sensitivity',
      title: 'How far the advice holds',
      about:
        sensitivity.length === 0
          ? 'The values of the scenario are taken as they are.'
          : 'One assumption moves at a time, the others stay. The one with the least margin comes first: measure it first.',
      body: html`${sensitivity.length === 0 ? null : numbers(sensitivity, sureWordsOf(document))}
      ${missing.map((words) => html`<p>${words}</p>`)}`,
    },
  ]
}

/** What is sure beside the lead on average: today's setting cannot lead over itself. */
function sureWordsOf({ verdict, asked }: TuneDocument): string {
  return verdict.kind === 'change'
    ? 'surely better than today'
    : `surely none better by ${figure(asked.leastEffectPercent)} %`
}

function numbers(results: readonly Sensitivity[], sure: string): Html {
  const right = { leans: 'right' as const }
  const head = [
    { title: 'assumption' },
    { title: 'here', ...right },
    { title: 'best on average' },
    { title: sure },
    { title: 'margin', ...right },
    { title: 'tried' },
    { title: 'beyond it' },
  ]
  const rows = results.map((result) => {
    const { name, unit, tried, isMadeUp, onAverage, surely } = result
    return [
      isMadeUp ? name : `${name}, from the history`,
      html`<data value="${result.today}">${hereWords(result)}</data>`,
      assumedRange(onAverage, unit),
      assumedRange(surely, unit),
      marginOf(result),
      `${figure(Math.min(...tried))} to ${assumedValue(Math.max(...tried), unit)}`,
      beyondWords(result),
    ]
  })
  return table(head, rows, { name: 'How far the advice holds', isSortable: true })
}

/** Nothing has no multiple. */
function marginOf({ times, today }: Sensitivity): HtmlContent {
  if (times === null) return 'none found'
  return html`<data value="${times}">${today === 0 ? '-' : `${figure(times)} times`}</data>`
}

/** Which setting takes over at an end of the range. */
function beyondWords({ beyond, onAverage, unit }: Sensitivity): string {
  const sides = [
    ['below', beyond.low, onAverage.low],
    ['above', beyond.high, onAverage.high],
  ] as const
  return sides
    .flatMap(([side, name, at]) =>
      name === null || at === null ? [] : [`${side} ${assumedValue(at, unit)}: ${name}`],
    )
    .join('; ')
}
