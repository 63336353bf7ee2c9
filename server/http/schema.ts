/**
 * Checks bodies against the schemas of the OpenAPI document and collects their faults.
 *
 * The first check stops at the first fault, which is enough for a valid body. A second check, for
 * all faults, follows only for an invalid body that is small, so that its faults are few.
 */

import { fullFormats } from 'ajv-formats/dist/formats.js'
import { Ajv2020, type Options } from 'ajv/dist/2020.js'
import { type SchemaError, schemaFaults } from '../../engine/index.ts'
import { type OperationObject, openApi, resolved } from '../contract/openapi.ts'
import { once } from '../files/turns.ts'
import { quoteOf } from './answer.ts'

/** For bodies up to this size all faults are reported, for larger ones only the first. */
const thoroughBytes = 1 << 16
const largestPullRequest = 4_294_967_295

/** Without the prefix `urn:uuid:`, which ajv's own format allows. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export type BodyCheck<Body> = {
  /** True if the body is valid. Changes enum values in the body to their proper letter case. */
  readonly fits: (body: unknown) => body is Body
  /** Describes the faults of an invalid body in one line; `bytes` is the size of the body. */
  readonly faultsOf: (body: unknown, bytes: number) => string
}

/** Compiled for the first body, because schemas would slow down the start. */
const untilFirstFault = once(() => schemasOfDocument({}))
const forAllFaults = once(() => schemasOfDocument({ allErrors: true }))

export function bodyCheck<Body>({ operationId, requestBody }: OperationObject): BodyCheck<Body> {
  const reference = requestBody?.content['application/json'].schema['$ref']
  if (typeof reference !== 'string') throw new Error(`no schema for the body of ${operationId}`)
  const schema = { $ref: `openapi${reference}` }
  const isFit = once(() => untilFirstFault().compile<Body>(schema))
  const thorough = once(() => forAllFaults().compile(schema))
  return {
    fits: (body): body is Body => isFit()(body),
    faultsOf: (body, bytes) => {
      if (bytes > thoroughBytes) return faultsText(isFit().errors ?? [])
      const check = thorough()
      check(body)
      return faultsText(check.errors ?? [])
    },
  }
}

/**
 * Returns an ajv instance with the formats and keywords of the document, and the document's
 * components as `openapi`. Only tests validate the schemas themselves, by `validateSchema`: the
 * document does not change at run time.
 */
export function schemasOfDocument(options: Options): Ajv2020 {
  const ajv = new Ajv2020({
    validateSchema: false,
    allowUnionTypes: true,
    verbose: true,
    ...options,
  })
  ajv.addFormat('uuid', uuid)
  ajv.addFormat('date-time', fullFormats['date-time'])
  ajv.addFormat('git-branch', isBranchName)
  ajv.addFormat('digits', isDigits)
  ajv.addVocabulary(['components', 'x-expected', 'x-default', 'example'])
  ajv.addKeyword({
    keyword: 'x-any-case',
    modifying: true,
    before: 'enum',
    compile: (_isOn, schema) => {
      const values: readonly string[] = schema['enum'] ?? []
      const byLowerCase = new Map(values.map((each) => [each.toLowerCase(), each]))
      return (value: unknown, location) => {
        const known = typeof value === 'string' ? byLowerCase.get(value.toLowerCase()) : undefined
        if (known !== undefined && location) {
          location.parentData[location.parentDataProperty] = known
        }
        return true
      }
    },
  })
  return ajv.addSchema({ components: openApi.components }, 'openapi')
}

/** True if the text is a valid pull request number. */
function isDigits(text: string): boolean {
  const number = Number(text)
  return /^\d+$/.test(text) && number >= 1 && number <= largestPullRequest
}

// Valid git branch names: the rules of `git check-ref-format --branch`.

const longestBytes = 1000

/** Spaces, control characters, unpaired surrogates, and characters with a meaning in revisions. */
const forbidden = /[\p{Cc}\p{Cs} ~^:?*[\\]|\.\.|@\{|\/\//u

export function isBranchName(name: string): boolean {
  if (name === '' || name === '@' || name === 'HEAD' || Buffer.byteLength(name) > longestBytes) {
    return false
  }
  if (forbidden.test(name) || name.startsWith('-') || name.startsWith('/')) return false
  if (name.endsWith('/') || name.endsWith('.')) return false
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'))
}

// The faults of a body as one line of text.

const mostShown = 20

/** `/pr/number must be an integer, got "abc"; /targetBranch must be a string, got nothing` */
function faultsText(errors: readonly SchemaError[]): string {
  const faults = schemaFaults(errors, resolved).map(({ where, expected, actual }) => {
    return `${where === '' ? 'the body' : where} must be ${expected}, got ${quoteOf(actual)}`
  })
  const rest = faults.length - mostShown
  const text = faults.slice(0, mostShown).join('; ')
  return rest > 0 ? `${text}; and ${rest} more` : text
}
