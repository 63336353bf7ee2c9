/**
 * Reads the lines of a file through a function of the caller. At most two chunks are in memory, for
 * files of any size and lines of any length.
 */

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

export function decode(bytes: Uint8Array): string {
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
