/**
 * A scenario as a JSON document: locations in it by path, and copies with parts removed or
 * replaced. The schema decides whether a copy is still a scenario.
 */

import { BadInput } from '../../server/terminal/bad-input.ts'
import { checkScenario } from '../scenario/check.ts'
import type { Scenario } from '../scenario/scenario.ts'

export type Path = readonly (string | number)[]
export type JsonLocation = { readonly path: Path; readonly value: unknown }

/**
 * Returns the locations that a pattern like `events/*` matches, in document order. The star matches
 * every key or index.
 */
export function locationsAt(document: unknown, pattern: string): JsonLocation[] {
  let locations: JsonLocation[] = [{ path: [], value: document }]
  for (const part of pattern.split('/')) {
    locations = locations.flatMap(({ path, value }) =>
      membersOf(value)
        .filter(([key]) => part === '*' || part === String(key))
        .map(([key, member]) => ({ path: [...path, key], value: member })),
    )
  }
  return locations
}

function membersOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return value.map((member, index) => [index, member])
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

/**
 * Returns the patterns of all locations, with a star for each index. A location comes before what is in it, and
 * what stands last in the document comes first.
 */
export function patternsIn(document: unknown): string[] {
  const below = (value: unknown, pattern: string): string[] => [
    pattern,
    ...membersOf(value).flatMap(([key, member]) => {
      return below(member, `${pattern}/${typeof key === 'number' ? '*' : key}`)
    }),
  ]
  const members = membersOf(document).toReversed()
  return [...new Set(members.flatMap(([key, member]) => below(member, String(key))))]
}

/** Returns a copy without these locations, and without lists and objects that become empty. */
export function withoutLocations(document: unknown, gone: readonly Path[]): unknown {
  return gone.length === 0 ? document : copied(document, gone)
}

function copied(value: unknown, gone: readonly Path[]): unknown {
  const members = membersOf(value).flatMap(([key, member]): [string | number, unknown][] => {
    const inside = gone.filter(([first]) => first === key).map(([, ...rest]) => rest)
    if (inside.length === 0) return [[key, member]]
    if (inside.some(({ length }) => length === 0)) return []
    const left = copied(member, inside)
    return membersOf(left).length === 0 ? [] : [[key, left]]
  })
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members)
}

/** Returns a copy with another value at an existing location. */
export function withValue(document: unknown, path: Path, value: unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined) return value
  const members = membersOf(document).map(([key, member]): [string | number, unknown] =>
    key === first ? [key, withValue(member, rest, value)] : [key, member],
  )
  return Array.isArray(document) ? members.map(([, member]) => member) : Object.fromEntries(members)
}

/** Returns the document as a scenario; null if it is not a valid one. */
export function validScenario(document: unknown): Scenario | null {
  try {
    return checkScenario(document, 'a smaller scenario')
  } catch (error) {
    if (error instanceof BadInput) return null
    throw error
  }
}
