/** What an imported history tells, and what it does not tell. */

import type { Assumption, Measurement, Scenario } from '../../scenario/scenario.ts'
import { html, type Html } from '../page/html.ts'
import { table } from '../page/pieces.ts'

type Section = {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly body: Html
}

/** The sections of a scenario that an import has made; none for another one. */
export function historySections({ measured = [], assumed = [] }: Scenario): Section[] {
  return [
    ...(measured.length === 0 ? [] : [{ ...measurements, body: measuredTable(measured) }]),
    ...(assumed.length === 0 ? [] : [{ ...assumptions, body: assumedTable(assumed) }]),
  ]
}

const measurements = {
  id: 'measured',
  title: 'Measured',
  about: 'What the imported history tells, and from how many samples.',
}

function measuredTable(measured: readonly Measurement[]): Html {
  const rows = measured.map(({ what, value, samples }) => [what, value, samples])
  const head = [{ title: 'measured' }, { title: 'value' }, { title: 'samples' }]
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
  const head = [{ title: 'assumed' }, { title: 'value' }, { title: 'replace by' }]
  return table(head, rows, { name: assumptions.title })
}
