/**
 * What a branch holds, in order, as a node of a tree: the same content in the same order is the
 * same object, however it was put together. So comparing two compositions costs nothing, no two
 * different ones can ever clash, and what nobody holds on to any more is forgotten by itself.
 */

/** One pull request's content as it was submitted, or one push from outside. */
export type Content = number

export type Composition = {
  /** What it becomes with one content more on top. */
  above: Map<Content, Composition> | null
}

/** A branch on which nothing has happened yet. */
export function emptyComposition(): Composition {
  return { above: null }
}

/** The composition with these contents on top, in order. */
export function extend(below: Composition, contents: readonly Content[]): Composition {
  let composition = below
  for (const content of contents) {
    composition.above ??= new Map()
    let next = composition.above.get(content)
    if (!next) composition.above.set(content, (next = emptyComposition()))
    composition = next
  }
  return composition
}
