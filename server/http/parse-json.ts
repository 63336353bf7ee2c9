/** Parses JSON from untrusted bytes. */

import { isUtf8 } from 'node:buffer'
import { Tokenizer, TokenParser, TokenType } from '@streamparser/json'
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

// Long JSON is parsed in slices: `JSON.parse` needs more than a second for the largest body, if that consists of
// short strings, and no request may hold the event loop that long.

/** The number of bytes in one slice. */
const sliceBytes = 1 << 16

/** The fault of a body, as a text for the client. */
export class NotParsed extends Error {}

/** Parses; yields at the end of each slice. Throws `NotParsed` with a fault for the client. */
export function* parseLongJson(bytes: Buffer, deepest: number): Generator<undefined, unknown> {
  const reading = new Reading(bytes, deepest)
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    if (at > 0) yield
    reading.read(bytes.subarray(at, at + sliceBytes))
  }
  return reading.end()
}

/** No double has more that count. Converting millions of them would hold the event loop. */
const mostDigits = 400

class Tokens extends Tokenizer {
  protected override parseNumber(text: string): number {
    if (text.length <= mostDigits) return Number(text)
    throw new NotParsed(`the body has a number of more than ${mostDigits} characters`)
  }
}

type Token = Parameters<Tokenizer['onToken']>[0]

class Reading {
  readonly #bytes: Buffer
  readonly #deepest: number
  readonly #tokenizer = new Tokens({
    stringBufferSize: sliceBytes,
    numberBufferSize: sliceBytes,
  })
  readonly #values = new TokenParser({ paths: ['$'], keepStack: false })
  /** Whether each array or object around the next value is an array, the innermost last. */
  readonly #areArrays: boolean[] = []
  /** Commas in arrays: one less than the elements of each. */
  #separators = 0
  #fields = 0
  /** Where the last token begins. */
  #at = 0
  #root: unknown

  constructor(bytes: Buffer, deepest: number) {
    this.#bytes = bytes
    this.#deepest = deepest
    this.#tokenizer.onToken = (token) => this.#take(token)
    this.#values.onValue = ({ value }) => {
      this.#root = value
    }
  }

  read(slice: Buffer): void {
    this.#reading(() => this.#tokenizer.write(slice))
  }

  end(): unknown {
    // A number at the end is known only now.
    if (!this.#tokenizer.isEnded) this.#reading(() => this.#tokenizer.end())
    if (!this.#values.isEnded) throw unexpected(this.#bytes, this.#bytes.length)
    return this.#root
  }

  #take(token: Token): void {
    this.#at = token.offset
    this.#count(token)
    this.#values.write(token)
  }

  /** Counts what a body may have only so much of. */
  #count({ token }: Token): void {
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) {
      this.#areArrays.push(token === TokenType.LEFT_BRACKET)
      if (this.#areArrays.length > this.#deepest) {
        throw new NotParsed(`the body nests deeper than ${this.#deepest} levels`)
      }
    } else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) {
      this.#areArrays.pop()
    } else if (token === TokenType.COLON) {
      this.#fields++
    } else if (token === TokenType.COMMA && this.#areArrays.at(-1) === true) {
      this.#separators++
    }
    if (this.#fields > mostFields) {
      throw new NotParsed(`the body has more than ${mostFields} fields`)
    }
    if (this.#separators >= mostElements) {
      throw new NotParsed(`the body has more than ${mostElements} elements in arrays`)
    }
  }

  /** The parser says where it was in the text of its error, or not at all if it knows only the token. */
  #reading(read: () => void): void {
    try {
      read()
    } catch (error) {
      if (error instanceof NotParsed) throw error
      const at = /absolute position "(\d+)"/.exec(messageOf(error))?.[1]
      throw unexpected(this.#bytes, Number(at ?? this.#at))
    }
  }
}

function unexpected(bytes: Buffer, at: number): NotParsed {
  const found = at < bytes.length ? JSON.stringify(bytes.toString('utf8', at, at + 1)) : 'end'
  return new NotParsed(`the body is not JSON: unexpected ${found} at byte ${at}`)
}
