/**
 * No comment disables a check. Instead, fix the finding or change the rule for all files. Oxlint
 * cannot report these comments, because they disable the rule that would report them.
 */

import { lineAt, type Source } from './source.ts'

const silencers = /(?:ox|es)lint-disable\S*|(?:c8|v8|istanbul) ignore/

/** Returns the comments of a source that disable a check. */
export function silencedIn(source: Source): string[] {
  return source.comments.flatMap(({ value, start }) => {
    const [silencer] = silencers.exec(value) ?? []
    if (silencer === undefined) return []
    return [`${source.path}:${lineAt(source, start)} has ${silencer}: fix the finding`]
  })
}
