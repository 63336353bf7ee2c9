/**
 * What a branch holds, in order, as a node of a tree: the same content in the same order is the
 * same object, however it was put together. So comparing two compositions costs nothing, no two
 * different ones can ever clash, and what nobody holds on to any more is forgotten by itself.
 */

/** One pull request's content as it was submitted, or one push from outside. */
export type Content = number

export type Composition = {
  /** What is on top of it; null of a branch on which nothing has happened yet. */
  readonly content: Content | null
  /** What it becomes with one content more: the first that was put on it, nearly always all. */
  above: Composition | null
  /** And with others. */
  beside: Map<Content, Composition> | null
}

/** A branch on which nothing has happened yet. */
export function emptyComposition(): Composition {
  return { content: null, above: null, beside: null }
}

/** The composition with these contents on top, in order. */
export function extend(below: Composition, contents: readonly Content[]): Composition {
  let composition = below
  for (const content of contents) composition = withOnTop(composition, content)
  return composition
}

/** The composition with one content more on top. */
export function withOnTop(below: Composition, content: Content): Composition {
  if (below.above && Object.is(below.above.content, content)) return below.above
  const known = below.beside?.get(content)
  if (known) return known
  const made = { content, above: null, beside: null }
  if (!below.above) below.above = made
  else {
    below.beside ??= new Map()
    below.beside.set(content, made)
  }
  return made
}
