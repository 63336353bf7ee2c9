/**
 * Parses long JSON in slices, from bytes in UTF-8, to the value that `JSON.parse` returns.
 *
 * `JSON.parse` needs more than a second for the largest body, if that consists of short strings. No
 * request may hold the event loop that long.
 */

import { mostElements, mostFields } from './limits.ts'
import { longString, NotParsed, shortToken, unexpected } from './json-tokens.ts'

/** The number of bytes in one slice. */
const sliceBytes = 1 << 16

const [quote, comma, colon, space] = [0x22, 0x2c, 0x3a, 0x20]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

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
