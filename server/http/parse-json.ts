/** Parses JSON from untrusted bytes. */

import { isUtf8 } from 'node:buffer'
import { deepestNesting, mostElements, mostFields } from './limits.ts'
import { inSlices } from '../files/turns.ts'
import { messageOf } from '../terminal/text.ts'

export type Parsed =
  | { readonly isJson: true; readonly value: unknown }
  | { readonly isJson: false; readonly fault: string }

/** Longer bodies are parsed in slices. */
const longBytes = 1 << 16

const quote = 0x22
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
const byteOrderMark = Buffer.from('\uFEFF')

/** Parses a body; in several turns of the event loop if it is long. */
export function parseJson(bytes: Buffer): Parsed | Promise<Parsed> {
  if (!isUtf8(bytes)) return { isJson: false, fault: 'the body is not UTF-8' }
  const isMarked = bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark)
  const json = isMarked ? bytes.subarray(byteOrderMark.length) : bytes
  return json.length > longBytes ? parseLong(json) : parseShort(json)
}

async function parseLong(bytes: Buffer): Promise<Parsed> {
  try {
    return { isJson: true, value: await inSlices(parseLongJson(bytes, deepestNesting)) }
  } catch (error) {
    if (error instanceof NotParsed) return { isJson: false, fault: error.message }
    throw error
  }
}

function parseShort(bytes: Buffer): Parsed {
  if (isNestedDeeper(bytes, deepestNesting)) {
    return { isJson: false, fault: `the body nests deeper than ${deepestNesting} levels` }
  }
  try {
    return { isJson: true, value: JSON.parse(bytes.toString('utf8')) }
  } catch (error) {
    const message = messageOf(error)
    return { isJson: false, fault: `the body is not JSON: ${message.slice(0, 200)}` }
  }
}

/** True if brackets outside of strings nest deeper than `levels`. Works without recursion. */
function isNestedDeeper(bytes: Uint8Array, levels: number): boolean {
  if (bytes.length <= levels) return false
  let depth = 0
  let isInString = false
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (isInString) {
      if (byte === backslash) index++
      else if (byte === quote) isInString = false
    } else if (byte === quote) isInString = true
    else if (byte === openBrace || byte === openBracket) {
      depth++
      if (depth > levels) return true
    } else if (byte === closeBrace || byte === closeBracket) depth--
  }
  return false
}

// The tokens of JSON, read from bytes in UTF-8.

/** Longer strings are decoded in pieces of about this many bytes. */
const pieceBytes = 1 << 16

const [firstPrintable, firstOfMany] = [0x20, 0x80]
const letterU = 0x75
const escapeDigits = 4
const delimiters: ReadonlySet<number | undefined> = new Set(Buffer.from(' \n\r\t,]}'))

/** The fault of a body, as a text for the client. */
export class NotParsed extends Error {}

function unexpected(bytes: Buffer, at: number): NotParsed {
  const found = at < bytes.length ? JSON.stringify(bytes.toString('utf8', at, at + 1)) : 'end'
  return new NotParsed(`the body is not JSON: unexpected ${found} at byte ${at}`)
}

/** A number, true, false or null. */
function shortToken(
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
function* longString(
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

// Parses long JSON in slices, from bytes in UTF-8, to the value that `JSON.parse` returns.
//
// `JSON.parse` needs more than a second for the largest body, if that consists of short strings. No
// request may hold the event loop that long.

/** The number of bytes in one slice. */
const sliceBytes = 1 << 16

const [comma, colon, space] = [0x2c, 0x3a, 0x20]

type Container = { isEmpty: boolean } & (
  | { readonly is: 'array'; readonly value: unknown[] }
  | {
      readonly is: 'object'
      readonly value: Record<string, unknown>
      key: string
    }
)

/** Parses; yields at the end of each slice. Throws `NotParsed` with a fault for the client. */
export function parseLongJson(bytes: Buffer, deepest: number): Generator<undefined, unknown> {
  return new LongJson(bytes, deepest).parsed()
}

class LongJson {
  readonly #bytes: Buffer
  readonly #deepest: number
  /** The containers around the next value, the innermost last. */
  readonly #open: Container[] = []
  #at = 0
  #elements = 0
  #fields = 0

  constructor(bytes: Buffer, deepest: number) {
    this.#bytes = bytes
    this.#deepest = deepest
  }

  *parsed(): Generator<undefined, unknown> {
    const root = yield* this.#value()
    let sliceEnd = sliceBytes
    while (this.#goesOn()) {
      if (this.#at >= sliceEnd) {
        yield
        sliceEnd = this.#at + sliceBytes
      }
      const inner = this.#open.at(-1)
      if (inner?.is === 'object') yield* this.#key(inner)
      const depth = this.#open.length
      const value = yield* this.#value()
      const parent = this.#open[depth - 1]
      if (parent) this.#put(parent, value)
    }
    return root
  }

  /** Reads a value; of an array or object with content only its opening. */
  *#value(): Generator<undefined, unknown> {
    this.#skipSpace()
    const byte = this.#bytes[this.#at]
    if (byte === openBracket || byte === openBrace) return this.#container(byte)
    if (byte === quote) return yield* this.#string()
    const { value, end } = shortToken(this.#bytes, this.#at)
    this.#at = end
    return value
  }

  *#string(): Generator<undefined, string> {
    if (this.#bytes[this.#at] !== quote) throw unexpected(this.#bytes, this.#at)
    const { text, end } = yield* longString(this.#bytes, this.#at)
    this.#at = end
    return text
  }

  #container(byte: number): unknown {
    if (this.#open.length >= this.#deepest) {
      throw new NotParsed(`the body nests deeper than ${this.#deepest} levels`)
    }
    const container = containerOf(byte)
    this.#open.push(container)
    this.#at++
    this.#skipSpace()
    return container.value
  }

  *#key(object: Extract<Container, { is: 'object' }>): Generator<undefined, void> {
    this.#skipSpace()
    object.key = yield* this.#string()
    if (++this.#fields > mostFields) {
      throw new NotParsed(`the body has more than ${mostFields} fields`)
    }
    this.#skipSpace()
    this.#expect(colon)
  }

  #put(parent: Container, value: unknown): void {
    if (parent.is === 'object') define(parent.value, parent.key, value)
    else if (++this.#elements <= mostElements) parent.value.push(value)
  }

  /** True if another value follows. Closes the containers that end here. */
  #goesOn(): boolean {
    for (;;) {
      this.#skipSpace()
      const inner = this.#open.at(-1)
      if (!inner) {
        if (this.#at < this.#bytes.length) throw unexpected(this.#bytes, this.#at)
        return false
      }
      if (this.#bytes[this.#at] !== closingOf(inner)) return this.#goesOnIn(inner)
      this.#at++
      this.#open.pop()
    }
  }

  /** The first value follows the opening, each other one a comma. */
  #goesOnIn(inner: Container): true {
    if (inner.isEmpty) inner.isEmpty = false
    else this.#expect(comma)
    return true
  }

  #expect(byte: number): void {
    if (this.#bytes[this.#at] !== byte) throw unexpected(this.#bytes, this.#at)
    this.#at++
  }

  #skipSpace(): void {
    for (; ; this.#at++) {
      const byte = this.#bytes[this.#at]
      if (byte !== space && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return
    }
  }
}

function containerOf(byte: number): Container {
  if (byte === openBracket) return { is: 'array', value: [], isEmpty: true }
  return { is: 'object', value: {}, isEmpty: true, key: '' }
}

function closingOf({ is }: Container): number {
  return is === 'array' ? closeBracket : closeBrace
}

function define(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    // An ordinary assignment would change the prototype.
    const field = { value, writable: true, enumerable: true, configurable: true }
    Object.defineProperty(object, key, field)
  } else object[key] = value
}
