/**
 * Writes JSON in pieces. A list of targets can be as large as a request body. As one text it would
 * be in memory a second time, and as bytes a third time.
 */

import type { TargetsLine } from '../../engine/index.ts'

type ImpactedTargets = TargetsLine['targets']

/** The number of targets in one piece of text. */
const targetsPerPiece = 4096

/** True if the list is long enough to be written in pieces. */
export function isLongList(targets: ImpactedTargets): targets is readonly string[] {
  return targets !== 'ALL' && targets.length > targetsPerPiece
}

const emptyList = '"targets":[]'

/** Returns the JSON of `whole(targets)`, an object with the list in its field `targets`. */
export function* piecesWithTargets(
  targets: readonly string[],
  whole: (targets: readonly string[]) => object,
): Generator<string> {
  const text = JSON.stringify(whole([]))
  // This text cannot occur inside a JSON string, because quotes are escaped there.
  const at = text.indexOf(emptyList) + emptyList.length - 1
  yield text.slice(0, at)
  for (let from = 0; from < targets.length; from += targetsPerPiece) {
    const piece = JSON.stringify(targets.slice(from, from + targetsPerPiece)).slice(1, -1)
    yield from === 0 ? piece : `,${piece}`
  }
  yield text.slice(at)
}
