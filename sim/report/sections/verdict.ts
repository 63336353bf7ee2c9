/** Whether the run holds, and if not, what broke, when, and where to see it. */

import { storyOf } from '../../command-line/story.ts'
import { count, duration, several } from '../../command-line/text.ts'
import type { Failure } from '../../command-line/verdict.ts'
import type { RunResult } from '../../result/write-result.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { html, type Html } from '../html.ts'
import { violationId } from '../timeline/violations.ts'

export type Verdict = {
  readonly scenario: Scenario
  readonly result: RunResult
  readonly failures: readonly Failure[]
  /** Whether it was run a second time, to compare. */
  readonly isCompared: boolean
  /** The command that shows the run again. */
  readonly replay: string
  /** Whether the timeline shows the first violation. */
  readonly isInTimeline: boolean
}

const failuresTold = 5

export function verdict(wish: Verdict): Html {
  const { scenario, result, failures, replay } = wish
  const { totals, seed, endedAtMinutes } = result.figures
  const all = totals.merged + totals.failed + totals.cancelled
  const { description } = scenario
  return html`${description === undefined ? null : html`<p>${description}</p>`}
    <p class="soft">
      ${several(all, 'pull request')} in ${duration(endedAtMinutes)}, seed ${seed}. Times count from
      the start.
    </p>
    <p class="verdict">${line(wish)}</p>
    ${failures.slice(0, failuresTold).map((failure) => told(failure))}
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

function line({ scenario, result, failures, isCompared }: Verdict): Html {
  const { properties, expectations } = result
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
  const compared = isCompared ? '; run twice, the same to the byte' : ''
  return html`<strong class="good">Holds</strong> ${what}${must}${compared}`
}

function told(failure: Failure): Html {
  return html`<pre class="failure">${storyOf(failure)}</pre> `
}
