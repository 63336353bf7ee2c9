/**
 * Reads and inflates the body of a request within the limits: a body that is too large fails at the
 * first byte above the limit. The rest of a failed body is discarded, so that the client can finish
 * sending and receives the response.
 */

import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { ErrorResponse } from './answer.ts'
import { largestBodyBytes, type Budget } from './limits.ts'

/**
 * After this many bytes, a body with a declared length gets a buffer of that length. Otherwise the
 * body would be in memory twice when its chunks are joined at the end. A declared length alone
 * reserves no memory, because a client could declare much and send nothing.
 */
const bufferFromBytes = 1 << 20

/** Large chunks, because each one costs a turn of the event loop. */
const chunkOptions = { chunkSize: 1 << 16 }

const inflaters: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', () => createGunzip(chunkOptions)],
  ['deflate', () => createInflate(chunkOptions)],
  ['br', () => createBrotliDecompress(chunkOptions)],
])

export type Body =
  /** The caller must give its length back to the budget. */
  | { readonly is: 'read'; readonly bytes: Buffer }
  | { readonly is: 'failed'; readonly error: ErrorResponse }
  /** The client has closed the connection. */
  | { readonly is: 'gone' }

const tooMany: ErrorResponse = {
  status: 503,
  text: 'too many large requests are in progress, try again',
}

/** Settles when the body is read, has failed, or the client is gone. Never rejects. */
export function readBody(
  request: IncomingMessage,
  budget: Budget,
  largestBytes: number = largestBodyBytes,
): Promise<Body> {
  const tooLarge: ErrorResponse = {
    status: 413,
    text: `the body is larger than ${largestBytes} bytes`,
  }
  const named = (request.headers['content-encoding'] ?? '').trim().toLowerCase()
  const encoding = named === '' ? 'identity' : named
  const inflater = inflaters.get(encoding)?.()
  const source = inflater ? request.pipe(inflater) : request
  return new Promise((resolve) => {
    const declared = inflater ? 0 : Number(request.headers['content-length']) || 0
    let chunks: Buffer[] = []
    let buffer: Buffer | null = null
    let bytes = 0
    // Cleared after the call, because the listeners outlive it and would keep the body in memory.
    let resolveOnce: typeof resolve | null = resolve
    const settle = (body: Body): void => {
      if (!resolveOnce) return
      resolveOnce(body)
      resolveOnce = null
      if (body.is !== 'read') budget.giveBack(bytes)
      chunks = []
      buffer = null
      if (inflater) {
        request.unpipe(inflater)
        inflater.destroy()
      }
      // Without a listener the remaining data is discarded.
      request.resume()
    }
    const fail = (error: ErrorResponse): void => settle({ is: 'failed', error })
    source.on('data', (chunk: Buffer) => {
      if (!resolveOnce) return
      if (bytes + chunk.length > largestBytes) fail(tooLarge)
      else if (budget.take(chunk.length)) {
        bytes += chunk.length
        if (buffer) chunk.copy(buffer, bytes - chunk.length)
        else chunks.push(chunk)
        if (buffer || bytes < bufferFromBytes || bytes > declared) return
        buffer = Buffer.allocUnsafe(declared)
        Buffer.concat(chunks).copy(buffer)
        chunks = []
      } else fail(tooMany)
    })
    source.on('end', () => {
      const isKnown = inflater !== undefined || encoding === 'identity'
      if (isKnown) settle({ is: 'read', bytes: buffer?.subarray(0, bytes) ?? joined(chunks) })
      else fail(unknownEncoding(encoding))
    })
    if (declared > largestBytes) fail(tooLarge)
    inflater?.on('error', (error) => fail(notInflatable(encoding, error)))
    request.on('error', () => settle({ is: 'gone' }))
    request.on('close', () => {
      if (!request.complete) settle({ is: 'gone' })
    })
  })
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks
  return only && chunks.length === 1 ? only : Buffer.concat(chunks)
}

function unknownEncoding(encoding: string): ErrorResponse {
  const text = `the body may be compressed with ${[...inflaters.keys()].join(', ')}, not ${encoding}`
  return { status: 415, text }
}

function notInflatable(encoding: string, { message }: Error): ErrorResponse {
  return { status: 400, text: `the body is not ${encoding}: ${message}` }
}

// Checks the header `Content-Type`.

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
