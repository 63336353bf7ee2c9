/**
 * Webhooks as GitHub sends them, by the schemas that are published for them: the fields of the event, and the
 * simplest value for whatever else a payload must have.
 */

import { createRequire } from 'node:module'
import { Ajv, type ValidateFunction } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { merged, simplest } from '../../forge/testing/filled.ts'
import { quickToCompile } from '../../forge/testing/published.ts'

type Json = Readonly<Record<string, unknown>>

export type HookEvent = {
  /** `pull_request`. */
  readonly name: string
  /** `opened`; null for events without actions. */
  readonly action: string | null
  readonly fields: Json
}

const require = createRequire(import.meta.url)
const schemas: {
  readonly definitions: Readonly<Record<string, Json>>
} = require('@octokit/webhooks-schemas')

const ajv = new Ajv({ strict: false, allErrors: true, formats: fullFormats, ...quickToCompile })
ajv.addSchema({ $id: 'webhooks', ...schemas })
const compiled = new Map<string, ValidateFunction>()

const owner = { login: 'acme' }
const repository = { name: 'shop', full_name: 'acme/shop', owner }

export function payloadOf(event: HookEvent): Json {
  return merged(simplest({ $ref: nameOf(event) }, definitionAt), { repository, ...event.fields })
}

function nameOf({ name, action }: HookEvent): string {
  return `${name}$${action ?? 'event'}`
}

function definitionAt(ref: string): Json {
  const found = schemas.definitions[ref.split('/').at(-1) ?? '']
  if (!found) throw new Error(`nothing is published about ${ref}`)
  return found
}

/** What does not fit the schema that is published for the event. */
export function faultsOfPayload(event: HookEvent, payload: Json): string[] {
  const $ref = `webhooks#/definitions/${nameOf(event)}`
  const validate = compiled.get($ref) ?? ajv.compile({ $ref })
  compiled.set($ref, validate)
  if (validate(payload)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${nameOf(event)}: ${instancePath} ${message}`,
  )
}
