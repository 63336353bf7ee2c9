/**
 * The report of a run: one page that opens offline. Importing this module loads the chart library,
 * so import it only to write a report.
 */

import { count, several } from '../terminal/text.ts'
import type { Figures } from '../result/result-document.ts'
import type { RunResult } from '../result/write-result.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { toMillis } from '../scenario/time.ts'
import { html, type Html } from './page/html.ts'
import { reproducibilityOf, type Origin } from './page/origin.ts'
import { pageText } from './page/page.ts'
import { script } from './page/script.ts'
import { barsHint } from './page/bar-list.ts'
import { folded, table } from './page/pieces.ts'
import type { RunRecording } from './recording/recording.ts'
import { figureTiles } from './sections/figures.ts'
import { historySections } from './sections/history.ts'
import { expectationsTable, propertiesTable } from './sections/judged.ts'
import { pictures } from './sections/pictures.ts'
import { verdict, verdictStyle } from './sections/verdict.ts'
import { css } from './style/css.ts'
import { timelineStyle } from './timeline/style/index.ts'
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
  return pageText({
    title: scenario.name,
    style: timelineStyle + verdictStyle + style,
    scripts: [script('zoom'), script('rows'), script('bars')],
    head: html`${verdict({ ...report, isInTimeline })}${figureTiles(figures, origin)}`,
    sections: [
      {
        id: 'timeline',
        title: 'Timeline',
        about: aboutTimeline(report, stories.length),
        body: timeline({ scenario, stories, runs, queueTimeline, violations, endedAt, isWhole }),
      },
      {
        id: 'pictures',
        title: 'Charts',
        about: barsHint,
        body: await pictures({ scenario, result, recording, isWhole }),
      },
      ...(expectations.length === 0
        ? []
        : [{ id: 'expectations', title: 'Expectations', body: expectationsTable(expectations) }]),
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
      : table([{ title: 'queue setting' }, { title: 'value' }], rows, { name: 'Settings' })
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
