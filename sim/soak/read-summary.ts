/** Reads the summary of a soak. */

import { Ajv2020 } from 'ajv/dist/2020.js'
import { partSchema } from '../campaign/parts/part.ts'
import { BadInput, shown } from '../scenario/bad-input.ts'
import { parseJson } from '../scenario/json-text.ts'
import { readBytes } from '../scenario/load.ts'
import { kinds } from './kinds.ts'
import { summaryVersion, type SoakSummary } from './summary.ts'

const amount = { type: 'integer', minimum: 0 } as const
const text = { type: 'string' } as const
const list = (items: object): object => ({ type: 'array', items })
const record = (properties: Record<string, object>) => {
  return { type: 'object', properties, required: Object.keys(properties) } as const
}
const kindTotals = record({ seeds: amount, runs: amount, checks: amount, findings: amount })

const fields = record({
  soak: { const: summaryVersion },
  seeds: amount,
  ran: list(record({ from: amount, to: amount })),
  kinds: record(Object.fromEntries(kinds.map((kind) => [kind, kindTotals]))),
  properties: list(record({ name: text, checked: amount })),
  marks: list(record({ name: text, runs: amount })),
  planted: list(record({ defect: text, planted: amount, found: amount })),
  mutants: list(record({ mutant: text, noticedBy: list(text), replay: text })),
  findings: list(
    record({ seed: amount, kind: { enum: kinds }, name: text, story: text, replay: text }),
  ),
})

const summary = { ...fields, properties: { ...fields.properties, part: partSchema } }

/**
 * Reads the summary in the file `path`; errors call the file `name`. Throws `BadInput` if the file
 * cannot be read or is not a summary.
 */
export function readSummary(path: string, name: string): SoakSummary {
  const document = parseJson(readBytes(path, name), name)
  const isSummary = new Ajv2020().compile<SoakSummary>(summary)
  if (isSummary(document)) return document
  const [error] = isSummary.errors ?? []
  const expected = `the summary of a soak, written with --json (${error?.message ?? ''})`
  throw new BadInput(name, [
    { where: error?.instancePath ?? '', expected, actual: shown(document) },
  ])
}
