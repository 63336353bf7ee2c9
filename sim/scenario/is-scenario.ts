/**
 * The check of a document against the schema of scenarios. It is compiled for the first document, because
 * most commands and workers load this file and check nothing. The build of the playground replaces this
 * file by one that is compiled already, because a page under a strict policy must not make code of text,
 * and has no file to read the schema from.
 */

import { readFileSync } from 'node:fs'
import { Ajv2020, type Options, type SchemaObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Scenario } from './scenario.ts'

/** How documents are checked against the schema of scenarios; the same in Node and in a browser. */
export const validatorOptions: Options = {
  allErrors: true,
  verbose: true,
  discriminator: true,
  allowUnionTypes: true,
  strictRequired: false,
  keywords: ['x-expected'],
}

/** Relative to the compiled file, which is one folder deeper than this one. */
const schemaFile = new URL('../../../scenarios/scenario.schema.json', import.meta.url)

let check: ValidateFunction<Scenario> | null = null

export function checkOfScenarios(): ValidateFunction<Scenario> {
  return (check ??= compiled())
}

function compiled(): ValidateFunction<Scenario> {
  const schema: SchemaObject = JSON.parse(readFileSync(schemaFile, 'utf8'))
  // A test checks the schema itself.
  return new Ajv2020({ ...validatorOptions, validateSchema: false }).compile<Scenario>(schema)
}
