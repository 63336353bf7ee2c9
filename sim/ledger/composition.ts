/**
 * The contents of a branch, in order, as a node of a tree. The same contents in the same order are
 * the same object, whichever way they were put together. So two compositions are compared by
 * identity, different ones never collide, and the garbage collector frees those that are no longer
 * referred to.
 */

/**
 * The content of one submission of a pull request (positive), or of one push from outside
 * (negative).
 */
export type Content = number

export type CompositionNode = {
  /** The last content; null for a branch without commits. */
  readonly content: Content | null
  /**
   * The first composition that was made from this one by adding a content. Nearly always the only
   * one.
   */
  above: CompositionNode | null
  /** All the others. */
  others: Map<Content, CompositionNode> | null
}

/** A branch without commits. */
export function emptyComposition(): CompositionNode {
  return { content: null, above: null, others: null }
}

/** The composition with these contents on top, in order. */
export function extend(below: CompositionNode, contents: readonly Content[]): CompositionNode {
  let composition = below
  for (const content of contents) composition = withOnTop(composition, content)
  return composition
}

/** The composition with one content more on top. */
export function withOnTop(below: CompositionNode, content: Content): CompositionNode {
  if (below.above && Object.is(below.above.content, content)) return below.above
  const known = below.others?.get(content)
  if (known) return known
  const made = { content, above: null, others: null }
  if (!below.above) below.above = made
  else {
    below.others ??= new Map()
    below.others.set(content, made)
  }
  return made
}
