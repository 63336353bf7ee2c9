/** The faults of a body as one line of text. */

import { schemaFaults, type SchemaError } from '../../engine/index.ts'
import { resolved } from '../contract/openapi.ts'
import { shown } from './shortened.ts'

const mostShown = 20

/** `/pr/number must be an integer, got "abc"; /targetBranch must be a string, got nothing` */
export function faultsText(errors: readonly SchemaError[]): string {
  const faults = schemaFaults(errors, resolved).map(({ where, expected, actual }) => {
    return `${where === '' ? 'the body' : where} must be ${expected}, got ${shown(actual)}`
  })
  const rest = faults.length - mostShown
  const text = faults.slice(0, mostShown).join('; ')
  return rest > 0 ? `${text}; and ${rest} more` : text
}
