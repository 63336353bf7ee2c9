/** The HTML page of a tune run: one file without scripts that also opens offline. */

import { chartForAnyScreen } from '../../../sim/report/page/chart.ts'
import { html, type HtmlContent, type Html } from '../../../sim/report/page/html.ts'
import { pageText } from '../../../sim/report/page/page.ts'
import { card, cards, key, table, tiles } from '../../../sim/report/page/pieces.ts'
import { hasLogarithmicAxis } from '../../charts/scatter.ts'
import { figure, cellText } from '../../statistics/text.ts'
import { headOf } from '../settings/axes.ts'
import type { SettingResult, TuneDocument } from '../document.ts'
import { figureNames, figureTable, type FigureName } from '../figures/figures.ts'
import {
  changeWords,
  fastestFirst,
  marksOf,
  meanIn,
  queueWords,
  verdictWords,
} from '../sentences.ts'
import { css } from '../../../sim/report/style/css.ts'
import { besideSections, configurationPart } from './other-queue.ts'
import { frontChart, frontDots, roles, rolesIn } from './front.ts'
import { heatMap, planeOf, type Plane } from './heat-map.ts'

export async function tunePage(document: TuneDocument): Promise<string> {
  const plane = planeOf(document)
  const maps = plane
    ? [
        {
          id: 'maps',
          title: 'Figure by figure',
          about: mapsAbout(document, plane),
          body: await mapsOf(document, plane),
        },
      ]
    : []
  return pageText({
    title: `Tuning ${document.scenario}`,
    style,
    head: headText(document),
    sections: [
      { id: 'today', title: todayTitle, body: comparedWithToday(document) },
      ...besideSections(document),
      ...maps,
      {
        id: 'front',
        title: 'Speed against cost',
        about:
          'Every setting. Further left is cheaper, further down is faster, a smaller dot evicts fewer healthy pull requests. The front holds the settings of the final that no other one beats in both. Their lines are 95 % confidence intervals.',
        body: await frontOf(document),
      },
      {
        id: 'settings',
        title: 'Every setting',
        about:
          'Those of the final first, the fastest of them first. Means with 95 % confidence intervals.',
        body: settingsTable(document),
      },
      {
        id: 'model',
        title: 'Assumptions',
        about: 'Other traffic, other run lengths or other flakes may need other settings.',
        body: html`<ul>
          ${document.assumptions.map((each) => html`<li>${each}</li>`)}
        </ul>`,
      },
    ],
  })
}

const todayTitle = "Compared with today's setting"

const style = css`
  .verdict {
    font-size: 1.25rem;
    margin-top: 0.75rem;
  }
  .command {
    max-width: none;
    white-space: pre-wrap;
    background: var(--paper);
    border: 1px solid var(--line);
    border-radius: 0.5rem;
    padding: 0.5rem 0.8rem;
  }
  #today th[scope='row'] {
    min-width: 9rem;
  }
  #today td:last-child {
    min-width: 12rem;
  }
  #settings tbody th {
    min-width: 10rem;
  }
  #settings td:nth-child(2) {
    min-width: 6.5rem;
  }
`

function headText(document: TuneDocument): HtmlContent {
  const { title, reasons } = verdictWords(document)
  const { verdict, description } = document
  return html`
    ${description === null ? null : html`<p class="soft">${description}</p>`}
    <p class="verdict"><strong>${title}</strong>${queueWords(document)}</p>
    ${reasons.map((reason) => html`<p>${reason}</p>`)}
    ${
      verdict.kind !== 'change' || verdict.curl === null
        ? null
        : html`<p>This command sets it:</p>
            <p class="command"><code>${verdict.curl}</code></p>`
    }
    ${configurationPart(document)}
    ${tiles((['p95', 'ciMinutes', 'evicted'] as const).map((name) => tileOf(document, name)))}
  `
}

function tileOf(document: TuneDocument, name: FigureName) {
  const choice = chosen(document)
  const { title, unit } = figureTable[name]
  const difference = choice?.againstToday?.[name] ?? null
  const isKept = document.verdict.kind !== 'change'
  return {
    name: title,
    value: `${figure((choice && meanIn(choice, name)) ?? 0)}${unit === '' ? '' : ` ${unit}`}`,
    note: isKept ? 'unchanged' : changeWords(name, difference),
  }
}

function chosen({ settings, verdict }: TuneDocument): SettingResult | undefined {
  return settings.find(({ name }) => name === verdict.choice)
}

function comparedWithToday(document: TuneDocument): Html {
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

function titleOf(name: FigureName): string {
  const { title, unit } = figureTable[name]
  return unit === '' ? title : `${title}, ${unit}`
}

/** Explains the maps. Mentions only what they contain. */
function mapsAbout(document: TuneDocument, { held, settings }: Plane): string {
  const { verdict } = document
  const today = settings.find(({ isToday }) => isToday)
  const choice = verdict.kind === 'change' ? chosen(document) : null
  const sentences = [
    'Means over the seeds. A stronger colour is a larger number; less is better.',
    today ? "A dashed outline marks today's setting." : "Today's setting is not one of these.",
    ...(choice && settings.includes(choice) ? ['Outlined in green: advised.'] : []),
    ...(settings.some(({ role }) => role === 'searched')
      ? ['A star marks a setting that left in the search; its mean is over a few other seeds.']
      : []),
    ...(held.length === 0
      ? []
      : [`In all of them: ${held.map((pair) => pair.join(' ')).join(', ')}.`]),
  ]
  return sentences.join(' ')
}

async function mapsOf(document: TuneDocument, plane: Plane): Promise<Html> {
  const { verdict } = document
  const choice = verdict.kind === 'change' ? verdict.choice : null
  const drawn: Html[] = []
  for (const name of figureNames) {
    const isInformative = plane.settings.some((setting) => (meanIn(setting, name) ?? 0) > 0)
    if (!isInformative) continue
    const body = await chartForAnyScreen((size) => heatMap(plane, name, { choice, size }))
    drawn.push(card({ title: titleOf(name), body }))
  }
  return cards(drawn, 3)
}

async function frontOf(document: TuneDocument): Promise<Html> {
  const dots = frontDots(document)
  const picture = await chartForAnyScreen((size) => frontChart(dots, size))
  const labels = document.axes.map(headOf).join(' · ')
  const about = [
    ...(labels === '' ? [] : [`Labels: ${labels}, if there is room`]),
    ...(hasLogarithmicAxis(dots) ? ['An axis is logarithmic if its values are far apart'] : []),
  ]
  const means = rolesIn(document).map((role) => ({
    color: roles[role].color,
    means: roles[role].means ?? 'advised',
  }))
  return cards([
    card({
      title: 'CI minutes against time in queue',
      about: about.join('. '),
      body: [key(means), picture],
      isWide: true,
    }),
  ])
}

/** The others are in the document: more columns would not fit on paper. */
const inTable = ['p95', 'ciMinutes', 'evicted', 'unproven', 'broken'] as const

function settingsTable(document: TuneDocument): Html {
  const right = { leans: 'right' as const }
  const head = [
    { title: 'setting' },
    { title: 'verdict' },
    { title: 'seeds', ...right },
    ...inTable.map((name) => ({ title: titleOf(name), ...right })),
  ]
  const rows = fastestFirst(document.settings).map((setting) => [
    setting.name,
    marksOf(setting, document).join(', '),
    setting.seeds,
    ...inTable.map((name) => cellText(setting.figures[name]?.mean ?? null)),
  ])
  return table(head, rows, { name: 'Every setting' })
}
