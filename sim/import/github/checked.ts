/** The objects in a file of a history, each held to its schema. */

import { schemaFaults } from '../../../engine/index.ts'
import { BadInput, shown, type InputFault } from '../../../server/terminal/bad-input.ts'
import { commandOf, type FileKind } from './layout.ts'
import { checkOf, type Items, type SchemaName } from './schemas.ts'

const mostFaults = 10

/**
 * Returns the objects in the values of a file: each value is one, a page with a list of them, or a list of
 * such pages. Throws `BadInput`, with JSON pointers and the command that writes the file.
 */
export function checkedItems<Name extends SchemaName>(
  kind: FileKind<Name>,
  values: readonly unknown[],
  source: string,
): Items[Name][] {
  const faults: InputFault[] = []
  const isItem = checkOf(kind.schema)
  const items: Items[Name][] = []
  for (const { where, value } of placed(kind, values)) {
    if (isItem(value)) {
      items.push(value)
      continue
    }
    const whole = { where: '', expected: kind.words, actual: value }
    const found = hasMessage(value) ? [whole] : schemaFaults(isItem.errors ?? [])
    faults.push(
      ...found.map(({ where: inside, expected, actual }) => ({
        where: where + inside,
        expected: inside === '' ? kind.words : expected,
        actual: inside === '' ? answered(value) : shown(actual),
      })),
    )
    if (faults.length >= mostFaults) break
  }
  const [first, ...more] = faults.slice(0, mostFaults)
  if (!first) return items
  const advice = `; write the file again with: ${commandOf(kind)}`
  throw new BadInput(source, [{ ...first, actual: first.actual + advice }, ...more])
}

type Placed = { readonly where: string; readonly value: unknown }

function placed({ list }: FileKind, values: readonly unknown[]): Placed[] {
  const isMany = values.length > 1
  return values.flatMap((value, index) => {
    const where = isMany ? `/${index}` : ''
    if (list === null) return [{ where, value }]
    return inList(value, where, list.field)
  })
}

/** The items of a page; `--slurp` puts pages into a list. A value that is no list stands for itself. */
function inList(value: unknown, where: string, field: string | null): Placed[] {
  if (Array.isArray(value)) {
    return value.flatMap((each: unknown, index) => {
      const at = `${where}/${index}`
      const isPage = Array.isArray(each) || (field !== null && listIn(each, field) !== null)
      return isPage ? inList(each, at, field) : [{ where: at, value: each }]
    })
  }
  const inField = field === null ? null : listIn(value, field)
  return inField === null ? [{ where, value }] : inList(inField, `${where}/${field ?? ''}`, field)
}

function listIn(value: unknown, field: string): readonly unknown[] | null {
  if (typeof value !== 'object' || value === null) return null
  const found: unknown = Object.entries(value).find(([name]) => name === field)?.[1]
  return Array.isArray(found) ? found : null
}

/** GitHub's own words, where the file holds the answer to a request that failed. */
function answered(value: unknown): string {
  return hasMessage(value) ? `the answer ${shown(value.message)}` : shown(value)
}

function hasMessage(value: unknown): value is { readonly message: unknown } {
  return typeof value === 'object' && value !== null && 'message' in value && !('sha' in value)
}
