/** Parses JSON from untrusted bytes. */

import { isUtf8 } from 'node:buffer'
import { NotParsed } from './json-tokens.ts'
import { deepestNesting } from './limits.ts'
import { parseLongJson } from './long-json.ts'
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
