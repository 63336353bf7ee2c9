/** All settings in tables that can be sorted. Settings that act alike share a row. */

import { html, type Html } from '../../../sim/report/page/html.ts'
import { folded, table } from '../../../sim/report/page/pieces.ts'
import { several } from '../../../sim/terminal/text.ts'
import type { TuneDocument } from '../document.ts'
import { titleOf } from '../figures/figures.ts'
import { fastestFirst } from '../sentences.ts'
import { alikeOf, type Alike } from './alike.ts'
import { figureCell, nameOf, sortable } from './numbers.ts'

/** The others are in the document: more columns would not fit on paper. */
const inTable = ['p95', 'ciMinutes', 'evicted', 'unproven', 'broken'] as const

/** Those of the final, and folded those that left the search. */
export function settingsTables(document: TuneDocument): Html {
  const sorted = fastestFirst(document.settings)
  const inFinal = sorted.filter(({ role }) => role !== 'searched')
  const left = sorted.filter(({ role }) => role === 'searched')
  const summary = `${several(left.length, 'setting')} that left in the search, after a few other seeds`
  return html`${tableOf(alikeOf(inFinal, document), 'Settings of the final')}
  ${
    left.length === 0
      ? null
      : folded(summary, tableOf(alikeOf(left, document), 'Settings that left in the search'))
  }`
}

function tableOf(groups: readonly Alike[], name: string): Html {
  const right = { leans: 'right' as const }
  const head = [
    { title: 'setting' },
    { title: 'verdict' },
    { title: 'seeds', ...right },
    ...inTable.map((each) => ({ title: titleOf(each), ...right })),
  ]
  const rows = groups.map(({ first, others, marks }) => [
    nameOf(first, { others, marks: [] }),
    marks.join(', '),
    sortable(first.seeds, String(first.seeds)),
    ...inTable.map((each) => figureCell(first, each)),
  ])
  return table(head, rows, { name, isSortable: true })
}
