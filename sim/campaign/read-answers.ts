/** Reads parts that hold the answers of their tasks. */

import { Ajv2020 } from 'ajv/dist/2020.js'
import { BadInput, shown } from '../scenario/bad-input.ts'
import { parseJson } from '../scenario/json-text.ts'
import { readBytes } from '../scenario/load.ts'
import type { AnswersDocument } from './answers.ts'
import { partSchema } from './parts/part.ts'

const schema = {
  type: 'object',
  properties: { part: partSchema, tasks: { type: 'integer' }, answers: { type: 'array' } },
  required: ['part', 'tasks', 'answers'],
} as const

/** Returns whether a file holds such a part, and not a shard of seeds. Throws `BadInput` if it is no JSON. */
export function isAnswers(path: string, name: string): boolean {
  const document = parseJson(readBytes(path, name), name)
  return typeof document === 'object' && document !== null && 'answers' in document
}

/** Reads the part in a file; errors call the file `name`. Throws `BadInput` for anything else. */
export function readAnswers(path: string, name: string): AnswersDocument {
  const document = parseJson(readBytes(path, name), name)
  const isPart = new Ajv2020().compile<AnswersDocument>(schema)
  if (isPart(document)) return document
  const [error] = isPart.errors ?? []
  const expected = `a part, written with --shard by this version (${error?.message ?? ''})`
  throw new BadInput(name, [
    { where: error?.instancePath ?? '', expected, actual: shown(document) },
  ])
}
