/** Sends many malformed and malicious requests to a separate server process. */

import { existsSync, readFileSync } from 'node:fs'
import { Agent, request as openRequest } from 'node:http'
import { connect } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { main } from '../../../server/testing/client.ts'
import { childToken, clientOf, startChild, type ChildServer } from '../testing/program.ts'
import { bomb, hostileBytes, hostileRequest } from '../../../server/testing/hostile-requests.ts'
import type { HostileRequest } from '../../../server/testing/hostile-requests.ts'
import { temporaryFolder } from '../../../server/terminal/testing/temporary-folder.ts'

const requests = 1_200
const concurrentRequests = 16
const bombs = 6
/** The number of concurrent requests of 20 MiB that the server accepts. */
const concurrentBombs = 6
const mebibyte = 1 << 20

type HostileResponse = {
  readonly status: number
  readonly contentType: string
  readonly text: string
}

function send(url: URL, agent: Agent, hostile: HostileRequest): Promise<HostileResponse> {
  const { method, path, headers, body } = hostile
  const { hostname: host, port } = url
  const length = body.length > 0 ? { 'content-length': String(body.length) } : {}
  return new Promise((resolve, reject) => {
    const request = openRequest({
      agent,
      host,
      port,
      method,
      path,
      headers: { 'x-api-token': childToken, ...length, ...headers },
    })
    request.once('error', reject)
    request.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => void chunks.push(chunk))
      response.once('end', () => {
        const contentType = response.headers['content-type'] ?? ''
        const text = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode ?? 0, contentType, text })
      })
    })
    request.end(body)
  })
}

/** Returns what is wrong with a response, or null. */
function faultOf({ method, path }: HostileRequest, response: HostileResponse): string | null {
  const { status, contentType, text } = response
  const description = `${method} ${path.slice(0, 60)}: ${status} ${text.slice(0, 200)}`
  if (status >= 500) return description
  if (status === 200) return contentType === 'text/html' ? description : null
  const isOneLine = method === 'HEAD' || /^[^\r\n]{1,2000}$/.test(text)
  const isPlain = contentType === 'application/plain-text; charset=utf-8'
  return isOneLine && isPlain && !/node_modules|\.js:\d|at \w+ \(/.test(text) ? null : description
}

async function sendAll(
  url: string,
  all: readonly HostileRequest[],
  atOnce = concurrentRequests,
): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const faults: string[] = []
  let next = 0
  const sendNext = async (): Promise<void> => {
    for (let each = all[next++]; each; each = all[next++]) {
      const fault = faultOf(each, await send(new URL(url), agent, each))
      if (fault !== null) faults.push(fault)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendNext))
  agent.destroy()
  return faults
}

/** Sends raw bytes. Resolves to everything that the server sent until it closed the connection. */
function sendBytes(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'))
    socket.on('data', (data) => (text += data.toString()))
    socket.once('error', () => resolve(text))
    socket.once('close', () => resolve(text))
  })
}

/** Returns the resident memory of the process in bytes; 0 if the system does not report it. */
function memoryOf({ process: { pid } }: ChildServer): number {
  const file = `/proc/${pid}/status`
  if (!existsSync(file)) return 0
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(file, 'utf8'))?.[1]) * 1024
}

test('given malformed requests, the server never responds 5xx, does not crash and does not grow', async () => {
  const server = await startChild(temporaryFolder())
  const client = clientOf(server)
  const round = async (seed: number): Promise<number> => {
    const malformed = fc.sample(hostileRequest, { numRuns: requests / 2, seed })
    expect(await sendAll(server.url, malformed)).toEqual([])
    // If the server kept memory of an earlier round, this many would exceed the limit.
    const exploding = fc.sample(bomb, { numRuns: bombs, seed })
    expect(await sendAll(server.url, exploding, concurrentBombs)).toEqual([])
    return memoryOf(server)
  }
  const before = await round(1)
  const after = await round(2)
  expect(after - before).toBeLessThan(64 * mebibyte)

  for (const bytes of hostileBytes) {
    const response = await sendBytes(server.url, bytes)
    expect(response).toMatch(/^HTTP\/1\.1 4\d\d .*\r\n\r\n[^\r\n]+$/s)
    expect(response).toContain('Content-Type: application/plain-text; charset=utf-8')
  }
  const unused = { ...main, targetBranch: 'not/used/by/any/request' }
  await client.ok('createQueue', unused)
  await client.ok('getQueue', unused)
  expect(server.log()).not.toContain('"level":50')
  expect(await server.end()).toBe(0)
})
