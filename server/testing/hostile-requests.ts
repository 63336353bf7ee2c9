/** Malformed and malicious requests, generated from valid ones. */

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { definitions, exampleOf } from './client.ts'

export type HostileRequest = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const operation = fc.constantFrom(
  ...definitions.map((each) => ({ path: each.path, example: exampleOf(each) })),
)

const inherited = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf']

/** Values of unexpected types and ranges. */
const strange = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(...inherited, '', '\0', '\ud800', '"', "'; drop table", '$where', '../..', 'ALL'),
  fc.constantFrom(-1, 0, 1.5, 1e308, 2 ** 53, -0, 4_294_967_296, 1e-7),
  fc.constantFrom<unknown>(null, true, [], {}, [[]], [null], { length: 1 }),
  fc.string({ unit: 'binary', maxLength: 50 }),
)

/** The example with the value of one field, at any depth, replaced. */
const wrongTypes = fc
  .record({
    from: operation,
    value: strange,
    at: fc.nat(20),
    key: fc.constantFrom(...inherited, ''),
  })
  .map(({ from, value, at, key }) => {
    let index = 0
    const text = JSON.stringify(from.example, (_key, original: unknown) => {
      index++
      if (index - 1 !== at) return original
      return key === '' || typeof original !== 'object' ? value : { ...original, [key]: value }
    })
    return { path: from.path, body: Buffer.from(text) }
  })

const truncated = fc
  .record({ from: operation, share: fc.double({ min: 0, max: 1, noNaN: true }) })
  .map(({ from, share }) => {
    const text = JSON.stringify(from.example)
    return { path: from.path, body: Buffer.from(text.slice(0, Math.floor(text.length * share))) }
  })

const flipped = fc
  .record({ from: operation, at: fc.nat(400), byte: fc.nat(255) })
  .map(({ from, at, byte }) => {
    const body = Buffer.from(JSON.stringify(from.example))
    body[at % body.length] = byte
    return { path: from.path, body }
  })

/** Raw text in place of a pull request number, also text that is not valid JSON. */
const huge = fc
  .record({
    from: operation,
    text: fc.oneof(
      fc.constantFrom('1e400', '-1e400', 'NaN', 'Infinity', '0x10', '01', '1e', '- 1', '.5', '1_0'),
      fc.nat(3_000).map((digits) => '9'.repeat(digits + 1)),
      fc.nat(3_000).map((digits) => `"${'9'.repeat(digits + 1)}"`),
      fc.nat(20_000).map((length) => `"${'\\u0000'.repeat(length)}"`),
    ),
  })
  .map(({ from, text }) => {
    const body = JSON.stringify(from.example).replace(/:\d+|:"[^"]*"/, () => `:${text}`)
    return { path: from.path, body: Buffer.from(body) }
  })

const deep = fc
  .record({
    from: operation,
    levels: fc.nat(20_000),
    open: fc.constantFrom('[', '{"a":', '[{"repo":'),
  })
  .map(({ from, levels, open }) => ({ path: from.path, body: Buffer.from(open.repeat(levels)) }))

const garbage = fc
  .record({ from: operation, bytes: fc.uint8Array({ maxLength: 300 }) })
  .map(({ from, bytes }) => ({ path: from.path, body: Buffer.from(bytes) }))

const jsonHeaders = { 'content-type': 'application/json' }

const malformedBody = fc
  .oneof(wrongTypes, wrongTypes, truncated, flipped, huge, deep, garbage)
  .map((request) => ({ ...request, method: 'POST', headers: jsonHeaders }))

/** Small bodies that inflate to 64 MiB, and to one byte above the limit. */
const gigantic = gzipSync(Buffer.alloc(64 << 20))
const justTooLarge = gzipSync(Buffer.alloc((20 << 20) + 1, '['))

const wrongEncoding = fc
  .record({
    from: operation,
    encoding: fc.constantFrom(
      'gzip',
      'deflate',
      'br',
      'zstd',
      'identity',
      'gzip, gzip',
      'x'.repeat(99),
    ),
    type: fc.constantFrom(
      'application/json',
      'application/json; charset=utf-16',
      'application/json; charset="',
      'text/plain',
      'multipart/form-data; boundary=x',
      ';;;',
      'a'.repeat(5_000),
    ),
    change: fc.constantFrom('none', 'gzip', 'deflate', 'br', 'torn', 'twice', 'utf16'),
  })
  .map(({ from, encoding, type, change }) => {
    const text = JSON.stringify(from.example)
    const bodies: Record<string, () => Buffer> = {
      none: () => Buffer.from(text),
      gzip: () => gzipSync(text),
      deflate: () => deflateSync(text),
      br: () => brotliCompressSync(text),
      torn: () => gzipSync(text).subarray(0, 25),
      twice: () => gzipSync(gzipSync(text)),
      utf16: () => Buffer.from(text, 'utf16le'),
    }
    return {
      method: 'POST',
      path: from.path,
      headers: { 'content-type': type, 'content-encoding': encoding },
      body: bodies[change]?.() ?? Buffer.alloc(0),
    }
  })

export const bomb: fc.Arbitrary<HostileRequest> = fc
  .record({ from: operation, body: fc.constantFrom(gigantic, justTooLarge) })
  .map(({ from, body }) => ({
    method: 'POST',
    path: from.path,
    headers: { ...jsonHeaders, 'content-encoding': 'gzip' },
    body,
  }))

const pathTrick = fc
  .record({
    from: operation,
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'),
    trick: fc.constantFrom<(path: string) => string>(
      (path) => `${path}/../getQueue`,
      (path) => path.replace('/v1', '/v1/%2e%2e/v1'),
      (path) => `${path}%00`,
      (path) => `${path}?${'a=b&'.repeat(500)}`,
      (path) => `/${path}`,
      (path) => path.toUpperCase(),
      (path) => `${path}/`,
      (path) => `${path}/${'x/'.repeat(2_000)}`,
      (path) => `${path};x=y`,
      () => '/v1/__proto__',
      () => '/v1/constructor',
      () => '/docs/../../../etc/passwd',
      () => '/docs/%2e%2e%2fpackage.json',
      () => '/%',
      () => '/%c0%ae%c0%ae/',
      () => '*',
      () => '/v1/getMergeQueueMetrics?repo=__proto__/__proto__&repoHost=__proto__',
      () => '/v1/getMergeQueueMetrics?repo=%&repoHost=%00',
    ),
  })
  .map(({ from, method, trick }) => {
    const hasBody = method === 'POST' || method === 'PUT'
    const body = Buffer.from(hasBody ? JSON.stringify(from.example) : '')
    return { method, path: trick(from.path), headers: hasBody ? jsonHeaders : {}, body }
  })

const wrongToken = fc
  .record({
    from: operation,
    token: fc.constantFrom(
      '',
      ' ',
      'x',
      '__proto__',
      'Bearer x',
      'a'.repeat(8_000),
      '\u00ff\u00fe',
    ),
  })
  .map(({ from, token }) => ({
    method: 'POST',
    path: from.path,
    headers: { ...jsonHeaders, 'x-api-token': token },
    body: Buffer.from(JSON.stringify(from.example)),
  }))

export const hostileRequest: fc.Arbitrary<HostileRequest> = fc.oneof(
  { weight: 700, arbitrary: malformedBody },
  { weight: 150, arbitrary: wrongEncoding },
  { weight: 100, arbitrary: pathTrick },
  { weight: 50, arbitrary: wrongToken },
)

/** Bytes that are not valid HTTP, or that Node handles before the app. */
export const hostileBytes: readonly string[] = [
  'GET\r\n\r\n',
  'GARBAGE\0\0\0\r\n\r\n',
  'POST /v1/getQueue HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n',
  'POST /v1/getQueue HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
  'POST /v1/getQueue HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'POST /v1/getQueue HTTP/9.9\r\nHost: x\r\n\r\n',
  `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`,
  'GET / HTTP/1.1\r\nHost: x\r\nBad Header\r\n\r\n',
  'GET http://[::1/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET /healthz HTTP/1.1\r\n\r\n',
  'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: coffee\r\n\r\n',
  'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n',
  '\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003',
]
