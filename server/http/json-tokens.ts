/** The tokens of JSON, read from bytes in UTF-8. */

/** Longer strings are decoded in pieces of about this many bytes. */
const pieceBytes = 1 << 16

const [quote, backslash, firstPrintable, firstOfMany] = [0x22, 0x5c, 0x20, 0x80]
const letterU = 0x75
const escapeDigits = 4
const delimiters: ReadonlySet<number | undefined> = new Set(Buffer.from(' \n\r\t,]}'))

/** The fault of a body, as a text for the client. */
export class NotParsed extends Error {}

export function unexpected(bytes: Buffer, at: number): NotParsed {
  const found = at < bytes.length ? JSON.stringify(bytes.toString('utf8', at, at + 1)) : 'end'
  return new NotParsed(`the body is not JSON: unexpected ${found} at byte ${at}`)
}

/** A number, true, false or null. */
export function shortToken(
  bytes: Buffer,
  from: number,
): { readonly value: unknown; readonly end: number } {
  const longest = 400
  let end = from
  while (end < bytes.length && !delimiters.has(bytes[end])) end++
  const text = bytes.toString('latin1', from, Math.min(end, from + longest))
  if (end - from > longest) throw unexpected(bytes, from)
  try {
    return { value: JSON.parse(text), end }
  } catch {
    throw unexpected(bytes, from)
  }
}

/** The string whose opening quote is at `from`. Yields after each piece. */
export function* longString(
  bytes: Buffer,
  from: number,
): Generator<undefined, { readonly text: string; readonly end: number }> {
  let text = ''
  let pieceStart = from + 1
  let hasEscapes = false
  let bits = 0
  for (let at = pieceStart; ; at++) {
    const byte = bytes[at]
    if (byte === undefined || byte < firstPrintable) throw unexpected(bytes, at)
    const isEnd = byte === quote
    // Between two characters: UTF-8 continues a character with bytes from 0x80 to 0xbf.
    if (isEnd || (at - pieceStart >= pieceBytes && (byte & 0xc0) !== firstOfMany)) {
      text += decoded(bytes, { start: pieceStart, end: at, hasEscapes, bits })
      if (isEnd) return { text, end: at + 1 }
      yield
      ;[pieceStart, hasEscapes, bits] = [at, false, 0]
    }
    bits |= byte
    if (byte !== backslash) continue
    hasEscapes = true
    // A piece must not end within an escape.
    at += bytes[at + 1] === letterU ? escapeDigits + 1 : 1
  }
}

type Piece = {
  readonly start: number
  readonly end: number
  readonly hasEscapes: boolean
  /** All bits that occur in its bytes. */
  readonly bits: number
}

function decoded(bytes: Buffer, { start, end, hasEscapes, bits }: Piece): string {
  const text = bytes.toString(bits < firstOfMany ? 'latin1' : 'utf8', start, end)
  if (!hasEscapes) return text
  try {
    const unescaped: string = JSON.parse(`"${text}"`)
    return unescaped
  } catch {
    throw unexpected(bytes, start)
  }
}
