/** The HTML page of a tune run: one file without scripts that also opens offline. */

import { chartForAnyScreen } from '../../../sim/report/page/chart.ts'
import { html, type HtmlContent, type Html } from '../../../sim/report/page/html.ts'
import { pageText } from '../../../sim/report/page/page.ts'
import { card, cards, key, table, tiles } from '../../../sim/report/page/pieces.ts'
import { hasLogarithmicAxis } from '../../charts/scatter.ts'
import { centreOf, type Interval } from '../../statistics/interval.ts'
import { figure, intervalsAbout, cellText } from '../../statistics/text.ts'
import { headOf } from '../axes.ts'
import type { SettingResult, TuneDocument } from '../document.ts'
import { figureNames, figureTable, type FigureName } from '../figures.ts'
import { changeWords, choiceWords, fastestFirst, marksOf, verdictWords } from '../sentences.ts'
import { css } from '../../../sim/report/style/css.ts'
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
      ...maps,
      {
        id: 'front',
        title: 'Speed against cost',
        about:
          'Every setting. Further left is cheaper, further down is faster, a smaller dot evicts fewer healthy pull requests. The front holds the settings that no other setting matches in all three. Their lines are 95 % confidence intervals.',
        body: await frontOf(document),
      },
      {
        id: 'settings',
        title: 'Every setting',
        about: `The fastest first, dropped settings last. ${intervalsAbout}`,
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
  @media print {
    #settings td,
    #settings td:nth-child(2),
    #settings tbody th {
      min-width: 0;
      white-space: normal;
    }
  }
`

function headText(document: TuneDocument): HtmlContent {
  const { title, reasons } = verdictWords(document)
  const { verdict, description } = document
  return html`
    ${description === null ? null : html`<p class="soft">${description}</p>`}
    <p class="verdict"><strong>${title}</strong></p>
    ${reasons.map((reason) => html`<p>${reason}</p>`)}
    ${
      verdict.curl === null
        ? null
        : html`<p>This command sets it:</p>
            <p class="command"><code>${verdict.curl}</code></p>`
    }
    ${tiles((['p95', 'ciMinutes', 'evicted'] as const).map((name) => tileOf(document, name)))}
  `
}

function tileOf(document: TuneDocument, name: FigureName) {
  const choice = chosen(document)
  const { title, unit } = figureTable[name]
  const found = choice?.figures[name]
  const difference = choice?.againstToday[name] ?? null
  const isKept = document.verdict.kind === 'keep'
  return {
    name: title,
    value: `${found ? figure(centreOf(found)) : '-'}${unit === '' || !found ? '' : ` ${unit}`}`,
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
  const otherName = verdict.kind === 'keep' ? verdict.best : verdict.choice
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
    cellText(today?.figures[name] ?? null),
    ...(isSame
      ? []
      : [
          cellText(other?.figures[name] ?? null),
          changeWords(name, other?.againstToday[name] ?? null),
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
  const choice = verdict.kind === 'keep' ? null : chosen(document)
  const sentences = [
    'Means over the seeds. A stronger colour is a larger number; less is better.',
    today ? "A dashed outline marks today's setting." : "Today's setting is not one of these.",
    ...(choice && settings.includes(choice)
      ? [`Outlined in green: ${choiceWords(document)}.`]
      : []),
    ...(settings.some(({ dropped }) => dropped)
      ? ['A star marks a setting that was dropped early; its mean is over fewer seeds.']
      : []),
    ...(held.length === 0
      ? []
      : [`In all of them: ${held.map((pair) => pair.join(' ')).join(', ')}.`]),
  ]
  return sentences.join(' ')
}

async function mapsOf(document: TuneDocument, plane: Plane): Promise<Html> {
  const { verdict } = document
  const choice = verdict.kind === 'keep' ? null : verdict.choice
  const drawn: Html[] = []
  for (const name of figureNames) {
    const isInformative = plane.settings.some(({ figures }) => isAboveZero(figures[name]))
    if (!isInformative) continue
    const body = await chartForAnyScreen((size) => heatMap(plane, name, { choice, size }))
    drawn.push(card({ title: titleOf(name), body }))
  }
  return cards(drawn, 3)
}

function isAboveZero(interval: Interval | null): boolean {
  return interval !== null && centreOf(interval) > 0
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
    means: roles[role].means ?? choiceWords(document),
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

function settingsTable(document: TuneDocument): Html {
  const right = { leans: 'right' as const }
  const head = [
    { title: 'setting' },
    { title: 'verdict' },
    { title: 'seeds', ...right },
    ...figureNames.map((name) => ({ title: titleOf(name), ...right })),
  ]
  const rows = fastestFirst(document.settings).map((setting) => [
    setting.name,
    marksOf(setting, document).join(', '),
    setting.seeds,
    ...figureNames.map((name) => cellText(setting.figures[name])),
  ])
  return table(head, rows, { name: 'Every setting' })
}
