/** The first screen: what to set, what it gives, how sure that is, and what it rests on. */

import { type Html, type HtmlContent, html, css } from '../../../sim/html/html.ts'
import { bullets, type Tile, tiles } from '../../../sim/html/components.ts'
import { endsOf, fewestForInterval } from '../../../sim/statistics/interval.ts'
import { several } from '../../../server/terminal/text.ts'
import { figure } from '../../statistics/effects.ts'
import type { QueueConfiguration } from '../../queues/queue.ts'
import { isOfHistory } from '../assumptions.ts'
import type { SettingResult, TuneDocument } from '../document.ts'
import { type FigureName, askedOf, figureTable } from '../figures.ts'
import {
  assumedRange,
  changeWords,
  hereWords,
  marksOf,
  meanIn,
  queueWords,
  settingIn,
  todayIn,
  searchWords,
  untriedWords,
  verdictWords,
} from '../sentences.ts'
import { holdsIn } from '../stretches.ts'
import { settingsTable } from './front.ts'

export const answerStyle = css`
  .command {
    max-width: none;
    white-space: pre-wrap;
    background: var(--paper);
    border: 1px solid var(--line);
    border-radius: 0.5rem;
    padding: 0.5rem 0.8rem;
    margin: 0.25rem 0;
  }
  .answer {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr));
    gap: 0.25rem 2rem;
    margin: 0.75rem 0;
    font-size: 0.93rem;
  }
  .answer > div {
    min-width: 0;
  }
  .answer ul {
    margin: 0.25rem 0;
    padding-left: 1.1rem;
  }
  .answer h2 {
    font-size: 1rem;
  }
  #named table {
    font-size: 0.93rem;
  }
`

export function answer(document: TuneDocument): HtmlContent {
  const { title } = verdictWords(document)
  const { description } = document
  return html`
    ${description === null ? null : html`<p class="soft">${description}</p>`}
    <p class="verdict"><strong>${title}</strong>${queueWords(document)}</p>
    ${document.verdict.kind === 'empty' ? null : tiles(tilesOf(document))}
    <div class="answer">
      ${part('How sure', bullets(sureWords(document)))}
      ${part('What it rests on', bullets(restsOn(document)))}
      ${part('What to do', whatToDo(document))}
    </div>
    ${namedTable(document)}
  `
}

function part(title: string, body: HtmlContent): Html {
  return html`<div>
    <h2>${title}</h2>
    ${body}
  </div>`
}

const inTiles = ['p95', 'ciMinutes', 'price', 'evicted', 'unproven'] as const

function tilesOf(document: TuneDocument): Tile[] {
  const { verdict, asked } = document
  const today = todayIn(document)
  // Where nothing is advised yet, the tiles show what the best on average may give.
  const other = settingIn(document, verdict.kind === 'unsure' ? verdict.best : verdict.choice)
  if (!today || !other) return []
  return askedOf(inTiles, asked).map((name) => tileOf(name, today, other))
}

/** One figure of today's setting, and what another one changes, if it is another. */
function tileOf(name: FigureName, today: SettingResult, other: SettingResult): Tile {
  const { title, unit } = figureTable[name]
  const text = (setting: SettingResult): string => {
    const mean = meanIn(setting, name)
    return mean === null ? '-' : figure(mean)
  }
  if (other !== today) {
    return {
      name: title,
      value: `${text(today)} → ${text(other)} ${unit}`.trimEnd(),
      note: changeWords(name, other.againstToday?.[name] ?? null),
    }
  }
  const isKnown = meanIn(today, name) !== null
  return {
    name: title,
    value: isKnown ? `${text(today)} ${unit}`.trimEnd() : '-',
    note: isKnown ? ['today: ', rangeText(today, name)] : 'nothing landed',
  }
}

function rangeText({ figures }: SettingResult, name: FigureName): string {
  const mean = figures[name]?.mean
  if (!mean) return '-'
  const { low, high } = endsOf(mean)
  if (mean.kind === 'always') return 'in every seed'
  return `${figure(low)} to ${figure(high)}${mean.kind === 'seen' ? `, seen in ${mean.seeds} seeds` : ''}`
}

function moreWords({ stretches, seeds }: TuneDocument, moreSeeds: number | null): string {
  if (!holdsIn(stretches)) return 'No number of seeds tells one season from another.'
  return moreSeeds === null
    ? 'More seeds would hardly help.'
    : `Run it with more seeds: --seeds ${seeds + moreSeeds}.`
}

/** The product's own configuration, and how to apply it. */
function configurationPart({ target, text, apply, checked }: QueueConfiguration): HtmlContent {
  return html`<p>${target}:</p>
    <pre class="command"><code>${text}</code></pre>
    ${bullets(apply)}
    <p class="soft">Checked against ${checked}.</p>`
}

/** Only a change has something to set; else what would help. */
function whatToDo(document: TuneDocument): HtmlContent {
  const { verdict, configuration, named } = document
  switch (verdict.kind) {
    case 'change':
      if (configuration) return configurationPart(configuration)
      return verdict.curl === null
        ? html`<p>No setting of the queue changes, so no command sets it.</p>`
        : html`<p>This command sets it:</p>
            <p class="command"><code>${verdict.curl}</code></p>`
    case 'keep':
      return html`<p>
        Nothing to set. Tune again when the traffic, the run lengths or the flakes change.
      </p>`
    case 'unsure':
      return html`<p>
        Nothing to set yet. ${moreWords(document, verdict.moreSeeds)} The figures above are those of
        ${verdict.best}.
      </p>`
    case 'idle':
      return html`<p>
        Nothing to set. Shorter test runs would help, another setting would not.
        ${todayIn(document)?.name === named.cheapest ? null : 'The cheapest one below saves CI minutes alone: nobody lands sooner with it; --prefer cost judges by them.'}
      </p>`
    case 'empty':
      return html`<p>Nothing to set. Check the scenario: no pull request merges in it.</p>`
    case 'always':
      return html`<p>
        Nothing to set. Give the scenario what differs from day to day: flakes, run lengths,
        arrivals.
      </p>`
  }
}

// How sure the advice is, and what it rests on, in a few lines each.

function sureWords(document: TuneDocument): string[] {
  const { seeds, asked, settings, assumptions, verdict } = document
  const { reasons } = verdictWords(document)
  const compared = settings.filter(
    ({ role, isToday, breaksMain }) => role === 'finalist' && !isToday && !breaksMain,
  )
  const isJudged = ['change', 'keep', 'unsure'].includes(verdict.kind)
  const corrected = isJudged
    ? `; the verdict is corrected for three figures of ${several(compared.length, 'setting')} (Holm)`
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
    ...assumptions.filter(isOfHistory),
    ...(isJudged ? [searchWords(document)] : []),
  ]
}

const mostShown = 3

/** The assumptions with the least margin; where none was examined, the first ones. */
function restsOn(document: TuneDocument): HtmlContent[] {
  const { sensitivity, assumptions } = document
  const all = html`<a href="#model">All assumptions</a>`
  if (!sensitivity || sensitivity.length === 0) {
    const first = assumptions.filter((each) => !isOfHistory(each)).slice(0, mostShown)
    return [...first, ...untriedWords(document), all]
  }
  // Those with the least margin come first.
  const nearest = sensitivity
    .slice(0, mostShown)
    .map(
      (each) =>
        html`<strong>${each.name}</strong>: here
          ${hereWords(each)}${each.isMadeUp ? '' : ', from the history'}; the advice holds
          ${assumedRange(each.onAverage, each.unit)}`,
    )
  return [
    ...nearest,
    ...untriedWords(document),
    html`<a href="#sensitivity">How far the advice holds</a>. ${all}`,
  ]
}

/** Today's, the advised, the safest, the cheapest and the fastest setting, each in one row. */
function namedTable(document: TuneDocument): Html | null {
  const { settings, verdict, named } = document
  const names = [
    todayIn(document)?.name,
    verdict.choice,
    named.safest,
    named.cheapest,
    named.fastest,
  ]
  const rows = [...new Set(names)].flatMap((name) =>
    settings.filter((setting) => setting.name === name && setting.role !== 'searched'),
  )
  if (verdict.kind === 'empty' || rows.length < 2) return null
  const groups = rows.map((first) => ({ first, others: [], marks: marksOf(first, document) }))
  return html`<div id="named">${settingsTable(groups, 'Settings with a name', document)}</div>`
}
