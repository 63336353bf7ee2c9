/**
 * The schemas of the OpenAPI document at work: what a body must look like, and every fault of one
 * that does not.
 *
 * A body is first checked up to its first fault, which is all that a good one needs. Only then, and
 * only where it is small enough for its faults to be few, is it looked through for all of them.
 */

import { fullFormats } from 'ajv-formats/dist/formats.js'
import { Ajv2020, type Options } from 'ajv/dist/2020.js'
import { once } from '../once.ts'
import { openApi, type OperationObject } from '../openapi.ts'
import { isBranchName } from './branch-name.ts'
import { faultsText } from './faults.ts'

/** Bodies up to this size have all their faults named, larger ones the first. */
const thoroughBytes = 1 << 16
const largestPullRequest = 4_294_967_295

/** As it is written here, without the `urn:uuid:` that the format allows as well. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export type BodyCheck<Body> = {
  /** Whether it is what it should be. The letter case of enum values is set right on the way. */
  readonly fits: (body: unknown) => body is Body
  /** What is wrong with one that is not, in one line. */
  readonly faultsOf: (body: unknown, bytes: number) => string
}

/** Made for the first body that asks: a start has better things to do than compiling schemas. */
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
 * ajv, as far as the document's formats and keywords go, with its components as `openapi`. That
 * the schemas are schemas is for tests to say, who pass `validateSchema`: it never changes.
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
  ajv.addVocabulary(['components', 'x-expected', 'example'])
  ajv.addKeyword({
    keyword: 'x-any-case',
    modifying: true,
    before: 'enum',
    compile: (_isOn, schema) => {
      const words: readonly string[] = schema['enum'] ?? []
      const inThisCase = new Map(words.map((word) => [word.toLowerCase(), word]))
      return (value: unknown, place) => {
        const word = typeof value === 'string' ? inThisCase.get(value.toLowerCase()) : undefined
        if (word !== undefined && place) place.parentData[place.parentDataProperty] = word
        return true
      }
    },
  })
  return ajv.addSchema({ components: openApi.components }, 'openapi')
}

/** A pull request's number written as text. */
function isDigits(text: string): boolean {
  const number = Number(text)
  return /^\d+$/.test(text) && number >= 1 && number <= largestPullRequest
}
