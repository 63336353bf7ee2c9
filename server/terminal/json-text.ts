/**
 * Strict JSON, with the place of each fault. `JSON.parse` gives the value. A second parser finds the
 * line and column of the first fault, and duplicate keys, of which `JSON.parse` silently takes the
 * last.
 */

import { printParseErrorCode, visit, type JSONVisitor } from 'jsonc-parser'
import { BadInput, shown } from './bad-input.ts'

/** The parser is recursive: more levels could exhaust the stack. */
export const deepestNesting = 1000

/**
 * Reads UTF-8 JSON. A byte order mark at its start, which some editors write, is skipped. Throws
 * `BadInput` for invalid UTF-8 and anything not JSON.
 */
export function parseJson(text: string | Uint8Array, source: string): unknown {
  const decoded = typeof text === 'string' ? text.replace(/^\ufeff/, '') : utf8Of(text, source)
  const finder = new FaultFinder(decoded, source)
  visit(decoded, finder.visitor, { disallowComments: true })
  finder.throwFault()
  return JSON.parse(decoded)
}

/** Returns the text without its byte order mark. Throws `BadInput` for invalid UTF-8. */
export function utf8Of(bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new BadInput(source, [{ where: '1:1', expected: 'text in UTF-8', actual: 'other bytes' }])
  }
}

/** What the text lacks, by the parser's error codes. */
const expectations: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'a key in double quotes',
  ValueExpected: 'a value',
  ColonExpected: '":"',
  CommaExpected: 'a comma or the closing bracket',
  CloseBraceExpected: '"}"',
  CloseBracketExpected: '"]"',
  EndOfFileExpected: 'nothing more',
  InvalidCommentToken: 'no comment',
  UnexpectedEndOfString: 'a string that ends on its line',
  InvalidEscapeCharacter: 'a string with valid escapes',
  InvalidUnicode: 'a string with valid escapes',
  InvalidCharacter: 'a string without control characters',
}
/** The next error of the parser says what it expected in place of this symbol. */
const unknownSymbol = 'InvalidSymbol'

type Fault = {
  readonly where: string
  /** The index in the text. */
  readonly at: number
  expected: string | null
}

/** A place as the parser reports it. Line and column count from 0. */
type Place = readonly [at: number, length: number, line: number, column: number, ...unknown[]]

class FaultFinder {
  readonly #text: string
  readonly #source: string
  /** The first fault in the text. */
  #fault: Fault | null = null
  /** The keys so far of each open object; null for an open array. */
  readonly #open: (Set<string> | null)[] = []

  readonly visitor: JSONVisitor = {
    onObjectBegin: (...place) => this.#begin(new Set(), place),
    onArrayBegin: (...place) => this.#begin(null, place),
    onObjectEnd: () => void this.#open.pop(),
    onArrayEnd: () => void this.#open.pop(),
    onObjectProperty: (key, ...place) => {
      const keys = this.#open.at(-1)
      if (keys?.has(key) === true) this.#note('each key once', place)
      keys?.add(key)
    },
    onLiteralValue: (value, ...place) => {
      if (value === Infinity || value === -Infinity) this.#note('a number below 1e308', place)
    },
    onError: (code, ...place) => {
      const name = printParseErrorCode(code)
      this.#note(name === unknownSymbol ? null : (expectations[name] ?? 'JSON'), place)
    },
  }

  constructor(text: string, source: string) {
    this.#text = text
    this.#source = source
  }

  throwFault(): void {
    if (!this.#fault) return
    const { where, at, expected } = this.#fault
    const otherwise = at === 0 ? 'a value' : 'JSON'
    const actual = actualAt(this.#text, at)
    throw new BadInput(this.#source, [{ where, expected: expected ?? otherwise, actual }])
  }

  #begin(keys: Set<string> | null, place: Place): void {
    this.#open.push(keys)
    if (this.#open.length <= deepestNesting) return
    this.#note(`at most ${deepestNesting} levels of brackets`, place)
    this.throwFault()
  }

  #note(expected: string | null, [at, _length, line, column]: Place): void {
    this.#fault ??= { where: `${line + 1}:${column + 1}`, at, expected }
    this.#fault.expected ??= expected
  }
}

function actualAt(text: string, at: number): string {
  if (at >= text.length) return 'the end of the text'
  if (text.charCodeAt(at) === 0xfeff) return 'a byte order mark'
  const [line = ''] = text.slice(at, at + 20).split(/[\r\n]/)
  return shown(line)
}
