/** Finds the item with a given id, beginning of an id, or name. */

import type { BadInput } from '../../../terminal/bad-input.ts'

/** Throws the error of `faultOf` if no item or several items match. */
export function findByIdOrName<Item extends { readonly id: string }>(
  items: readonly Item[],
  text: string,
  nameOf: (item: Item) => string,
  faultOf: (expected: string) => BadInput,
): Item {
  const found = items.filter((item) => item.id.startsWith(text) || nameOf(item) === text)
  const [only, ...others] = text === '' ? [] : found
  if (!only) throw faultOf('an id or name that list shows')
  if (others.length > 0) throw faultOf(`a longer part of the id, because ${found.length} match`)
  return only
}
