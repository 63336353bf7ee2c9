/** What was checked: the properties and the expectations, each with what came of it. */

import { count } from '../../command-line/text.ts'
import type { PropertyResult } from '../../findings.ts'
import { properties as known } from '../../properties/index.ts'
import { relations } from '../../relations/index.ts'
import type { Expectation } from '../../result/result-document.ts'
import { html, type Content, type Html } from '../html.ts'
import { table } from '../pieces.ts'

const sentences = new Map([...known, ...relations].map(({ name, sentence }) => [name, sentence]))

export function propertiesTable(properties: readonly PropertyResult[]): Html {
  const rows = properties.map(({ name, checked, violations }): Content[] => [
    name,
    verdictOn(checked, violations.length === 0 ? null : 'broken'),
    count(checked),
    html`${propertySentence(name)}${violations.map(
      ({ story }) => html`<br /><span class="bad">${story}</span>`,
    )}`,
  ])
  return table(
    [
      { title: 'property' },
      { title: 'verdict' },
      { title: 'checked', leans: 'right' },
      { title: 'what must hold' },
    ],
    rows,
    { name: 'Properties' },
  )
}

/** What a property demands. */
export function propertySentence(name: string): string {
  return sentences.get(name) ?? builtIn[name] ?? ''
}

/** Those that every run checks about itself. */
const builtIn: Readonly<Record<string, string>> = {
  'engine-does-not-throw': 'The engine answers every command with events or a rejection.',
  'keeps-moving': 'Whatever happens, somebody ends before long.',
  'rebuilds-alike': 'Rebuilt from its log after a crash, the engine is as it was.',
}

export function expectationsTable(expectations: readonly Expectation[]): Html {
  const rows = expectations.map(({ name, expected, actual, holds }): Content[] => [
    name,
    marked(holds, 'holds', 'missed'),
    html`<code>${JSON.stringify(expected)}</code>`,
    html`<code>${JSON.stringify(actual)}</code>`,
  ])
  return table(
    [{ title: 'expectation' }, { title: 'verdict' }, { title: 'expected' }, { title: 'came' }],
    rows,
    { name: 'Expectations' },
  )
}

/** Of a property, where `broken` says how it is broken, or null. */
export function verdictOn(checked: number, broken: string | null): Html {
  if (broken === null && checked === 0) return html`<span class="soft">nothing to check</span>`
  return marked(broken === null, 'holds', broken ?? '')
}

function marked(holds: boolean, good: string, bad: string): Html {
  return holds ? html`<span class="good">${good}</span>` : html`<b class="bad">${bad}</b>`
}
