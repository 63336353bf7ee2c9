/**
 * The report of a run: one page that opens offline. Importing this module loads the chart library,
 * so import it only to write a report.
 */

import type { Figures } from '../result/result-document.ts'
import { toldFigures } from '../result/told-figures.ts'
import type { RunResult } from '../result/write-result.ts'
import type { Assumption, Measurement, Scenario } from '../scenario/scenario.ts'
import { toMillis } from '../scenario/time.ts'
import { count, several } from '../../server/terminal/text.ts'
import { barsHint } from '../html/bar-list.ts'
import { type Html, html, css } from '../html/html.ts'
import {
  type Origin,
  reproducibilityOf,
  verdict,
  verdictStyle,
  expectationsTable,
  propertiesTable,
} from './sections/verdict.ts'
import { pageText, script, type Section } from '../html/page.ts'
import { folded, table, tiles } from '../html/pieces.ts'
import type { RunRecording } from './recording/recording.ts'
import { pictures } from './sections/pictures.ts'
import { stacksSection, stacksStyle } from './sections/stacks.ts'
import { timelineStyle } from './timeline/style.ts'
import { timeline } from './timeline/timeline.ts'

export type RunReport = {
  readonly scenario: Scenario
  readonly result: RunResult
  readonly recording: RunRecording
  /** What does not hold, as text. */
  readonly failures: readonly string[]
  readonly origin: Origin
  /** The command that reproduces the run. */
  readonly replay: string
}

/** Returns the complete page. The same run gives the same bytes. */
export async function runReport(report: RunReport): Promise<string> {
  const { scenario, result, recording, origin } = report
  const { figures, properties, expectations } = result
  const stories = recording.stories
  const shown = new Set(stories.map(({ number }) => number))
  const violations = properties.flatMap((each) => each.violations)
  const isInTimeline = violations.some(({ pullRequests }) => pullRequests.some((n) => shown.has(n)))
  const endedAt = toMillis(figures.endedAtMinutes)
  const { runs, queueTimeline } = recording
  const isWhole = stories.length >= pullRequestsIn(figures)
  const stacks = stacksSection(stories)
  return pageText({
    title: scenario.name,
    style: timelineStyle + verdictStyle + style + (stacks ? stacksStyle : ''),
    scripts: [script('zoom'), script('rows'), script('bars')],
    head: html`${verdict({ ...report, isInTimeline })}${tiles(toldFigures(figures, origin.kind === 'drawn'))}`,
    sections: [
      {
        id: 'timeline',
        title: 'Timeline',
        about: aboutTimeline(report, stories.length),
        body: timeline({ scenario, stories, runs, queueTimeline, violations, endedAt, isWhole }),
      },
      stacks,
      {
        id: 'pictures',
        title: 'Charts',
        about: barsHint,
        body: await pictures({ scenario, result, recording, isWhole }),
      },
      expectations.length === 0
        ? null
        : { id: 'expectations', title: 'Expectations', body: expectationsTable(expectations) },
      ...historySections(scenario),
      {
        id: 'properties',
        title: 'Properties',
        about: properties.length > 0 ? 'Checked at every event of the run.' : unchecked,
        body: propertiesTable(properties),
      },
      {
        id: 'settings',
        title: origin.kind === 'drawn' ? 'The scenario' : 'The queue at the start',
        body: settings(scenario),
      },
    ],
    foot: html`<p>
      ${reproducibilityOf(origin)}; its trace has the hash <code>${figures.traceHash}</code>.
    </p>`,
  })
}

const unchecked =
  'Not checked: properties need a recording that starts with the creation of the queue.'

function pullRequestsIn({ totals: { merged, failed, cancelled } }: Figures): number {
  return merged + failed + cancelled
}

function aboutTimeline({ result, recording, replay }: RunReport, shown: number): Html {
  const all = Math.max(shown, pullRequestsIn(result.figures))
  const how = 'Expand a row to see the reason for each step.'
  if (shown === all) return html`${several(all, 'pull request')}. ${how}`
  const hasViolation = result.properties.some(({ violations }) => violations.length > 0)
  const centre = hasViolation ? 'the first violation' : 'the time at which the queue was longest'
  const some = recording.stories[0]?.number ?? 1
  return html`${count(shown)} of ${count(all)} pull requests: those around ${centre}, with their
    test runs. ${how} For any other pull request: <code>${replay} --why ${some}</code>`
}

function settings(scenario: Scenario): Html {
  const { pullRequests = [], ...others } = scenario
  const { queue = {}, $schema: _schema, name: _name, ...more } = others
  const { description: _description, assumed: _assumed, measured: _measured, ...rest } = more
  const rows = Object.entries(queue).map(([name, value]) => [name, JSON.stringify(value)])
  const explicit =
    pullRequests.length === 0
      ? ''
      : `, and ${several(pullRequests.length, 'explicit pull request')}`
  return html`${
    rows.length === 0
      ? html`<p>The queue has the default settings.</p>`
      : table(['queue setting', 'value'], rows, { name: 'Settings' })
  }
  ${folded(`everything else${explicit}`, html`<pre>${JSON.stringify(rest, null, 2)}</pre>`)}`
}

const style = css`
  pre {
    margin: 0.5rem 0;
  }
  pre.failure {
    border-left: 3px solid var(--bad);
    padding: 0.25rem 0 0.25rem 0.75rem;
  }
`

// What an imported history tells, and what it does not tell.

/** The sections of a scenario that an import has made; none for another one. */
function historySections({ measured = [], assumed = [] }: Scenario): (Section | null)[] {
  return [
    measured.length === 0 ? null : { ...measurements, body: measuredTable(measured) },
    assumed.length === 0 ? null : { ...assumptions, body: assumedTable(assumed) },
  ]
}

const measurements = {
  id: 'measured',
  title: 'Measured',
  about: 'What the imported history tells, and from how many samples.',
}

function measuredTable(measured: readonly Measurement[]): Html {
  const rows = measured.map(({ what, value, samples }) => [what, value, samples])
  const head = ['measured', 'value', 'samples']
  return table(head, rows, { name: measurements.title })
}

const assumptions = {
  id: 'assumed',
  title: 'Assumptions',
  about: 'What the imported history does not tell, and how to replace it by what is known.',
}

function assumedTable(assumed: readonly Assumption[]): Html {
  const rows = assumed.map(({ what, value, replace }) => [
    what,
    value,
    html`<code>${replace}</code>`,
  ])
  const head = ['assumed', 'value', 'replace by']
  return table(head, rows, { name: assumptions.title })
}
