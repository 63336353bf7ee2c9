/**
 * Reads JSON with a long list of targets piece by piece. The list may be as long as the body of a
 * request. Read at once, it would be in memory three times: as bytes, as text and as names.
 */

import { decode, isAt, textOf, type Bytes } from './lines.ts'

/** Shorter JSON, in bytes, is read at once. */
const longBytes = 1 << 16

const listOpening = '"targets":['
const [quote, backslash, comma, openBracket, closeBracket] = [0x22, 0x5c, 0x2c, 0x5b, 0x5d]

export type Json = {
  readonly text: string
  /** The second argument of `JSON.parse` for this text. */
  readonly revive?: (key: string, value: unknown) => unknown
}

/**
 * Returns the JSON for `JSON.parse`: the text without the targets, which are read piece by piece,
 * and a function that puts them back. No other list in the JSON may be called `targets`.
 */
export function jsonWithTargets(bytes: Bytes): Json {
  if (bytes.length < longBytes) return { text: textOf(bytes) }
  const lists: string[][] = []
  let before = ''
  let unread = new Uint8Array()
  for (const piece of bytes.pieces) {
    const searched = unread.length
    unread = joined(unread, piece)
    if (before === '') {
      const start = listStart(unread, searched)
      if (start === -1) continue
      before = decode(unread.subarray(0, start))
      unread = unread.subarray(start)
    }
    const end = endOfNames(unread)
    if (end === -1) continue
    const names: string[] = JSON.parse(`[${decode(unread.subarray(0, end))}]`)
    lists.push(names)
    // Behind the list the end is its bracket again, and gives no more names.
    unread = unread.subarray(unread[end] === comma ? end + 1 : end)
  }
  const text = before + decode(unread)
  if (lists.length === 0) return { text }
  const none: readonly string[] = []
  const targets = none.concat(...lists)
  return { text, revive: (key, value) => (key === 'targets' ? targets : value) }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

/** The position of the first target, if its list opens at or after `from`; else -1. */
function listStart(bytes: Uint8Array, from: number): number {
  for (
    let at = bytes.indexOf(openBracket, from);
    at !== -1;
    at = bytes.indexOf(openBracket, at + 1)
  ) {
    const start = at + 1
    // A string in JSON cannot contain these bytes, because its quotes have a backslash.
    if (isAt(bytes, start - listOpening.length, listOpening)) return start
  }
  return -1
}

/** The position of the end of the list, else of the last comma between two names, else -1. */
function endOfNames(bytes: Uint8Array): number {
  let isInName = false
  let end = -1
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) isInName = !isInName
    else if (byte === backslash) at++
    else if (isInName) continue
    else if (byte === comma) end = at
    else if (byte === closeBracket) return at
  }
  return end
}
