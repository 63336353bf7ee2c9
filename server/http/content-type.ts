/** What a body says it is. */

import type { Refusal } from './answer.ts'

/** Null where the header says JSON in UTF-8; else why it is refused. */
export function refusedContentType(header: string | undefined): Refusal | null {
  if (header === 'application/json') return null
  const [type = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim())
  if (type.toLowerCase() !== 'application/json') {
    const came = type === '' ? 'nothing' : shortened(type)
    return { status: 415, text: `the body must be application/json, got ${came}` }
  }
  const charset = parameters
    .map((parameter) => /^charset\s*=\s*"?([^"]*)"?$/i.exec(parameter)?.[1])
    .find((value) => value !== undefined)
  if (charset === undefined || /^utf-?8$/i.test(charset)) return null
  return { status: 415, text: `the body must be in UTF-8, got ${shortened(charset)}` }
}

const shortened = (text: string): string => text.slice(0, 80)
