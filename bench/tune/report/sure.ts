/** How sure the advice is, and what it rests on, in a few lines each. */

import { html, type HtmlContent } from '../../../sim/report/page/html.ts'
import { several } from '../../../sim/terminal/text.ts'
import { fewestForInterval } from '../../../sim/statistics/interval.ts'
import { figure } from '../../statistics/text.ts'
import type { TuneDocument } from '../document.ts'
import { searchWords, untriedWords, verdictWords } from '../sentences.ts'
import { hereWords, rangeWords } from '../sensitivity/assumed.ts'

/** Ends the sentence about the weeks of a history, which is one of the assumptions. */
const drawnAnew = 'drawn anew with each seed.'

export function sureWords(document: TuneDocument): string[] {
  const { seeds, asked, settings, assumptions, verdict } = document
  const { reasons } = verdictWords(document)
  const compared = settings.filter(({ role, isToday }) => role === 'finalist' && !isToday).length
  const isJudged = ['change', 'keep', 'unsure'].includes(verdict.kind)
  const corrected = isJudged
    ? `; the verdict is corrected for ${several(compared, 'comparison')} (Holm)`
    : ''
  const intervals =
    seeds < fewestForInterval
      ? `${several(seeds, 'seed')} are too few for intervals: ranges seen instead.`
      : `95 % intervals over ${several(seeds, 'seed')}${corrected}.`
  return [
    ...reasons,
    ...(isJudged || verdict.kind === 'idle' ? [intervals] : []),
    ...(isJudged
      ? [`An effect below ${figure(asked.leastEffectPercent)} % is no reason to change.`]
      : []),
    ...assumptions.filter((each) => each.endsWith(drawnAnew)),
    ...(isJudged ? [searchWords(document)] : []),
  ]
}

const mostShown = 3

/** The assumptions with the least margin; where none was examined, the first ones. */
export function restsOn(document: TuneDocument): HtmlContent[] {
  const { sensitivity, assumptions } = document
  const all = html`<a href="#model">All assumptions</a>`
  if (!sensitivity || sensitivity.length === 0) {
    const first = assumptions.filter((each) => !each.endsWith(drawnAnew)).slice(0, mostShown)
    return [...first, ...untriedWords(document), all]
  }
  const nearest = sensitivity
    .toSorted((a, b) => (a.times ?? Infinity) - (b.times ?? Infinity))
    .slice(0, mostShown)
    .map(
      (each) =>
        html`<strong>${each.name}</strong>: here
          ${hereWords(each)}${each.isMadeUp ? '' : ', from the history'}; the advice holds
          ${rangeWords(each.onAverage, each.unit)}`,
    )
  return [
    ...nearest,
    ...untriedWords(document),
    html`<a href="#sensitivity">How far the advice holds</a>. ${all}`,
  ]
}
