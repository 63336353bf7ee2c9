/** What was checked: the properties and the expectations, each with what came of it. */

import { count } from '../../command-line/text.ts'
import type { PropertyResult } from '../../findings.ts'
import { properties as known } from '../../properties/index.ts'
import type { Expectation } from '../../result/result-document.ts'
import { html, type Content, type Html } from '../html.ts'
import { table } from '../pieces.ts'

const sentences = new Map(known.map(({ name, sentence }) => [name, sentence]))

export function propertiesTable(properties: readonly PropertyResult[]): Html {
  const rows = properties.map(({ name, checked, violations }): Content[] => [
    name,
    mark(violations.length === 0, checked === 0 ? 'nothing to check' : 'holds', 'broken'),
    count(checked),
    html`${sentences.get(name) ?? builtIn[name] ?? ''}${violations.map(
      ({ story }) => html`<br /><span class="bad">${story}</span>`,
    )}`,
  ])
  return table(
    [
      { title: 'property' },
      { title: '' },
      { title: 'checked', leans: 'right' },
      { title: 'what must hold' },
    ],
    rows,
    { name: 'Properties' },
  )
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
    mark(holds, 'holds', 'missed'),
    html`<code>${JSON.stringify(expected)}</code>`,
    html`<code>${JSON.stringify(actual)}</code>`,
  ])
  return table(
    [{ title: 'expectation' }, { title: '' }, { title: 'expected' }, { title: 'came' }],
    rows,
    { name: 'Expectations' },
  )
}

function mark(holds: boolean, good: string, bad: string): Html {
  return holds ? html`<span class="good">${good}</span>` : html`<b class="bad">${bad}</b>`
}
