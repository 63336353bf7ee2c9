/**
 * The report of a run: one page that opens offline. Importing this module loads the chart library,
 * so import it only to write a report.
 */

import { figureRows } from '../result/figure-rows.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { toMillis } from '../scenario/time.ts'
import { count, several } from '../../server/terminal/text.ts'
import { barsHint, folded, table, tiles } from '../html/components.ts'
import { type Html, html, css } from '../html/html.ts'
import {
  type VerdictInput,
  reproducibilityOf,
  verdict,
  expectationsTable,
  propertiesTable,
} from './sections/verdict.ts'
import { pageText, script, type Section } from '../html/page.ts'
import type { RunRecording } from './recording/recording.ts'
import { pictures } from './sections/pictures.ts'
import { timelineStyle } from './timeline/style.ts'
import { timeline } from './timeline/timeline.ts'
import type { PullRequestNumber } from '../../engine/index.ts'
import type { PullRequestStory } from './recording/story.ts'

export type RunReport = Omit<VerdictInput, 'isInTimeline'> & { readonly recording: RunRecording }

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
  const isWhole = stories.length >= recording.pullRequests
  const stacks = stacksSection(stories, isWhole)
  return pageText({
    title: scenario.name,
    style: timelineStyle + (stacks.body === null ? '' : stacksStyle),
    scripts: [script('timeline'), script('bars')],
    head: html`${verdict({ ...report, isInTimeline })}${tiles(figureRows(figures, origin.kind === 'drawn'))}`,
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
      {
        id: 'expectations',
        title: 'Expectations',
        body: expectations.length === 0 ? null : expectationsTable(expectations),
      },
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

function aboutTimeline({ result, recording, replay }: RunReport, shown: number): Html {
  const all = recording.pullRequests
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
      : table({ head: ['queue setting', 'value'], rows }, 'Settings')
  }
  ${folded(`everything else${explicit}`, html`<pre>${JSON.stringify(rest, null, 2)}</pre>`)}`
}

// What an imported history tells, and what it does not tell.

/** The sections of a scenario that an import has made; none for another one. */
function historySections({ measured = [], assumed = [] }: Scenario): Section[] {
  const measurements = {
    id: 'measured',
    title: 'Measured',
    about: 'What the imported history tells, and from how many samples.',
    head: ['measured', 'value', 'samples'],
    rows: measured.map(({ what, value, samples }) => [what, value, samples]),
  }
  const assumptions = {
    id: 'assumed',
    title: 'Assumptions',
    about: 'What the imported history does not tell, and how to replace it by what is known.',
    head: ['assumed', 'value', 'replace by'],
    rows: assumed.map(({ what, value, replace }) => [what, value, html`<code>${replace}</code>`]),
  }
  return [measurements, assumptions].map((each) => {
    return { ...each, body: each.rows.length === 0 ? null : table(each, each.title) }
  })
}

// The stacks of a run: those that depend on each other, the lowest first, and how each has ended.

type Story = Pick<PullRequestStory, 'number' | 'dependsOn' | 'end'>

/** Those that did not merge whole come first. */
const mostStacks = 50

/** Without a body if nobody depends on anybody. */
function stacksSection(stories: readonly Story[], hasAll: boolean): Section {
  const stacks = stacksIn(stories)
  const isWhole = (stack: readonly Story[]) => stack.every(({ end }) => end === 'MERGED')
  const whole = stacks.filter(isWhole)
  const shown = [...stacks.filter((stack) => !isWhole(stack)), ...whole].slice(0, mostStacks)
  const of = hasAll ? '' : ' of pull requests in the timeline'
  const some = stacks.length > shown.length ? `; the first ${shown.length}` : ''
  return {
    id: 'stacks',
    title: 'Stacks',
    about: `${several(stacks.length, 'stack')}${of}, ${count(whole.length)} merged whole${some}. Each stands on the one before it, unless it says on whom.`,
    body:
      stacks.length === 0
        ? null
        : html`<ul class="stacks">
            ${shown.map(stackItem)}
          </ul>`,
  }
}

const stackItem = (stack: readonly Story[]): Html =>
  html`<li>
    <ol>
      ${stack.map(memberOf)}
    </ol>
  </li>`

function memberOf({ number, end, dependsOn }: Story, index: number, stack: readonly Story[]): Html {
  const [only] = dependsOn
  const isOnLast = dependsOn.length === 1 && stack[index - 1]?.number === only
  const on = dependsOn.map((other) => `#${other}`).join(', ')
  const state = end === null ? 'open' : end.toLowerCase()
  return html`<li class="${state}">
    <a href="#pr-${number}">#${number}</a>
    ${state}${isOnLast || on === '' ? null : html` <span>on ${on}</span>`}
  </li>`
}

/** Those that are connected, each after those that it depends on; the order is else that of the stories. */
export function stacksIn(stories: readonly Story[]): Story[][] {
  const known = new Map(stories.map((story) => [story.number, story]))
  const stackOf = new Map<PullRequestNumber, Set<Story>>()
  const add = (story: Story): Set<Story> => {
    const placed = stackOf.get(story.number)
    if (placed) return placed
    let stack = new Set<Story>()
    stackOf.set(story.number, stack)
    for (const other of story.dependsOn) {
      const below = known.get(other)
      if (!below) continue
      const joined = new Set([...stack, ...add(below)])
      for (const { number } of joined) stackOf.set(number, joined)
      stack = joined
    }
    stack.add(story)
    stackOf.set(story.number, stack)
    return stack
  }
  for (const story of stories) add(story)
  return [...new Set(stackOf.values())].filter(({ size }) => size > 1).map((stack) => [...stack])
}

const stacksStyle = css`
  .stacks,
  .stacks ol {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  .stacks > li {
    padding: 0.2rem 0;
    border-bottom: 1px solid var(--line);
  }
  .stacks ol {
    display: flex;
    flex-wrap: wrap;
    gap: 0.35rem;
    padding: 0.25rem 0;
  }
  .stacks ol li {
    padding: 0.1rem 0.6rem;
    background: var(--paper);
    border: 1px solid var(--line);
    border-left: 0.3rem solid var(--cancelled);
    border-radius: 0.35rem;
  }
  .stacks ol li.merged {
    border-left-color: var(--merged);
  }
  .stacks ol li.failed {
    border-left-color: var(--failed);
  }
  .stacks span {
    color: var(--soft);
  }
`
