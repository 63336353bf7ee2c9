/** The HTML page of a tune run: one file that also opens offline. Its script only sorts tables. */

import { type Html, html, type HtmlContent } from '../../../sim/html/html.ts'
import { pageText, script, type Section } from '../../../sim/html/page.ts'
import { bullets, folded, table, right } from '../../../sim/html/pieces.ts'
import { css } from '../../../sim/html/style/css.ts'
import { fewestForInterval } from '../../../sim/statistics/interval.ts'
import { several } from '../../../server/terminal/text.ts'
import { cellText, figure } from '../../statistics/text.ts'
import type { SettingResult, TuneDocument } from '../document.ts'
import { type FigureName, figureNames, figureTable, titleOf } from '../figures.ts'
import type { SensitivityResult as Sensitivity } from '../sensitivity.ts'
import {
  besideWords,
  changeWords,
  fastestFirst,
  foldedWords,
  meanIn,
  policyWords,
  quarantineWords,
  sensitivityWords,
  stretchWords,
  untriedWords,
} from '../sentences.ts'
import type { Effects } from '../verdict.ts'
import { answer, answerStyle } from './answer.ts'
import { frontSection } from './front.ts'
import { alikeOf, settingsTable } from './settings.ts'

export async function tunePage(document: TuneDocument): Promise<string> {
  return pageText({
    title: `Tuning ${document.scenario}`,
    style: answerStyle + style,
    scripts: [script('sort')],
    head: answer(document),
    sections: [
      // Where nothing landed there is nothing to show.
      ...(document.verdict.kind === 'empty' ? [] : await resultSections(document)),
      {
        id: 'model',
        title: 'Assumptions',
        about: 'Other traffic, other run lengths or other flakes may need other settings.',
        body: bullets(document.assumptions),
      },
    ],
  })
}

async function resultSections(document: TuneDocument) {
  return [
    await frontSection(document),
    sensitivitySection(document),
    stretchSection(document),
    quarantineSection(document),
    sameSection(document),
    { id: 'today', title: todayTitle, body: comparedWithToday(document) },
    besideSection(document),
    policySection(document),
    {
      id: 'settings',
      title: 'Every setting',
      about: `The fastest first. ${meansWords(document)} Settings with the same figures share a row.`,
      body: settingsTables(document),
    },
  ]
}

/** Where nothing is drawn there are no intervals, and none with few seeds. */
function meansWords({ verdict, seeds }: TuneDocument): string {
  if (verdict.kind === 'always') return 'The figures of every seed.'
  return seeds < fewestForInterval
    ? 'The ranges seen, since the seeds are too few for intervals.'
    : 'Means with 95 % confidence intervals.'
}

const style = css`
  #today th[scope='row'] {
    min-width: 9rem;
  }
  #today td:last-child {
    min-width: 12rem;
  }
  #settings tbody th {
    min-width: 10rem;
  }
  @media screen and (min-width: 40.01rem) {
    #settings tbody th {
      min-width: 15rem;
    }
    #settings td:last-child {
      min-width: 12rem;
    }
  }
  @media screen {
    #sensitivity td {
      min-width: 6rem;
    }
  }
  /* A label does not hide the tooltip of what it names. */
  .card svg text {
    pointer-events: none;
  }
`

/** Returns no section where no test flakes by its name. */
function quarantineSection(document: TuneDocument): Section | null {
  const words = quarantineWords(document)
  if (words.length === 0) return null
  const about = `The flaky tests, each alone in quarantine with ${document.verdict.choice}: its failure alone fails no run. Worth it if that surely spares healthy pull requests, CI minutes or time, and lets nothing through that breaks it.`
  return { id: 'quarantine', title: 'Tests worth a quarantine', about, body: bullets(words) }
}

// The section about the axes that need no thought.

/** Returns no section if every value makes a difference. */
function sameSection(document: TuneDocument): Section | null {
  const words = foldedWords(document)
  if (words.length === 0) return null
  const { leastEffectPercent } = document.asked
  const about = `These values, each set alone instead of the one of ${document.verdict.choice}, surely change time to land and CI minutes by less than ${leastEffectPercent} %, and are as safe.`
  return { id: 'same', title: 'What makes no difference', about, body: bullets(words) }
}

// All settings in tables that can be sorted. Settings that act alike share a row.

/** Those of the final, and folded those that left the search. */
function settingsTables(document: TuneDocument): Html {
  const sorted = fastestFirst(document.settings)
  const inFinal = sorted.filter(({ role }) => role !== 'searched')
  const left = sorted.filter(({ role }) => role === 'searched')
  const summary = `${several(left.length, 'setting')} that left in the search, after a few other seeds`
  return html`${settingsTable(alikeOf(inFinal, document), 'Settings of the final', document)}
  ${
    left.length === 0
      ? null
      : folded(
          summary,
          settingsTable(alikeOf(left, document), 'Settings that left in the search', document),
        )
  }`
}

// The section about the stretches of a history: whether the advice is that of a season.

/** Returns no section if the history was not taken apart. */
function stretchSection({ stretches, verdict }: TuneDocument): Section | null {
  if (stretches.length === 0) return null
  const name = verdict.kind === 'unsure' ? verdict.best : verdict.choice
  const head = [
    'stretch',
    right('days'),
    right('pull requests'),
    `${name}, instead of today's setting`,
  ]
  const rows = stretches.map(({ days, pullRequests, isBetter }, index) => [
    `${index + 1} of ${stretches.length}`,
    String(days),
    String(pullRequests),
    isBetter ? 'better on average' : 'not better',
  ])
  const title = 'Stretch by stretch'
  const about = `The history in ${stretches.length} parts with about as many pull requests each. Taken apart, ${stretchWords(stretches)}. It is advised only if it is better in all of them but one: else it depends on the season.`
  return { id: 'stretches', title, about, body: table(head, rows, { name: title }) }
}

// The figures of today's setting beside those of the advised one.

const todayTitle = "Compared with today's setting"

function comparedWithToday(document: TuneDocument): HtmlContent {
  const { settings, verdict } = document
  const today = settings.find(({ isToday }) => isToday)
  // If the advice is to keep today's setting, the table compares it with the lowest mean.
  const otherName = verdict.kind === 'change' ? verdict.choice : verdict.best
  const other = settings.find(({ name }) => name === otherName)
  if (!today || !other) return null
  const effects = other === today ? null : (other.againstToday ?? {})
  return html`${comparison(todayTitle, [today, other], effects, document)}
  ${
    document.asked.prices === null
      ? html`<p class="soft">No price is told, as none was given (--ci-price, --wait-price).</p>`
      : null
  }`
}

/** What Mergeyard would have given. */
function besideSection(document: TuneDocument): Section | null {
  const { beside, settings, verdict } = document
  const choice = settings.find(({ name }) => name === verdict.choice)
  if (!beside || !choice) return null
  const title = 'Beside it: Mergeyard'
  const about = `Mergeyard with ${besideWords(beside)}.`
  const both = [choice, { ...beside.setting, name: 'Mergeyard' }] as const
  const body = comparison(title, both, beside.againstChoice, document)
  return { id: 'beside', title, about, body }
}

/** The best fixed setting and the adaptive policy. */
function policySection(document: TuneDocument): Section | null {
  const { policies, settings } = document
  const adaptive = settings.find(({ name }) => name === policies?.adaptive)
  const fixed = settings.find(({ name }) => name === policies?.fixed)
  if (!policies || !adaptive || !fixed) return null
  const title = 'Adaptive or fixed'
  const body = comparison(title, [adaptive, fixed], policies.fixedAgainstAdaptive, document)
  return { id: 'policies', title, about: policyWords(policies, document), body }
}

/** The figures of a setting and of another one, with their differences; null: both are the same. */
function comparison(
  name: string,
  both: readonly [SettingResult, SettingResult],
  effects: Effects | null,
  document: TuneDocument,
): Html {
  const [one, other] = both
  const cell = (setting: SettingResult, figureName: FigureName): string =>
    cellText(setting.figures[figureName]?.mean ?? null)
  const head = [
    'figure',
    right(one.name),
    ...(effects ? [right(other.name), differenceHead(document)] : []),
  ]
  const rows = figureNames
    .filter((each) => stateOf(each, both) === 'told')
    .map((each) => [
      titleOf(each),
      cell(one, each),
      ...(effects ? [cell(other, each), changeWords(each, effects[each] ?? null)] : []),
    ])
  return html`${rows.length === 0 ? null : table(head, rows, { name })}
  ${withoutRow(both, document).map((words) => html`<p class="soft">${words}</p>`)}`
}

function differenceHead({ verdict }: TuneDocument): string {
  return verdict.kind === 'always' ? 'difference' : 'difference, with 95 % confidence interval'
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
  ]
}

/** Titles that refer to the row above them, told without it. */
const alone: Partial<Record<FigureName, string>> = {
  midBatch: 'merged in the middle of a batch',
  clearedBySuccessor: 'cleared by a successor',
  disjointTargets: 'merged beside disjoint targets',
  direct: 'merged without a run',
}

/** Returns no section where nothing was decided. */
function sensitivitySection(document: TuneDocument): Section | null {
  const { sensitivity } = document
  const missing = untriedWords(document)
  if (!sensitivity || (sensitivity.length === 0 && missing.length === 0)) return null
  return {
    id: 'sensitivity',
    title: 'How far the advice holds',
    about:
      sensitivity.length === 0
        ? 'The values of the scenario are taken as they are.'
        : 'One assumption moves at a time, the others stay. The one with the least margin comes first: measure it first.',
    body: html`${sensitivity.length === 0 ? null : numbers(sensitivity, sureWordsOf(document))}
    ${missing.map((words) => html`<p>${words}</p>`)}`,
  }
}

/** What is sure beside the lead on average: today's setting cannot lead over itself. */
function sureWordsOf({ verdict, asked }: TuneDocument): string {
  return verdict.kind === 'change'
    ? 'surely better than today'
    : `surely none better by ${figure(asked.leastEffectPercent)} %`
}

function numbers(results: readonly Sensitivity[], sure: string): Html {
  const head = [
    'assumption',
    right('here'),
    'best on average',
    sure,
    right('margin'),
    'tried',
    'beyond it',
  ]
  const rows = results.map((result) => {
    const { name, here, from, surely, onAverage, tried, beyond } = sensitivityWords(result)
    return [
      from === '' ? name : `${name}, ${from}`,
      html`<data value="${result.today}">${here}</data>`,
      onAverage,
      surely,
      marginOf(result),
      tried,
      beyond,
    ]
  })
  return table(head, rows, { name: 'How far the advice holds', isSortable: true })
}

/** Nothing has no multiple. */
function marginOf({ times, today }: Sensitivity): HtmlContent {
  if (times === null) return 'none found'
  return html`<data value="${times}">${today === 0 ? '-' : `${figure(times)} times`}</data>`
}
