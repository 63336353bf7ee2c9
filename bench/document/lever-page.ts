/** The page of the levers: one file without scripts that also opens offline. */

import { chartForAnyScreen } from '../../sim/report/page/chart.ts'
import { html, type Html } from '../../sim/report/page/html.ts'
import { pageText } from '../../sim/report/page/page.ts'
import { card, cards, key, table } from '../../sim/report/page/pieces.ts'
import { hasLogarithmicAxis, scatterChart, type Dot } from '../charts/scatter.ts'
import {
  leverFigureNames,
  type LeverEffect,
  type LeverRow,
  type LeverStudies,
  type LeverStudy,
} from '../measuring/lever-study.ts'
import { cellText } from '../statistics/text.ts'
import { harmsIn, leverCells, leversAbout, leverTitle, verdictOn } from './lever-text.ts'

/** Returns the page with a section for each archetype. */
export async function leverPage({ studies, inVain }: LeverStudies): Promise<string> {
  const sections = []
  for (const archetype of new Set(studies.map((study) => study.archetype))) {
    const own = studies.filter((study) => study.archetype === archetype)
    sections.push({ id: archetype, title: archetype, body: await archetypeBody(own) })
  }
  const seeds = studies[0]?.seeds ?? 0
  return pageText({
    title: 'Levers',
    head: html`<p>
      Settings of the engine, each alone and all together, against the same queue without them. All
      get the same pull requests, run lengths and flakes; ${seeds} seeds. Time to land is from the
      first submission; an evicted healthy pull request comes again after 15 minutes. ${leversAbout}
    </p>`,
    sections: [
      { id: 'harms', title: 'Where a lever harms', about: harmsAbout, body: harmsTable(studies) },
      ...sections,
      {
        id: 'in-vain',
        title: 'Tried, and left out',
        about: 'What did not help. Its code is gone.',
        body: table(
          [{ title: 'policy' }, { title: 'what was found' }],
          inVain.map(({ policy, found }) => [policy, found]),
          { name: 'Tried, and left out' },
        ),
      },
    ],
  })
}

const harmsAbout =
  'The intervals that lie above no change. Each holds with 95 %, so about one comparison in forty is here by chance.'

function harmsTable(studies: readonly LeverStudy[]): Html {
  const rows = harmsIn(studies).map(({ study, lever, name, text }) => [
    `${study.archetype}, ${study.setting}`,
    lever,
    leverTitle(name),
    text,
  ])
  if (rows.length === 0) return html`<p>Nowhere.</p>`
  const head = [{ title: 'queue' }, { title: 'lever' }, { title: 'figure' }]
  return table([...head, { title: 'worse by', leans: 'right' }], rows, { name: 'Harms' })
}

async function archetypeBody(studies: readonly LeverStudy[]): Promise<Html> {
  return html`${studies.map(studyTable)} ${await timeAgainstCost(studies)}`
}

function studyTable({ archetype, setting, rows }: LeverStudy): Html {
  const head = [
    { title: setting },
    ...leverFigureNames.map((name) => ({ title: leverTitle(name), leans: 'right' as const })),
  ]
  const cells = rows.map((row) => [
    row.lever,
    ...leverCells(row).map((text, index) => toned(text, effectAt(row, index))),
  ])
  return table(head, cells, { name: `${archetype}, ${setting}` })
}

function effectAt({ effects }: LeverRow, index: number): LeverEffect | null {
  const name = leverFigureNames[index]
  return name === undefined ? null : (effects?.[name] ?? null)
}

function toned(text: string, effect: LeverEffect | null): Html {
  const verdict = effect === null ? null : verdictOn(effect)
  if (verdict === null) return html`${text}`
  return html`<span class="${verdict === 'better' ? 'good' : 'bad'}">${text}</span>`
}

const colors = ['series-1', 'series-2', 'series-3', 'series-4'] as const

const colorAt = (index: number): string => colors[index % colors.length] ?? 'ink'

/** A chart of p95 time to land against CI minutes, with a dot for each combination. */
async function timeAgainstCost(studies: readonly LeverStudy[]): Promise<Html> {
  const dots = studies.flatMap(({ rows, setting }, index) =>
    rows.flatMap(({ lever, means }): Dot[] => {
      const { p95: y, ciMinutes: x } = means
      if (!x || !y) return []
      const about = `${lever}, ${setting}: p95 ${cellText(y)} min, ${cellText(x)} CI minutes`
      const look = { color: colorAt(index), label: lever, about, isRinged: lever === 'no lever' }
      return [{ x, y, weight: 1, hasLines: false, ...look }]
    }),
  )
  if (dots.length === 0) return html`<p>No pull request landed.</p>`
  const scatter = {
    name: 'p95 time to land against CI minutes, for every combination of levers',
    x: 'CI minutes per landed pull request',
    y: 'time to land p95, minutes',
    dots,
  }
  const settings = studies.map(({ setting }, index) => ({ color: colorAt(index), means: setting }))
  const log = hasLogarithmicAxis(dots) ? ' An axis is logarithmic if its values are far apart.' : ''
  return cards([
    card({
      title: 'Time to land against CI minutes',
      about: `A ring marks the queue without a lever.${log}`,
      body: [key(settings), await chartForAnyScreen((size) => scatterChart(scatter, size))],
      isWide: true,
    }),
  ])
}
