/**
 * JSON in pieces. A list of targets may be as long as a body: as one text it would be in memory a
 * second time, and as bytes a third. So it is written, and read back, a piece at a time.
 */

import type { TargetsLine } from '../../engine/index.ts'
import { textOf, type Bytes } from './lines-of-file.ts'

type ImpactedTargets = TargetsLine['targets']

/** Targets that are one piece of text. */
const targetsPerPiece = 4096
/** JSON that is worth being read in pieces. */
const longBytes = 1 << 16

/** Whether it is worth being written in pieces. */
export function isLongList(targets: ImpactedTargets): targets is readonly string[] {
  return targets !== 'ALL' && targets.length > targetsPerPiece
}

const emptyList = '"targets":[]'
const listOpening = Buffer.from(emptyList.slice(0, -1))
const [quote, backslash, comma, listEnd] = Buffer.from('"\\,]')

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

export type Json = {
  readonly text: string
  /** To be given to `JSON.parse` with it. */
  readonly revive?: (key: string, value: unknown) => unknown
}

/**
 * JSON out of bytes in pieces, as `JSON.parse` takes it: without the list of targets, which is read
 * a piece at a time and put back. No other list in it may have that name.
 */
export function jsonWithTargets(bytes: Bytes): Json {
  if (bytes.length < longBytes) return { text: textOf(bytes) }
  const lists: string[][] = []
  let before = ''
  let isInList = false
  let unread: Buffer = Buffer.alloc(0)
  for (const piece of bytes.pieces) {
    unread = Buffer.concat([unread, piece])
    if (before === '') {
      const start = unread.indexOf(listOpening) + listOpening.length
      if (start < listOpening.length) continue
      before = unread.toString('utf8', 0, start)
      unread = unread.subarray(start)
      isInList = true
    }
    const end: number = isInList ? endOfNames(unread) : -1
    if (end === -1) continue
    const names: string[] = JSON.parse(`[${unread.toString('utf8', 0, end)}]`)
    lists.push(names)
    isInList = unread[end] !== listEnd
    unread = unread.subarray(isInList ? end + 1 : end)
  }
  const text = before + unread.toString()
  if (lists.length === 0) return { text }
  const none: readonly string[] = []
  const targets = none.concat(...lists)
  return { text, revive: (key, value) => (key === 'targets' ? targets : value) }
}

/** Where the list ends, else at the last comma between two names; -1 where there is neither. */
function endOfNames(bytes: Buffer): number {
  let isInName = false
  let end = -1
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) isInName = !isInName
    else if (byte === backslash) at++
    else if (isInName) continue
    else if (byte === comma) end = at
    else if (byte === listEnd) return at
  }
  return end
}
