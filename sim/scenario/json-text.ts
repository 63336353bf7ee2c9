/**
 * Strict JSON, with faults that say where. `JSON.parse` does the parsing; what it leaves unsaid is
 * found here: the line and column of the first fault, and keys that stand twice in one object,
 * of which it would silently take the last.
 */

import { BadInput, shown, type InputFault } from './bad-input.ts'

/** Reads UTF-8 JSON. Throws `BadInput` for a byte order mark, invalid UTF-8 and anything not JSON. */
export function parseJson(text: string | Uint8Array, source: string): unknown {
  const decoded = typeof text === 'string' ? text : decode(text, source)
  const fault = firstFault(decoded)
  if (fault) throw new BadInput(source, [fault])
  return JSON.parse(decoded)
}

function decode(bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new BadInput(source, [{ where: '1:1', expected: 'text in UTF-8', came: 'other bytes' }])
  }
}

type Expectation =
  'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or }' | 'comma or ]' | 'end'

type TokenKind = 'string' | 'scalar' | '{' | '}' | '[' | ']' | ':' | ',' | 'end'

/** What a token leads to: what is expected next, or a change of the brackets that are open. */
type Move = Expectation | 'open {' | 'open [' | 'close' | 'after value' | 'done'

type Row = { readonly expected: string; readonly moves: { readonly [Kind in TokenKind]?: Move } }

const valueMoves = {
  string: 'after value',
  scalar: 'after value',
  '{': 'open {',
  '[': 'open [',
} as const

const grammar: { readonly [State in Expectation]: Row } = {
  value: { expected: 'a value', moves: valueMoves },
  'value or ]': { expected: 'a value or "]"', moves: { ...valueMoves, ']': 'close' } },
  key: { expected: 'a key in double quotes', moves: { string: 'colon' } },
  'key or }': {
    expected: 'a key in double quotes or "}"',
    moves: { string: 'colon', '}': 'close' },
  },
  colon: { expected: '":"', moves: { ':': 'value' } },
  'comma or }': { expected: '"," or "}"', moves: { ',': 'key', '}': 'close' } },
  'comma or ]': { expected: '"," or "]"', moves: { ',': 'value', ']': 'close' } },
  end: { expected: 'nothing more', moves: { end: 'done' } },
}

type Token = { readonly kind: TokenKind | 'other'; readonly text: string; readonly at: number }

const string = /"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\uffff]*)*"/
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/
const pattern = new RegExp(
  `[ \\t\\r\\n]*(?:(${string.source})|(${scalar.source})|([{}[\\],:])|($|[^]))`,
  'y',
)

function* tokensOf(text: string): Generator<Token, never> {
  pattern.lastIndex = 0
  for (;;) {
    const from = pattern.lastIndex
    const [all = '', ofString, ofScalar, mark, other] = pattern.exec(text) ?? []
    const token = ofString ?? ofScalar ?? mark ?? other ?? ''
    const at = from + all.length - token.length
    yield { kind: kindOf(token, { ofString, ofScalar, mark }), text: token, at }
  }
}

type Groups = { readonly [Group in 'ofString' | 'ofScalar' | 'mark']: string | undefined }

function kindOf(token: string, { ofString, ofScalar, mark }: Groups): Token['kind'] {
  if (ofString !== undefined) return 'string'
  if (ofScalar !== undefined) return 'scalar'
  if (mark !== undefined) return marks.find((kind) => kind === mark) ?? 'other'
  return token === '' ? 'end' : 'other'
}

const marks = ['{', '}', '[', ']', ':', ','] as const

/** The keys of an open object so far; null for an open list. */
type Frame = Set<string> | null

function firstFault(text: string): InputFault | null {
  const open: Frame[] = []
  let state: Expectation = 'value'
  for (const token of tokensOf(text)) {
    const { expected, moves } = grammar[state]
    const move = token.kind === 'other' ? undefined : moves[token.kind]
    if (move === undefined) return faultAt(text, token.at, expected)
    if (move === 'done') return null
    if (move === 'colon' && isKnown(open.at(-1), token.text)) {
      return faultAt(text, token.at, 'each key once')
    }
    state = follow(move, open)
  }
  return null
}

/** Remembers a key, and says whether its object had it before. */
function isKnown(keys: Frame | undefined, key: string): boolean {
  const isThere = keys?.has(key) ?? false
  keys?.add(key)
  return isThere
}

/** What is expected after the move; keeps the open brackets. */
function follow(move: Exclude<Move, 'done'>, open: Frame[]): Expectation {
  if (move === 'open {') {
    open.push(new Set())
    return 'key or }'
  }
  if (move === 'open [') {
    open.push(null)
    return 'value or ]'
  }
  if (move === 'close') open.pop()
  return move === 'close' || move === 'after value' ? afterValue(open) : move
}

function afterValue(open: readonly Frame[]): Expectation {
  const innermost = open.at(-1)
  if (innermost === undefined) return 'end'
  return innermost === null ? 'comma or ]' : 'comma or }'
}

function faultAt(text: string, at: number, expected: string): InputFault {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/)
  const column = (lines.at(-1)?.length ?? 0) + 1
  return { where: `${lines.length}:${column}`, expected, came: cameAt(text, at) }
}

function cameAt(text: string, at: number): string {
  if (at >= text.length) return 'the end of the text'
  if (text.charCodeAt(at) === 0xfeff) return 'a byte order mark'
  const [line = ''] = text.slice(at, at + 20).split(/[\r\n]/)
  return shown(line)
}
