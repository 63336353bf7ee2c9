/** The queue part of the scenario schema, derived from the engine's table of settings. */

import {
  configurationFields,
  writableQueueStates,
  type ConfigurationField,
} from '../../../engine/index.ts'

/** Returns what `$defs.queue` in `scenarios/scenario.schema.json` must be; a test compares them. */
export function queueSchema(): object {
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
