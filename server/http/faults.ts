/** The faults of a body, in words: where, what was expected, what came. */

import type { ErrorObject } from 'ajv/dist/2020.js'
import { resolved } from '../openapi.ts'
import { shown } from './shown.ts'

const mostShown = 20

/** `/pr/number must be integer, got "abc"; /targetBranch must be string, got nothing` */
export function faultsText(errors: readonly ErrorObject[]): string {
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf')
  const noise = new Set(choices.flatMap((choice) => noiseOf(choice, errors)))
  const telling = errors.filter((error) => !noise.has(error) && !isOfWrongType(error, errors))
  const unique = [...new Set(telling.map(faultOf))]
  const rest = unique.length - mostShown
  const text = unique.slice(0, mostShown).join('; ')
  return rest > 0 ? `${text}; and ${rest} more` : text
}

/**
 * Why each branch of a failed choice failed is noise: the choice itself says what is expected.
 * Unless one took the value and found faults within: then it is those that are to be mended.
 */
function noiseOf(choice: ErrorObject, errors: readonly ErrorObject[]): ErrorObject[] {
  const reasons = errors.filter(({ schemaPath }) => schemaPath.startsWith(`${choice.schemaPath}/`))
  const outside = reasons.filter(({ instancePath }) => instancePath === choice.instancePath)
  return outside.length < reasons.length ? [choice, ...outside] : outside
}

/** What has the wrong type is not one of the allowed values either: that goes without saying. */
function isOfWrongType({ keyword, instancePath }: ErrorObject, errors: readonly ErrorObject[]) {
  if (keyword !== 'enum') return false
  return errors.some((other) => other.keyword === 'type' && other.instancePath === instancePath)
}

function faultOf(error: ErrorObject): string {
  const { instancePath, keyword, params, parentSchema, data } = error
  if (keyword === 'required') {
    const missing = String(params['missingProperty'])
    return `${instancePath}/${missing} must be ${typeOf(parentSchema?.['properties'], missing)}, got nothing`
  }
  const place = instancePath === '' ? 'the body' : instancePath
  return `${place} ${expectedBy(error)}, got ${shown(data)}`
}

function expectedBy({ keyword, params, parentSchema, message }: ErrorObject): string {
  const expected: unknown = parentSchema?.['x-expected']
  const isRange = keyword === 'minimum' || keyword === 'maximum'
  if (typeof expected === 'string' && !isRange) return `must be ${expected}`
  if (keyword === 'enum') return `must be one of ${listed(params['allowedValues'])}`
  if (keyword === 'type') return `must be ${listed(params['type'], ' or ')}`
  if (keyword === 'minLength') return 'must be a non-empty string'
  return message ?? 'does not fit'
}

/** What a property should have been. */
function typeOf(properties: unknown, name: string): string {
  const property = memberOf(properties, name)
  if (typeof property !== 'object' || property === null) return 'there'
  const schema = resolved({ ...property })
  return listed(schema['x-expected'] ?? schema['type'] ?? 'there', ' or ')
}

function listed(words: unknown, separator = ', '): string {
  return Array.isArray(words) ? words.join(separator) : String(words)
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([name]) => name === key)?.[1]
}
