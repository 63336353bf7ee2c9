/** The queue part of the scenario schema, derived from the engine's own table of settings. */

import {
  configurationFields,
  writableQueueStates,
  type ConfigurationField,
} from '../../engine/index.ts'

/** What `$defs.queue` in `scenarios/scenario.schema.json` must be; a test compares the two. */
export function queueSchema(): object {
  const fields = Object.entries<ConfigurationField>(configurationFields)
  return {
    description: 'Settings of the queue, named as on the wire. What is left out is as by default.',
    type: 'object',
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(fields.map(([name, field]) => [name, schemaOf(field)])),
      state: {
        description:
          'RUNNING: everything goes on. PAUSED: nothing merges or starts. DRAINING: nothing new starts.',
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
