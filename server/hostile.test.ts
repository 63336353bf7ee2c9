/** Ten thousand requests that no honest client would send, against a server of its own. */

import { existsSync, readFileSync } from 'node:fs'
import { Agent, request as openRequest } from 'node:http'
import { connect } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Client, main } from './testing/client.ts'
import { childToken, startChild, type ChildServer } from './testing/child-server.ts'
import { Contract } from './testing/contract.ts'
import {
  bomb,
  hostileBytes,
  hostileRequest,
  type HostileRequest,
} from './testing/hostile-requests.ts'
import { temporaryFolder } from './testing/running.ts'

const requests = 10_000
const usuallyAtOnce = 16
const bombs = 18
/** As many as the server takes at once: six of 20 MiB. */
const bombsAtOnce = 6
const mebibyte = 1 << 20

type Answered = { readonly status: number; readonly contentType: string; readonly text: string }

function send(url: URL, agent: Agent, hostile: HostileRequest): Promise<Answered> {
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

/** Why an answer is not as it should be; null where it is. */
function faultOf({ method, path }: HostileRequest, answered: Answered): string | null {
  const { status, contentType, text } = answered
  const told = `${method} ${path.slice(0, 60)}: ${status} ${text.slice(0, 200)}`
  if (status >= 500) return told
  if (status === 200) return contentType === 'text/html' ? told : null
  const isOneLine = method === 'HEAD' || /^[^\r\n]{1,2000}$/.test(text)
  const isPlain = contentType === 'application/plain-text; charset=utf-8'
  return isOneLine && isPlain && !/node_modules|\.js:\d|at \w+ \(/.test(text) ? null : told
}

async function sendAll(
  url: string,
  all: readonly HostileRequest[],
  atOnce = usuallyAtOnce,
): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const faults: string[] = []
  let next = 0
  const sendInTurn = async (): Promise<void> => {
    for (let each = all[next++]; each; each = all[next++]) {
      const fault = faultOf(each, await send(new URL(url), agent, each))
      if (fault !== null) faults.push(fault)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendInTurn))
  agent.destroy()
  return faults
}

/** Sends bytes as they are; answers what came back until the server hung up. */
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

/** What the process has in memory; 0 where the system does not tell. */
function memoryOf({ process: { pid } }: ChildServer): number {
  const file = `/proc/${pid}/status`
  if (!existsSync(file)) return 0
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(file, 'utf8'))?.[1]) * 1024
}

test('malformed requests: no 5xx, no crash, memory flat', { timeout: 120_000 }, async () => {
  const server = await startChild(temporaryFolder())
  const client = new Client(server.url, childToken, new Contract())
  const round = async (seed: number): Promise<number> => {
    const malformed = fc.sample(hostileRequest, { numRuns: requests / 2, seed })
    expect(await sendAll(server.url, malformed)).toEqual([])
    // Were anything held back of a round before, so many would be too many.
    const exploding = fc.sample(bomb, { numRuns: bombs, seed })
    expect(await sendAll(server.url, exploding, bombsAtOnce)).toEqual([])
    return memoryOf(server)
  }
  const before = await round(1)
  const after = await round(2)
  expect(after - before).toBeLessThan(64 * mebibyte)

  for (const bytes of hostileBytes) {
    const answered = await sendBytes(server.url, bytes)
    expect(answered).toMatch(/^HTTP\/1\.1 4\d\d .*\r\n\r\n[^\r\n]+$/s)
    expect(answered).toContain('Content-Type: application/plain-text; charset=utf-8')
  }
  const unheardOf = { ...main, targetBranch: 'nobody/has/heard/of' }
  await client.ok('createQueue', unheardOf)
  await client.ok('getQueue', unheardOf)
  expect(server.log()).not.toContain('"level":50')
  server.process.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})
