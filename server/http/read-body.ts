/**
 * Reads the body of a request, inflating it where it is compressed, and never holds more than it
 * may: what is too large is refused at the byte that makes it so. The rest of a refused body is
 * let go by unread, so that its sender gets to hear why.
 */

import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Refusal } from './answer.ts'
import { largestBodyBytes, type BodyBudget } from './limits.ts'

/**
 * A body that has sent this much, and says how long it will be, gets its whole room at once: put
 * together at its end, it would be in memory twice. Who only says how much is to come gets nothing.
 */
const roomFromBytes = 1 << 20

/** Large pieces: each costs a turn of the event loop. */
const pieces = { chunkSize: 1 << 16 }

const inflaters: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', () => createGunzip(pieces)],
  ['deflate', () => createInflate(pieces)],
  ['br', () => createBrotliDecompress(pieces)],
])

export type Body =
  /** Its length counts against the budget until it is given back. */
  | { readonly is: 'read'; readonly bytes: Buffer }
  | { readonly is: 'refused'; readonly refusal: Refusal }
  /** Whoever sent it has hung up. */
  | { readonly is: 'gone' }

const tooLarge: Refusal = { status: 413, text: `the body is larger than ${largestBodyBytes} bytes` }
const tooMany: Refusal = { status: 503, text: 'too many large requests are under way, try again' }

export function readBody(request: IncomingMessage, budget: BodyBudget): Promise<Body> {
  const named = (request.headers['content-encoding'] ?? '').trim().toLowerCase()
  const encoding = named === '' ? 'identity' : named
  const inflater = inflaters.get(encoding)?.()
  const source = inflater ? request.pipe(inflater) : request
  return new Promise((resolve) => {
    const declared = inflater ? 0 : Number(request.headers['content-length']) || 0
    let chunks: Buffer[] = []
    let room: Buffer | null = null
    let bytes = 0
    // Forgotten once it is told: the request lives on, and its listeners would hold the body by it.
    let tell: typeof resolve | null = resolve
    const settle = (body: Body): void => {
      if (!tell) return
      tell(body)
      tell = null
      if (body.is !== 'read') budget.giveBack(bytes)
      chunks = []
      room = null
      if (inflater) {
        request.unpipe(inflater)
        inflater.destroy()
      }
      // Without a sink it flows into nothing.
      request.resume()
    }
    const refuse = (refusal: Refusal): void => settle({ is: 'refused', refusal })
    source.on('data', (chunk: Buffer) => {
      if (!tell) return
      if (bytes + chunk.length > largestBodyBytes) refuse(tooLarge)
      else if (budget.take(chunk.length)) {
        bytes += chunk.length
        if (room) chunk.copy(room, bytes - chunk.length)
        else chunks.push(chunk)
        if (room || bytes < roomFromBytes || bytes > declared) return
        room = Buffer.allocUnsafe(declared)
        Buffer.concat(chunks).copy(room)
        chunks = []
      } else refuse(tooMany)
    })
    source.on('end', () => {
      const isKnown = inflater !== undefined || encoding === 'identity'
      if (isKnown) settle({ is: 'read', bytes: room?.subarray(0, bytes) ?? joined(chunks) })
      else refuse(unknownEncoding(encoding))
    })
    if (declared > largestBodyBytes) refuse(tooLarge)
    inflater?.on('error', (error) => refuse(notInflatable(encoding, error)))
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

function unknownEncoding(encoding: string): Refusal {
  const text = `the body may be compressed with ${[...inflaters.keys()].join(', ')}, not ${encoding}`
  return { status: 415, text }
}

function notInflatable(encoding: string, { message }: Error): Refusal {
  return { status: 400, text: `the body is not ${encoding}: ${message}` }
}
