/**
 * The report of a campaign: one page that opens offline. Importing this module loads the chart
 * library, so import it only to write a report.
 */

import { withoutIntervals } from '../../campaign/reported-figures.ts'
import { missedCoverageMarks, type CampaignDocument } from '../../campaign/document.ts'
import { count, several } from '../../terminal/text.ts'
import { html, type HtmlContent, type Html } from '../page/html.ts'
import { pageText } from '../page/page.ts'
import { tiles } from '../page/pieces.ts'
import { verdictStyle } from '../sections/verdict.ts'
import { css } from '../style/css.ts'
import { failuresTable, coverageTable, propertiesTable } from './checked.ts'
import { distributions, figuresTable } from './figures.ts'

export type CampaignReport = {
  readonly document: CampaignDocument
  readonly description: string | null
  /** The seeds that were run, compared with the seeds that were requested. */
  readonly ran: string
  /** Returns the values of a figure in all runs, by its dotted path. */
  readonly valuesOf: (path: string) => readonly number[]
  /** The shrunk failures as text; empty if there are none. */
  readonly shrunk: string
}

/** Returns the complete page. The same runs give the same bytes. */
export async function campaignReport(report: CampaignReport): Promise<string> {
  const { document, valuesOf, shrunk } = report
  const { failures, marks } = document
  return pageText({
    title: `${document.scenario}, ${several(document.seeds, 'run')}`,
    style: verdictStyle + style,
    head: headOf(report),
    sections: [
      ...(failures.length === 0
        ? []
        : [{ id: 'failures', title: 'Failures', body: failuresTable(failures) }]),
      ...(shrunk === ''
        ? []
        : [
            {
              id: 'shrunk',
              title: 'Shrunk failures',
              about: 'The smallest scenarios found that fail in the same way.',
              body: html`<pre>${shrunk.trim()}</pre>`,
            },
          ]),
      {
        id: 'figures',
        title: 'Figures',
        about:
          `Mean over the runs with its 95 % confidence interval, minimum and maximum. ${withoutIntervals(document)}`.trim(),
        body: figuresTable(document),
      },
      {
        id: 'distributions',
        title: 'Distributions',
        about: 'How the figures differ between runs.',
        body: await distributions(document, valuesOf),
      },
      ...(marks === undefined
        ? []
        : [
            {
              id: 'marks',
              title: 'Situations reached',
              about: 'A campaign proves nothing about a situation that no run reached.',
              body: coverageTable(marks, missedCoverageMarks(document)),
            },
          ]),
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
  pre {
    margin: 0;
  }
  #failures td {
    min-width: 12rem;
    max-width: 45rem;
  }
  #failures tbody th {
    min-width: 3rem;
  }
  #figures td {
    white-space: nowrap;
  }
`

function headOf({ document, description, ran }: CampaignReport): HtmlContent {
  const { failures, properties, seeds, marks = [] } = document
  const checks = properties.reduce((sum, { checked }) => sum + checked, 0)
  const broken = failures.length
  return html`${description === null ? null : html`<p>${description}</p>`}
    <p class="soft">${ran}</p>
    <p class="verdict">${verdictOf(document, checks)}</p>
    ${tiles([
      { name: 'runs', value: count(seeds) },
      { name: 'failing runs', value: count(broken), tone: broken > 0 ? 'bad' : 'good' },
      { name: 'checks', value: count(checks), note: `of ${count(properties.length)} properties` },
      ...(marks.length === 0
        ? []
        : [
            {
              name: 'situations reached',
              value: count(marks.filter(({ runs }) => runs > 0).length),
              note: `of ${count(marks.length)}`,
            },
          ]),
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
