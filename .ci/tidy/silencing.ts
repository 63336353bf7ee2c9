/**
 * Nobody silences a check: the compiler, lint and coverage are answered, or the rule is changed
 * for everybody.
 */

import { lineAt, placeOf, visit, type Source } from './source.ts'

const advice = 'let a type guard, a union or a schema prove it'
const silencers =
  /@ts-(?:ignore|expect-error|nocheck)|(?:ox|es)lint-disable\S*|(?:c8|v8|istanbul) ignore/

/** Every place where a source overrules the compiler or switches a check off. */
export function silencedIn(source: Source): string[] {
  const faults = source.comments.flatMap((comment) => {
    const [silencer] = silencers.exec(comment.value) ?? []
    if (silencer === undefined) return []
    return [`${source.path}:${lineAt(source, comment.start)} has ${silencer}: mend what it hides`]
  })
  const add = (node: { readonly start: number }, what: string): void => {
    faults.push(`${placeOf(source, node)} has ${what}: ${advice}`)
  }
  visit(source, {
    TSAnyKeyword: (node) => add(node, 'any'),
    TSNonNullExpression: (node) => add(node, 'a non-null assertion'),
    TSTypeAssertion: (node) => add(node, 'a type assertion'),
    TSAsExpression: (node) => {
      const { start, end } = node.typeAnnotation
      if (source.text.slice(start, end) !== 'const') add(node, 'a type assertion')
    },
  })
  return faults
}
