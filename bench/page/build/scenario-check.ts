/** The check of scenarios as code that is made when the page is built: see `is-scenario.ts`. */

import { readFileSync } from 'node:fs'
import { Ajv2020, type SchemaObject } from 'ajv/dist/2020.js'
import ajvCode from 'ajv/dist/standalone/index.js'
import type { Plugin } from 'vite'
import { validatorOptions } from '../../../sim/scenario/validator-options.ts'

const schemaFile = new URL('../../../scenarios/scenario.schema.json', import.meta.url)

/** Puts compiled code in the place of the file that compiles the schema. */
export function scenarioCheck(): Plugin {
  return {
    name: 'mergeyard-scenario-check',
    load: (id) => (id.endsWith('/sim/scenario/is-scenario.ts') ? checkCode() : null),
  }
}

function checkCode(): string {
  const schema: SchemaObject = JSON.parse(readFileSync(schemaFile, 'utf8'))
  const ajv = new Ajv2020({ ...validatorOptions, code: { source: true, esm: true, lines: true } })
  ajv.addSchema(schema, 'scenario')
  const code = ajvCode.default(ajv, { isScenario: 'scenario' })
  return `${code}\nexport const checkOfScenarios = () => isScenario\n`
}
