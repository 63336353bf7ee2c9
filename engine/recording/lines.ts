/**
 * Reads the lines of a file through a function of the caller. At most two chunks are in memory, for
 * files of any size and lines of any length.
 */

import { checksumTail, checksumTailLength, type LogHeader, type RecordedEnd } from './format.ts'

const chunkBytes = 1 << 20
const lineEnd = 0x0a

/**
 * Reads the file from `offset` (in bytes) into `chunk`. Returns the number of bytes read, which may
 * be fewer than available and is 0 only at the end of the file.
 */
export type ReadAt = (chunk: Uint8Array, offset: number) => number

/** The bytes of a line. They are valid until the next line is read. */
export type Bytes = {
  /** One piece if the line fits into a chunk. A piece is valid until the next one is read. */
  readonly pieces: Iterable<Uint8Array>
  /** The sum of their lengths. */
  readonly length: number
}

/** A line without its line end. */
export type Line = Bytes & {
  /** From 1. */
  readonly number: number
  /** The position of its first byte in the file. */
  readonly offset: number
  /** False for a last line without a line end: a crash cut it off, or a server is writing it. */
  readonly isWhole: boolean
}

/** Yields the lines of a file in order. */
export function* linesIn(readAt: ReadAt): Generator<Line> {
  const chunk = new Uint8Array(chunkBytes)
  let number = 1
  for (let offset = 0; ;) {
    const filled = chunk.subarray(0, fill(chunk, readAt, offset))
    let start = 0
    for (let end = filled.indexOf(lineEnd); end !== -1; end = filled.indexOf(lineEnd, start)) {
      const pieces = [filled.subarray(start, end)]
      yield { pieces, length: end - start, number, offset: offset + start, isWhole: true }
      number++
      start = end + 1
    }
    offset += start
    const isEnd = filled.length < chunk.length
    const rest = filled.subarray(start)
    const { length } = rest
    if (isEnd && length > 0) yield { pieces: [rest], length, number, offset, isWhole: false }
    if (isEnd) return
    // The rest of the chunk is read again together with the bytes that follow.
    if (start > 0) continue
    const line = longLine(readAt, offset)
    yield { ...line, number, offset }
    if (!line.isWhole) return
    number++
    offset += line.length + 1
  }
}

// Without `ignoreBOM` the decoder would drop a byte order mark.
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

function decode(bytes: Uint8Array): string {
  return utf8.decode(bytes)
}

/** Returns the bytes as text. */
export function textOf({ pieces, length }: Bytes): string {
  let whole: Uint8Array | null = null
  let filled = 0
  for (const piece of pieces) {
    if (piece.length === length) return decode(piece)
    whole ??= new Uint8Array(length)
    whole.set(piece, filled)
    filled += piece.length
  }
  return whole ? decode(whole) : ''
}

/** True if the bytes at this position are this text, which is ASCII. */
export function isAt(bytes: Uint8Array, position: number, text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    if (bytes[position + at] !== text.charCodeAt(at)) return false
  }
  return true
}

/** Reads until the chunk is full or the file ends. Returns the number of bytes read. */
function fill(chunk: Uint8Array, readAt: ReadAt, offset: number): number {
  let filled = 0
  for (;;) {
    const length = readAt(chunk.subarray(filled), offset + filled)
    filled += length
    if (length === 0 || filled === chunk.length) return filled
  }
}

/** The line at `offset`, which is longer than a chunk. */
function longLine(readAt: ReadAt, offset: number): Bytes & Pick<Line, 'isWhole'> {
  let length = 0
  let isWhole = false
  for (const chunk of chunksFrom(readAt, offset, Infinity)) {
    const end = chunk.indexOf(lineEnd)
    isWhole = end !== -1
    length += isWhole ? end : chunk.length
    if (isWhole) break
  }
  const pieces = { [Symbol.iterator]: () => chunksFrom(readAt, offset, length) }
  return { pieces, length, isWhole }
}

/** Yields this many bytes of the file, or all bytes up to its end. */
function* chunksFrom(readAt: ReadAt, offset: number, bytes: number): Generator<Uint8Array> {
  const chunk = new Uint8Array(chunkBytes)
  for (let passed = 0; passed < bytes;) {
    const length = Math.min(fill(chunk, readAt, offset + passed), bytes - passed)
    if (length === 0) return
    yield chunk.subarray(0, length)
    passed += length
  }
}

// A line of JSON whose last member is the checksum of the line, so that damage is detected:
//
//     {"sequence":7,"at":1769774400000,...,"crc":"0d4a1185"}

/**
 * Returns the CRC-32 of the data, continued from the CRC-32 `before` of the preceding data (default
 * 0). A string is encoded as UTF-8. `crc32` of `node:zlib` has this type.
 */
export type Crc32 = (data: Uint8Array | string, before?: number) => number

/** True if a line, given without its line end, ends with the checksum of the bytes before. */
export function isCheckedLine({ pieces, length }: Bytes, crc32: Crc32): boolean {
  let crc = 0
  let bodyLeft = length - checksumTailLength
  let tail: string | null = null
  let matched = 0
  for (const piece of pieces) {
    const body = piece.subarray(0, Math.max(bodyLeft, 0))
    crc = crc32(body, crc)
    bodyLeft -= piece.length
    for (let at = body.length; at < piece.length; at++) {
      tail ??= checksumTail(crc32('}', crc))
      if (piece[at] !== tail.charCodeAt(matched)) return false
      matched++
    }
  }
  return matched === checksumTailLength
}

// The segments of a log in order, with the end of each as the header of the next one records it.
//
// A segment without a complete header holds nothing: a crash interrupted its beginning. The next
// start begins another one, whose header skips it.

export type LinkedSegment = {
  readonly segment: number
  /** Null if the header is damaged. */
  readonly header: LogHeader | null
  /** Null for the last segment, and before a segment of version 1. */
  readonly end: RecordedEnd | null
  readonly isLast: boolean
}

/**
 * Links segments, given in ascending order. `headerOf` returns null for an incomplete header.
 */
export function linkSegments(
  segments: readonly number[],
  headerOf: (segment: number) => LogHeader | null,
): LinkedSegment[] {
  const linked: LinkedSegment[] = []
  let next: LogHeader | null = null
  for (const segment of segments.toReversed()) {
    const header = headerOf(segment)
    const previous: RecordedEnd | null = next?.previous ?? null
    const isSkipped = next === null || (previous !== null && previous.segment < segment)
    if (header === null && isSkipped) continue
    const end = previous?.segment === segment ? previous : null
    linked.push({ segment, header, end, isLast: next === null })
    next = header ?? next
  }
  return linked.reverse()
}

// Reads JSON with a long list of targets piece by piece. The list may be as long as the body of a
// request. Read at once, it would be in memory three times: as bytes, as text and as names.

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
