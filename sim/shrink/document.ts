/**
 * A scenario as the JSON document that it is: places in it, by path, and copies with something
 * left out or replaced. The schema has the say on what is still a scenario.
 */

import { BadInput } from '../scenario/bad-input.ts'
import { checkScenario } from '../scenario/load.ts'
import type { Scenario } from '../scenario/scenario.ts'

export type Path = readonly (string | number)[]
export type Place = { readonly path: Path; readonly value: unknown }

/**
 * The places that a pattern like `events/*` names, in the order of the document: the star stands
 * for every key or index.
 */
export function placesAt(document: unknown, pattern: string): Place[] {
  let places: Place[] = [{ path: [], value: document }]
  for (const part of pattern.split('/')) {
    places = places.flatMap(({ path, value }) =>
      membersOf(value)
        .filter(([key]) => part === '*' || part === String(key))
        .map(([key, member]) => ({ path: [...path, key], value: member })),
    )
  }
  return places
}

function membersOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return value.map((member, index) => [index, member])
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

/** A copy without these places, and without the lists and objects that are empty then. */
export function withoutPlaces(document: unknown, gone: readonly Path[]): unknown {
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

/** A copy with another value at a place that is there. */
export function withValue(document: unknown, path: Path, value: unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined) return value
  const members = membersOf(document).map(([key, member]): [string | number, unknown] =>
    key === first ? [key, withValue(member, rest, value)] : [key, member],
  )
  return Array.isArray(document) ? members.map(([, member]) => member) : Object.fromEntries(members)
}

/** The document as a scenario; null where it is none. */
export function soundScenario(document: unknown): Scenario | null {
  try {
    return checkScenario(document, 'a smaller scenario')
  } catch (error) {
    if (error instanceof BadInput) return null
    throw error
  }
}
