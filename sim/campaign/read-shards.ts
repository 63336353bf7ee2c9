/** Reads the results of shards. */

import { readBytes } from '../scenario/load.ts'
import { jsonPointer } from '../../engine/index.ts'
import { BadInput, shown } from '../scenario/bad-input.ts'
import { parseJson } from '../scenario/json-text.ts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ShardDocument } from './document.ts'
import { partSchema } from './parts/part.ts'

const number = { type: 'number' } as const
const text = { type: 'string' } as const
const list = (items: object): object => ({ type: 'array', items })
const record = (properties: Record<string, object>): object => {
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** The fields that the merge needs. The rest is not checked, because this program wrote it. */
const shard = {
  ...record({
    scenario: text,
    part: partSchema,
    campaign: record({ from: number, to: number }),
    events: number,
    properties: list(
      record({ name: text, runs: number, events: number, checked: number, leftOut: number }),
    ),
    failures: list(record({ seed: number, failures: list({ type: 'object' }), replay: text })),
    runs: list(
      record({
        seed: number,
        traceHash: text,
        figures: { type: 'object', additionalProperties: number },
      }),
    ),
  }),
}

type MergedResults = { readonly results: readonly unknown[] }

/** Reads the shards in a file, one per scenario. Throws `BadInput` if it contains anything else. */
export function readShards(path: string, name: string): ShardDocument[] {
  const ajv = new Ajv2020()
  const isShard = ajv.compile<ShardDocument>(shard)
  const isResults = ajv.compile<MergedResults>(record({ results: list({}) }))
  const document = parseJson(readBytes(path, name), name)
  const isSeveral = isResults(document)
  const parts = isSeveral ? document.results : [document]
  return parts.map((part, index) => {
    if (isShard(part)) return part
    const [error] = isShard.errors ?? []
    const pointerText = isSeveral ? jsonPointer('results', index) : ''
    const where = `${pointerText}${error?.instancePath ?? ''}`
    const expected = `the result of a shard, written with --shard by this version (${error?.message ?? ''})`
    throw new BadInput(name, [{ where, expected, actual: shown(part) }])
  })
}
