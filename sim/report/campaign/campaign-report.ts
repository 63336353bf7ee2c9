/**
 * The report of many seeds: one page that opens offline. Importing this loads the chart library: do
 * it only when there is a report to write.
 */

import { missedMarks, type CampaignDocument } from '../../campaign/document.ts'
import { count, several } from '../../command-line/text.ts'
import { html, type Content, type Html } from '../html.ts'
import { pageText } from '../page.ts'
import { tiles } from '../pieces.ts'
import { verdictStyle } from '../sections/verdict.ts'
import { css } from '../style/css.ts'
import { failuresTable, marksTable, propertiesTable } from './checked.ts'
import { distributions, figuresTable } from './figures.ts'

export type CampaignReport = {
  readonly document: CampaignDocument
  readonly description: string | null
  /** Which seeds were run, and how much that is of what was wanted. */
  readonly ran: string
  /** What a number came to in every run, by its dotted path. */
  readonly valuesOf: (path: string) => readonly number[]
  /** What failures were shrunk to, for a person; empty for none. */
  readonly shrunk: string
}

/** The whole page. The same runs give the same bytes. */
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
              title: 'Shrunk',
              about: 'The fewest pull requests, events and settings that still break the same.',
              body: html`<pre>${shrunk.trim()}</pre>`,
            },
          ]),
      {
        id: 'figures',
        title: 'Figures',
        about: 'Means over the runs; where the true mean lies with 95 %; the least and the most.',
        body: figuresTable(document),
      },
      {
        id: 'distributions',
        title: 'From run to run',
        about: 'In how many runs a figure came to how much.',
        body: await distributions(document, valuesOf),
      },
      ...(marks === undefined
        ? []
        : [
            {
              id: 'marks',
              title: 'Situations met',
              about: 'A campaign that never met a situation has proven nothing about it.',
              body: marksTable(marks, missedMarks(document)),
            },
          ]),
      {
        id: 'properties',
        title: 'Properties',
        about: 'Checked at every event of every run.',
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

function headOf({ document, description, ran }: CampaignReport): Content {
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
              name: 'situations met',
              value: count(marks.filter(({ runs }) => runs > 0).length),
              note: `of ${count(marks.length)}`,
            },
          ]),
    ])}`
}

function verdictOf(document: CampaignDocument, checks: number): Html {
  const { failures, seeds } = document
  const missed = missedMarks(document)
  if (seeds === 0) return html`<strong class="warn">Nothing was run</strong>`
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
    ...(missed.length > 0 ? [html`never met: ${missed.join(', ')}`] : []),
  ]
  return html`<strong class="bad">Does not hold</strong> ${faults.map(
      (fault, index) => html`${index > 0 ? '; ' : ''}${fault}`,
    )}`
}
