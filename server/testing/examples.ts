/** A valid body for each operation, from the OpenAPI document. */

import { definitions, type Definition } from './client.ts'

export function exampleOf({ definition }: Definition): unknown {
  const content: unknown = definition.requestBody?.content['application/json']
  return typeof content === 'object' && content !== null && 'example' in content
    ? content.example
    : null
}

export const examples: ReadonlyMap<string, unknown> = new Map(
  definitions.map((each) => [each.definition.operationId, exampleOf(each)]),
)
