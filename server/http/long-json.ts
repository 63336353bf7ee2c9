/**
 * Parses long JSON in slices, from bytes in UTF-8, to the value that `JSON.parse` returns.
 *
 * `JSON.parse` needs more than a second for the largest body, if that consists of short strings. No
 * request may hold the event loop that long.
 */

import { longString, NotParsed, shortToken, unexpected } from './json-tokens.ts'

/** The number of bytes in one slice. */
const sliceBytes = 1 << 16

/** No operation reads so many fields, and objects with many fields grow slowly. */
const mostFields = 10_000

const [quote, comma, colon, space] = [0x22, 0x2c, 0x3a, 0x20]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

type Container =
  | { readonly is: 'array'; readonly value: unknown[] }
  | { readonly is: 'object'; readonly value: Record<string, unknown>; key: string; fields: number }

/** Parses; yields at the end of each slice. Throws `NotParsed` with a fault for the client. */
export function* parseLongJson(bytes: Buffer, deepest: number): Generator<undefined, unknown> {
  const open: Container[] = []
  let root: unknown
  let at = 0
  let sliceEnd = sliceBytes
  const readKey = function* (object: Extract<Container, { is: 'object' }>) {
    at = afterSpace(bytes, at)
    if (bytes[at] !== quote) throw unexpected(bytes, at)
    const key = yield* longString(bytes, at)
    if (++object.fields > mostFields) {
      throw new NotParsed(`an object in the body has more than ${mostFields} fields`)
    }
    object.key = key.text
    at = afterSpace(bytes, key.end)
    if (bytes[at++] !== colon) throw unexpected(bytes, at - 1)
  }
  const readValue = function* (): Generator<undefined, { value: unknown; opened?: Container }> {
    const byte = bytes[at]
    if (byte === quote) {
      const { text, end } = yield* longString(bytes, at)
      at = end
      return { value: text }
    }
    if (byte !== openBracket && byte !== openBrace) {
      const { value, end } = shortToken(bytes, at)
      at = end
      return { value }
    }
    if (open.length >= deepest) {
      throw new NotParsed(`the body nests deeper than ${deepest} levels`)
    }
    at = afterSpace(bytes, at + 1)
    const opened = containerOf(byte)
    if (bytes[at] === closingOf(opened)) {
      at++
      return { value: opened.value }
    }
    return { value: opened.value, opened }
  }
  for (;;) {
    if (at >= sliceEnd) {
      yield
      sliceEnd = at + sliceBytes
    }
    at = afterSpace(bytes, at)
    const { value, opened } = yield* readValue()
    const parent = open.at(-1)
    if (parent) put(parent, value)
    else root = value
    if (opened) open.push(opened)
    let inner = open.at(-1)
    if (!opened) {
      // Closes every container that ends here, up to a comma or the end.
      for (at = afterSpace(bytes, at); inner && bytes[at] === closingOf(inner); ) {
        open.pop()
        inner = open.at(-1)
        at = afterSpace(bytes, at + 1)
      }
      if (!inner) {
        if (at < bytes.length) throw unexpected(bytes, at)
        return root
      }
      if (bytes[at++] !== comma) throw unexpected(bytes, at - 1)
    }
    if (inner?.is === 'object') yield* readKey(inner)
  }
}

function containerOf(byte: number): Container {
  if (byte === openBracket) return { is: 'array', value: [] }
  return { is: 'object', value: {}, key: '', fields: 0 }
}

function closingOf({ is }: Container): number {
  return is === 'array' ? closeBracket : closeBrace
}

function put(container: Container, value: unknown): void {
  if (container.is === 'array') container.value.push(value)
  else if (container.key !== '__proto__') container.value[container.key] = value
  else {
    // An ordinary assignment to `__proto__` would change the prototype.
    const field = { value, writable: true, enumerable: true, configurable: true }
    Object.defineProperty(container.value, container.key, field)
  }
}

function afterSpace(bytes: Buffer, from: number): number {
  let at = from
  for (;;) {
    const byte = bytes[at]
    if (byte !== space && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at
    at++
  }
}
