/**
 * The report of a campaign: one page that opens offline. Importing this module loads the chart
 * library, so import it only to write a report.
 */

import {
  missedCoverageMarks,
  judgedText,
  aggregateText,
  everyFigureTable,
  figuresTable,
  reportedIn,
  withoutIntervals,
} from '../../campaign/document.ts'
import type { CampaignDocument, SeedFailures, ReportedFigure } from '../../campaign/document.ts'
import { changesTable, type ComparedDocument } from '../../campaign/changes.ts'
import type { Unseen } from '../../campaign/unseen.ts'
import { coverageMarks as knownMarks } from '../../coverage-marks/index.ts'
import { storyOf } from '../../judge/verdict.ts'
import type { Aggregate } from '../../result/aggregate.ts'
import { count, several } from '../../../server/terminal/text.ts'
import { binsOf, histogramChart, histogramStyles, linesChart } from '../../html/bar-charts.ts'
import { type Html, type HtmlContent, html, css } from '../../html/html.ts'
import { pageText } from '../../html/page.ts'
import { card, cards, folded, key, table, tiles, right } from '../../html/components.ts'
import { propertySentence, verdictOn } from '../sections/verdict.ts'

export type CampaignReport = {
  readonly document: ComparedDocument
  readonly description: string | null
  /** The seeds that were run, compared with the seeds that were requested. */
  readonly ran: string
  /** What `--set` sets. */
  readonly settings: readonly string[]
  /** Returns the values of a figure in all runs, by its dotted path. */
  readonly valuesOf: (path: string) => readonly number[]
  /** The shrunk failures as text; empty if there are none. */
  readonly shrunk: string
}

/** Returns the complete page. The same runs give the same bytes. */
export async function campaignReport(report: CampaignReport): Promise<string> {
  const { document, valuesOf, shrunk } = report
  const { failures, marks, unseen, changes } = document
  return pageText({
    title: `${document.scenario}, ${several(document.seeds, 'run')}`,
    style,
    head: headOf(report),
    sections: [
      {
        id: 'failures',
        title: 'Failures',
        body: failures.length === 0 ? null : failuresTable(failures),
      },
      {
        id: 'shrunk',
        title: 'Shrunk failures',
        about: 'The smallest scenarios found that fail in the same way.',
        body: shrunk === '' ? null : html`<pre>${shrunk.trim()}</pre>`,
      },
      {
        id: 'changes',
        title: 'What the settings change',
        about: 'Means over the same seeds without them and with them.',
        body: changes ? table(changesTable(changes), 'Changes') : null,
      },
      {
        id: 'figures',
        title: 'Figures',
        about:
          `Mean over the runs with its 95 % confidence interval, minimum and maximum. ${withoutIntervals(document)}`.trim(),
        body: figures(document),
      },
      {
        id: 'distributions',
        title: 'Distributions',
        about: 'How the figures differ between runs.',
        body: await distributions(document, valuesOf),
      },
      {
        id: 'marks',
        title: 'Situations reached',
        about: 'A campaign proves nothing about a situation that no run reached.',
        body: marks ? coverageTable(marks, missedCoverageMarks(document)) : null,
      },
      {
        id: 'unseen',
        title: 'What the runs have not shown',
        about: `The next run shows a step that none has shown with chance ${unseen?.chance.steps}, and such a state with chance ${unseen?.chance.states}.`,
        body: unseen ? await unseenOf(unseen) : null,
      },
      {
        id: 'properties',
        title: 'Properties',
        about:
          'How much each property has judged: the share of runs and of events in which it could have been violated, and of the checks due that no exception left out.',
        body: propertiesTable(document),
      },
    ],
    foot: html`<p>The same seeds give the same page on any machine, with any number of cores.</p>`,
  })
}

const style = css`
  #failures pre {
    margin: 0;
  }
  #failures tbody th {
    min-width: 3rem;
  }
`

function headOf({ document, description, ran, settings }: CampaignReport): HtmlContent {
  const { failures, properties, seeds, marks = [] } = document
  const checks = properties.reduce((sum, { checked }) => sum + checked, 0)
  const broken = failures.length
  const reached = {
    name: 'situations reached',
    value: count(marks.filter(({ runs }) => runs > 0).length),
    note: `of ${count(marks.length)}`,
  }
  return html`${description === null ? null : html`<p>${description}</p>`}
    <p class="soft">${ran}</p>
    ${settings.length === 0 ? null : html`<p>With <code>${settings.join(', ')}</code></p>`}
    <p class="verdict">${verdictOf(document, checks)}</p>
    ${tiles([
      { name: 'runs', value: count(seeds) },
      { name: 'failing runs', value: count(broken), tone: broken > 0 ? 'bad' : 'good' },
      { name: 'checks', value: count(checks), note: `of ${count(properties.length)} properties` },
      ...(marks.length === 0 ? [] : [reached]),
    ])}`
}

function verdictOf(document: CampaignDocument, checks: number): Html {
  const { failures, seeds } = document
  const missed = missedCoverageMarks(document)
  if (failures.length === 0 && missed.length === 0) {
    return html`<strong class="good">Holds</strong> ${several(checks, 'check')} in
      ${several(seeds, 'run')}`
  }
  const [first] = failures
  const faults = [
    ...(first
      ? [
          html`in ${count(failures.length)} of ${several(seeds, 'run')}, first with seed
            ${first.seed}: <code>${first.replay}</code>`,
        ]
      : []),
    ...(missed.length > 0 ? [html`never reached: ${missed.join(', ')}`] : []),
  ]
  return html`<strong class="bad">Does not hold</strong> ${faults.map(
      (fault, index) => html`${index > 0 ? '; ' : ''}${fault}`,
    )}`
}

// The checks of a campaign: failing runs, properties and coverage marks.

/** The page shows this many failing runs; the JSON document next to it lists all. */
const failuresShown = 100

/** Lists the failing runs, each with the command that reproduces it. */
function failuresTable(failures: readonly SeedFailures[]): Html {
  const rows = failures.slice(0, failuresShown).map((each): HtmlContent[] => {
    const { seed, replay } = each
    const [first, ...others] = each.failures
    const more = others.length === 0 ? '' : `... and ${several(others.length, 'more failure')}`
    return [
      seed,
      html`<pre class="failure">${first ? storyOf(first) : ''}</pre>
        ${more}`,
      html`<code>${replay}</code>`,
    ]
  })
  const head = ['seed', 'failure', 'reproduce with']
  const rest = failures.length - rows.length
  return html`${table({ head, rows }, 'Failures')}
  ${rest > 0 ? html`<p>... and ${several(rest, 'more run')}, listed in seeds.json.</p>` : null}`
}

function propertiesTable(document: CampaignDocument): Html {
  const { properties, failures } = document
  const brokenIn = new Map<string, number>()
  for (const { failures: found } of failures) {
    for (const name of new Set(found.map((failure) => failure.name))) {
      brokenIn.set(name, (brokenIn.get(name) ?? 0) + 1)
    }
  }
  const rows = properties.map((property): HtmlContent[] => {
    const { name, checked } = property
    const { runs, events, checks } = judgedText(property, document)
    const broken = brokenIn.get(name) ?? 0
    return [
      name,
      verdictOn(checked, broken === 0 ? null : `broken in ${several(broken, 'run')}`),
      runs,
      events,
      count(checked),
      checks,
      propertySentence(name),
    ]
  })
  const head = [
    'property',
    'verdict',
    right('runs judged'),
    right('events judged'),
    right('checked'),
    right('of the checks due'),
    'what must hold',
  ] as const
  return table({ head, rows }, 'Properties')
}

type CoverageCounts = NonNullable<CampaignDocument['marks']>

function coverageTable(reached: CoverageCounts, missed: readonly string[]): Html {
  const sentences = new Map(knownMarks.map(({ name, sentence }) => [name, sentence]))
  const rows = reached.map(({ name, runs }): HtmlContent[] => [
    name,
    missed.includes(name) ? html`<b class="bad">never</b>` : count(runs),
    sentences.get(name) ?? '',
  ])
  const head = ['situation', right('reached in runs'), 'what happens'] as const
  return table({ head, rows }, 'Situations reached')
}

// The figures of a campaign: means with confidence intervals, and distributions over the runs.

/** The most important ones, and all of them in a part that the reader can expand. */
function figures(document: CampaignDocument): Html {
  const main = figuresTable(document)
  if (main.rows.length === 0) return html`<p>There are no figures.</p>`
  return html`${table(main, 'Figures')}
  ${folded('all figures', table(everyFigureTable(document), 'All figures'))}`
}

/** Returns a histogram of each figure that is not equal in all runs. */
async function distributions(
  document: CampaignDocument,
  valuesOf: (path: string) => readonly number[],
): Promise<Html> {
  const drawn: Html[] = []
  for (const { figure, found } of reportedIn(document)) {
    if (found.min < found.max) {
      drawn.push(await cardOf(figure, found, valuesOf(figure.path)))
    }
  }
  if (drawn.length === 0) return html`<p>All runs gave the same figures.</p>`
  const styles = histogramStyles.filter(
    ({ color }) => color !== 'held' || withoutIntervals(document) === '',
  )
  return html`${key(styles)}${cards(drawn)}`
}

/** From this maximum, times are shown in hours. */
const manyMinutes = 300

async function cardOf(
  { name, unit }: ReportedFigure,
  found: Aggregate,
  values: readonly number[],
): Promise<Html> {
  const isLong = unit === 'minutes' && found.max >= manyMinutes
  const isWhole = unit === 'whole'
  const divisor = isLong ? 60 : 1
  const scaled = (value: number): number => value / divisor
  const { mean, least, most } = aggregateText(found, unit)
  return card({
    title: name,
    about: `${mean} on average, ${least} to ${most}`,
    body: await histogramChart({
      name: `Number of runs by value: ${name}`,
      bins: binsOf(values.map(scaled), { isWhole }),
      axis: {
        ...(unit === 'minutes' ? { title: isLong ? 'hours' : 'minutes' } : {}),
        tickCount: 5,
        ...(isWhole ? { tickMinStep: 1 } : {}),
      },
      marks: [{ at: scaled(found.mean), label: '' }],
      interval: found.ci95 && [scaled(found.ci95[0]), scaled(found.ci95[1])],
    }),
  })
}

// What the runs have not shown: how fast new signatures still come, and how far runs went.

const signatureKinds = [
  { field: 'steps', color: 'series-1', means: 'kinds of steps' },
  { field: 'states', color: 'series-2', means: 'kinds of states' },
] as const

async function unseenOf({ growth, watermarks }: Unseen): Promise<Html> {
  const points = growth.flatMap((each) =>
    signatureKinds.map(({ field, color }) => ({ x: each.runs, y: each[field], color })),
  )
  const scale = { type: 'log' }
  const picture = await linesChart(
    {
      name: 'Kinds of steps and states that are known, over the runs',
      points,
      x: { scale, axis: { title: 'runs', tickCount: 4 } },
      y: { scale, axis: { title: null, tickCount: 4 } },
    },
    { wide: { width: 420, height: 200 }, narrow: { width: 270, height: 200 } },
  )
  const numbers = growth.map(({ runs, steps, states }) => [runs, steps, states].map(count))
  const knownHead = ['after runs', right('steps'), right('states')]
  const farthest = watermarks.map(({ name, most, seed }) => [name, count(most), String(seed)])
  const farthestHead = ['the most', right('times'), right('seed')]
  return cards([
    card({
      title: 'Known after so many runs',
      about: 'Both axes are logarithmic.',
      body: [key(signatureKinds), picture],
      numbers: { head: knownHead, rows: numbers },
    }),
    card({
      title: 'How far runs went',
      body: table({ head: farthestHead, rows: farthest }, 'How far runs went'),
    }),
  ])
}
