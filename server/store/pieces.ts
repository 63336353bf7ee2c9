/**
 * JSON in pieces. A list of targets may be as long as a body: as one text it would be in memory a
 * second time, and as bytes a third.
 */

import type { TargetsLine } from '../../engine/index.ts'

type ImpactedTargets = TargetsLine['targets']

/** Targets that are one piece of text. */
const targetsPerPiece = 4096

/** Whether it is worth being written in pieces. */
export function isLongList(targets: ImpactedTargets): targets is readonly string[] {
  return targets !== 'ALL' && targets.length > targetsPerPiece
}

const emptyList = '"targets":[]'

/** The JSON of `whole(targets)`, which is an object that holds them as `targets`. */
export function* piecesWithTargets(
  targets: readonly string[],
  whole: (targets: readonly string[]) => object,
): Generator<string> {
  const text = JSON.stringify(whole([]))
  // No text within it can look like this: there, quotes are written with a backslash.
  const at = text.indexOf(emptyList) + emptyList.length - 1
  yield text.slice(0, at)
  for (let from = 0; from < targets.length; from += targetsPerPiece) {
    const piece = JSON.stringify(targets.slice(from, from + targetsPerPiece)).slice(1, -1)
    yield from === 0 ? piece : `,${piece}`
  }
  yield text.slice(at)
}
