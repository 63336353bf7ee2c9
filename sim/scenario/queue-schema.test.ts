import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { boundedFigures, scenarioDefaults } from './scenario.ts'
import { validatorOptions } from './is-scenario.ts'
import { configurationFields, writableQueueStates } from '../../engine/index.ts'
import type { ConfigurationField } from '../../engine/index.ts'

/** Returns what `$defs.queue` in `scenarios/scenario.schema.json` must be; a test compares them. */
function queueSchema(): object {
  const fields = Object.entries<ConfigurationField>(configurationFields)
  return {
    description: 'Settings of the queue, named as in the API. A missing setting has its default.',
    type: 'object',
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(fields.map(([name, field]) => [name, schemaOf(field)])),
      state: {
        description:
          'RUNNING: normal operation. PAUSED: no run starts and no pull request merges. DRAINING: no new pull request starts.',
        enum: [...writableQueueStates],
        default: 'RUNNING',
      },
    },
  }
}

function schemaOf(field: ConfigurationField): object {
  return { description: field.meaning, ...valuesOf(field), default: field.default }
}

function valuesOf(field: ConfigurationField): object {
  switch (field.kind) {
    case 'integer':
      return { type: 'integer', minimum: field.minimum }
    case 'integer or null':
      return { type: ['integer', 'null'], minimum: field.minimum }
    case 'flag':
      return { type: 'boolean' }
    case 'choice':
      return { enum: [...field.choices] }
    case 'text':
      return { type: 'string' }
    case 'names or null':
      return { type: ['array', 'null'], items: { type: 'string' } }
  }
}

type Schema = {
  readonly description?: string
  readonly default?: unknown
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
}

const file = new URL('../../../scenarios/scenario.schema.json', import.meta.url)
const schema: Schema & { readonly $defs: Readonly<Record<string, Schema>> } = JSON.parse(
  readFileSync(file, 'utf8'),
)

function fieldOf(...path: readonly string[]): Schema {
  return path.reduce<Schema>((from, name) => from.properties?.[name] ?? {}, schema)
}

describe('the scenario schema', () => {
  test('is a valid JSON Schema', () => {
    const ajv = new Ajv2020(validatorOptions)
    expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true)
  })

  test('describes the queue exactly as the engine describes its settings', () => {
    const advice = 'put this under $defs.queue in scenarios/scenario.schema.json'
    expect(schema.$defs['queue'], advice).toEqual(queueSchema())
  })

  test('uses the same definition for the queue and for updateQueue', () => {
    const update = schema.$defs['event']?.oneOf?.find(({ properties }) => properties?.['set'])
    expect(fieldOf('queue').$ref).toBe('#/$defs/queue')
    expect(update?.properties?.['set']?.$ref).toBe('#/$defs/queue')
  })

  test('states the defaults that the simulator uses', () => {
    expect(fieldOf('seed').default).toBe(scenarioDefaults.seed)
    expect(fieldOf('suite', 'minutes').default).toBe(scenarioDefaults.suiteMinutes)
    expect(fieldOf('traffic', 'count').default).toBe(scenarioDefaults.trafficCount)
    expect(fieldOf('traffic', 'arrivals').default).toEqual(scenarioDefaults.arrivals)
    expect(fieldOf('traffic', 'flakeRate').default).toBe(scenarioDefaults.trafficFlakeRate)
    expect(fieldOf('traffic', 'targets', 'perPullRequest').default).toEqual(
      scenarioDefaults.targetsPerPullRequest,
    )
  })

  test('has every figure that a scenario can expect', () => {
    const expectable = Object.keys(fieldOf('expect').properties ?? {})
    expect(expectable).toEqual(expect.arrayContaining(boundedFigures.map(([name]) => name)))
  })

  test('describes every field, because editors show the descriptions', () => {
    const undescribed: string[] = []
    const visit = (each: Schema, path: string): void => {
      for (const [name, field] of Object.entries(each.properties ?? {})) {
        if (field.description === undefined) undescribed.push(`${path}/${name}`)
        visit(field, `${path}/${name}`)
      }
      if (each.items) visit(each.items, `${path}/items`)
      for (const branch of each.oneOf ?? []) visit(branch, `${path}/oneOf`)
    }
    visit(schema, '')
    for (const [name, definition] of Object.entries(schema.$defs)) visit(definition, name)
    expect(undescribed).toEqual([])
  })
})
