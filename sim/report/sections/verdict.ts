/** Whether the run holds, and if not, what broke, when, and where to see it. */

import { count, several } from '../../command-line/text.ts'
import type { RunResult } from '../../result/write-result.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { html, type Html } from '../html.ts'
import { againOf, extentOf, type Origin } from '../origin.ts'
import { css } from '../style/css.ts'
import { violationId } from '../timeline/violations.ts'

export type Verdict = {
  readonly scenario: Scenario
  readonly result: RunResult
  /** What does not hold, each told to a person. */
  readonly failures: readonly string[]
  readonly origin: Origin
  /** The command that shows the run again. */
  readonly replay: string
  /** Whether the timeline shows the first violation. */
  readonly isInTimeline: boolean
}

/** Of a verdict and of what does not hold, on the page of one run and of many. */
export const verdictStyle = css`
  .verdict strong {
    font-size: 1.15rem;
    margin-right: 0.5rem;
  }
  pre {
    font:
      0.87rem/1.45 ui-monospace,
      monospace;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
`

const failuresTold = 5

export function verdict(wish: Verdict): Html {
  const { scenario, result, failures, replay } = wish
  const { totals } = result.figures
  const all = totals.merged + totals.failed + totals.cancelled
  const { description } = scenario
  return html`${description === undefined ? null : html`<p>${description}</p>`}
    <p class="soft">${extentOf(wish.origin, result.figures, all)}. Times count from the start.</p>
    <p class="verdict">${line(wish)}</p>
    ${failures.slice(0, failuresTold).map((failure) => html`<pre class="failure">${failure}</pre> `)}
    ${
      failures.length > failuresTold
        ? html`<p>
            ... and ${several(failures.length - failuresTold, 'more failure')}, listed below
          </p>`
        : null
    }
    ${
      wish.isInTimeline
        ? html`<p><a href="#${violationId}">See the first violation in the timeline</a></p>`
        : null
    }
    <p class="soft">Show it again: <code>${replay}</code></p>`
}

function line({ scenario, result, failures, origin }: Verdict): Html {
  const { expectations } = result
  // Of a recording much can't be watched: what is true of pull requests, or what came before it.
  const properties = result.properties.filter(
    ({ checked }) => checked > 0 || origin.kind === 'drawn',
  )
  if (failures.length === 0 && properties.length === 0) {
    return html`<strong class="good">Exact</strong> replayed as it was recorded; no property watched`
  }
  const checks = properties.reduce((sum, { checked }) => sum + checked, 0)
  const expected =
    expectations.length === 0 ? '' : ` and ${several(expectations.length, 'expectation')}`
  const what = `${count(properties.length)} properties${expected}, ${several(checks, 'check')}`
  if (failures.length > 0) {
    return html`<strong class="bad">Does not hold</strong> ${several(failures.length, 'failure')}
      among ${what}`
  }
  const must =
    scenario.mustFail === undefined ? '' : `; “${scenario.mustFail}” must fail here, and does`
  return html`<strong class="good">Holds</strong> ${what}${must}${againOf(origin)}`
}
