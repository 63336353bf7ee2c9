/** Checks the header `Content-Type`. */

import type { ErrorResponse } from './answer.ts'

/** Returns null for JSON in UTF-8, else an error response with status 415. */
export function contentTypeError(header: string | undefined): ErrorResponse | null {
  if (header === 'application/json') return null
  const [type = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim())
  if (type.toLowerCase() !== 'application/json') {
    const actual = type === '' ? 'nothing' : shortened(type)
    return { status: 415, text: `the body must be application/json, got ${actual}` }
  }
  const charset = parameters
    .map((parameter) => /^charset\s*=\s*"?([^"]*)"?$/i.exec(parameter)?.[1])
    .find((value) => value !== undefined)
  if (charset === undefined || /^utf-?8$/i.test(charset)) return null
  return { status: 415, text: `the body must be in UTF-8, got ${shortened(charset)}` }
}

const shortened = (text: string): string => text.slice(0, 80)
