/** The checks of a run: properties and expectations, each with its verdict. */

import { several } from '../../../server/terminal/text.ts'
import type { PropertyResult } from '../../observe/findings.ts'
import { allJudges } from '../../judge/judges.ts'
import type { Expectation } from '../../result/result-document.ts'
import { html, type HtmlContent, type Html } from '../../html/html.ts'
import { table } from '../../html/pieces.ts'

const sentences = new Map(allJudges.map(({ name, sentence }) => [name, sentence]))

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
  return table(head, rows, { name: 'Properties' })
}

/** Returns what a property requires, in one sentence; empty for an unknown name. */
export function propertySentence(name: string): string {
  return sentences.get(name) ?? builtIn[name] ?? ''
}

/** The checks that are built into every run. */
const builtIn: Readonly<Record<string, string>> = {
  'engine-does-not-throw': 'The engine returns events or a rejection for every command.',
  'keeps-moving': 'The queue keeps making progress: pull requests keep leaving it.',
  'rebuilds-alike': 'After a crash, the engine is rebuilt from its log with the same state.',
}

export function expectationsTable(expectations: readonly Expectation[]): Html {
  const rows = expectations.map(({ name, expected, actual, holds }): HtmlContent[] => [
    name,
    marked(holds, 'holds', 'missed'),
    html`<code>${JSON.stringify(expected)}</code>`,
    html`<code>${JSON.stringify(actual)}</code>`,
  ])
  return table(['expectation', 'verdict', 'expected', 'actual'], rows, { name: 'Expectations' })
}

/** Returns the verdict on a property. `broken` says how it is broken; null if it holds. */
export function verdictOn(checked: number, broken: string | null): Html {
  if (broken === null && checked === 0) return html`<span class="soft">nothing to check</span>`
  return marked(broken === null, 'holds', broken ?? '')
}

function marked(holds: boolean, good: string, bad: string): Html {
  return holds ? html`<span class="good">${good}</span>` : html`<b class="bad">${bad}</b>`
}
