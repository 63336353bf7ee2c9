/** The verdict on a run, and its failures with a link to the first violation. */

import type { Millis } from '../../../engine/index.ts'
import { count, duration, several } from '../../../server/terminal/text.ts'
import { everyone, type Figures, type Expectation } from '../../result/result-document.ts'
import type { RunResult } from '../../result/write-result.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { html, type Html, type HtmlContent } from '../../html/html.ts'
import { violationId } from '../timeline/pull-request-row.ts'
import { builtIn, type PropertyResult } from '../../observe/findings.ts'
import { allJudges } from '../../judge/verdict.ts'
import { table } from '../../html/components.ts'

export type VerdictInput = {
  readonly scenario: Scenario
  readonly result: RunResult
  /** What does not hold, as text. */
  readonly failures: readonly string[]
  readonly origin: Origin
  /** The command that reproduces the run. */
  readonly replay: string
  /** True if the timeline shows the first violation. */
  readonly isInTimeline: boolean
}

const failuresShown = 5

export function verdict(input: VerdictInput): Html {
  const { scenario, result, failures, replay } = input
  const { totals } = result.figures
  const all = everyone(totals)
  const { description } = scenario
  return html`${description === undefined ? null : html`<p>${description}</p>`}
    <p class="soft">${extentOf(input.origin, result.figures, all)}. Times count from the start.</p>
    <p class="verdict">${line(input)}</p>
    ${failures.slice(0, failuresShown).map((failure) => html`<pre class="failure">${failure}</pre> `)}
    ${
      failures.length > failuresShown
        ? html`<p>
            ... and ${several(failures.length - failuresShown, 'more failure')}, listed below
          </p>`
        : null
    }
    ${
      input.isInTimeline
        ? html`<p><a href="#${violationId}">See the first violation in the timeline</a></p>`
        : null
    }
    <p class="soft">Reproduce with: <code>${replay}</code></p>`
}

function line({ scenario, result, failures, origin }: VerdictInput): Html {
  const { expectations } = result
  // A recording does not contain the truth about pull requests, and may start in the middle, so
  // some properties check nothing in it.
  const properties = result.properties.filter(
    ({ checked }) => checked > 0 || origin.kind === 'drawn',
  )
  if (failures.length === 0 && properties.length === 0) {
    return html`<strong class="good">Exact</strong> replay of the recording; no property was checked`
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
    scenario.mustFail === undefined ? '' : `; “${scenario.mustFail}” must fail here, and it does`
  return html`<strong class="good">Holds</strong> ${what}${must}${verificationOf(origin)}`
}

/** The origin of a run: simulated from a scenario, or recorded by a server. */
export type Origin =
  | {
      readonly kind: 'drawn'
      /** True if the scenario ran a second time and both runs were compared. */
      readonly isCompared: boolean
    }
  | { readonly kind: 'recorded'; readonly from: Millis; readonly to: Millis }

/** Returns the number of pull requests and the duration, in words. */
function extentOf(origin: Origin, figures: Figures, pullRequests: number): string {
  const all = `${several(pullRequests, 'pull request')} in ${duration(figures.endedAtMinutes)}`
  if (origin.kind === 'drawn') return `${all}, seed ${figures.seed}`
  const [from, to] = [origin.from, origin.to].map((instant) => new Date(instant).toISOString())
  return `${all}, recorded from ${from} to ${to}`
}

/** Returns how the run was verified to be reproducible, in words; empty if it was not. */
function verificationOf(origin: Origin): string {
  if (origin.kind === 'recorded') return '; the replay matched the recording'
  return origin.isCompared ? '; run twice with identical output' : ''
}

/** Returns why the run is reproducible, in words. */
export function reproducibilityOf({ kind }: Origin): string {
  return kind === 'drawn'
    ? 'The same scenario and seed give the same run on any machine'
    : 'The same recording gives the same run on any machine'
}

// The checks of a run: properties and expectations, each with its verdict.

const sentences = new Map([...builtIn, ...allJudges].map(({ name, sentence }) => [name, sentence]))

export function propertiesTable(properties: readonly PropertyResult[]): Html {
  const rows = properties.map(({ name, checked, violations }): HtmlContent[] => [
    name,
    html`${verdictOn(checked, violations.length === 0 ? null : 'broken')}${checked === 0 ? '' : `, ${several(checked, 'check')}`}`,
    html`${propertySentence(name)}${violations.map(
      ({ story }) => html`<br /><span class="bad">${story}</span>`,
    )}`,
  ])
  // Few columns, so that a sentence is readable on a phone.
  const head = ['property', 'verdict', 'what must hold']
  return table({ head, rows }, 'Properties')
}

/** Returns what a property requires, in one sentence; empty for an unknown name. */
export function propertySentence(name: string): string {
  return sentences.get(name) ?? ''
}

export function expectationsTable(expectations: readonly Expectation[]): Html {
  const rows = expectations.map(({ name, expected, actual, holds }): HtmlContent[] => [
    name,
    marked(holds, 'holds', 'missed'),
    html`<code>${JSON.stringify(expected)}</code>`,
    html`<code>${JSON.stringify(actual)}</code>`,
  ])
  const head = ['expectation', 'verdict', 'expected', 'actual']
  return table({ head, rows }, 'Expectations')
}

/** Returns the verdict on a property. `broken` says how it is broken; null if it holds. */
export function verdictOn(checked: number, broken: string | null): Html {
  if (broken === null && checked === 0) return html`<span class="soft">nothing to check</span>`
  return marked(broken === null, 'holds', broken ?? '')
}

function marked(holds: boolean, good: string, bad: string): Html {
  return holds ? html`<span class="good">${good}</span>` : html`<b class="bad">${bad}</b>`
}
