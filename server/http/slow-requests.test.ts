/** A client that sends slowly is cut off, and takes nothing from others. */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { main } from '../testing/client.ts'
import { start, type TestServer } from '../testing/test-server.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { requestTimeouts, type RequestTimeouts } from './limits.ts'

/** Sends a part of a request. Settles with everything received when the server has closed it. */
function sendPart({ url }: TestServer, part: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(Number(port), hostname, () => socket.write(part))
    socket.on('data', (data) => (received += data.toString()))
    socket.on('error', reject)
    socket.on('close', () => resolve(received))
  })
}

async function running(timeouts: Partial<RequestTimeouts>): Promise<TestServer> {
  const server = await start(temporaryFolder(), {
    timeouts: { ...requestTimeouts, ...timeouts, checkMs: 10 },
  })
  onTestFinished(() => server.stop())
  return server
}

const head = [
  'POST /v1/getQueue HTTP/1.1',
  'Host: localhost',
  'x-api-token: admin-token-of-a-test',
  'Content-Type: application/json',
  'Content-Length: 1000000',
]

const withoutBody = `${head.join('\r\n')}\r\n\r\n{"repo":`

const cutOff = /^HTTP\/1\.1 408 Request Timeout\r\n[^]*\r\n\r\nRequest Timeout$/

//
test('a body that does not come is answered with 408', async () => {
  const server = await running({ headersMs: 100, requestMs: 100 })
  expect(await sendPart(server, withoutBody)).toMatch(cutOff)
})

//
test('while a body does not come, other requests are served', async () => {
  const server = await running({})
  const { hostname, port } = new URL(server.url)
  const slow = connect(Number(port), hostname)
  onTestFinished(() => void slow.destroy())
  await once(slow, 'connect')
  slow.write(withoutBody)
  await server.client.ok('createQueue', main)
  expect(slow.closed).toBe(false)
})

//
test('headers that do not come are answered with 408', async () => {
  const server = await running({ headersMs: 50, requestMs: 600_000 })
  expect(await sendPart(server, head.slice(0, 2).join('\r\n'))).toMatch(cutOff)
})

//
test.each([
  ['send nothing', ''],
  [
    'have their answer, and send no body',
    'POST /v1/getQueue HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{',
  ],
])('of 40 connections of an address that %s, 32 stay open', async (_, sent) => {
  const server = await start(temporaryFolder())
  onTestFinished(() => server.stop())
  const { hostname, port } = new URL(server.url)
  const silent: { readonly socket: Socket; readonly closing: Promise<unknown> }[] = []
  for (let number = 1; number <= 40; number++) {
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    await once(socket.resume(), 'connect')
    socket.write(sent)
    silent.push({ socket, closing: once(socket, 'close') })
  }
  const [oldest, newest] = [silent.slice(0, 8), silent.slice(8)]
  await Promise.all(oldest.map(({ closing }) => closing))
  await server.client.ok('createQueue', main)
  expect(newest.filter(({ socket }) => socket.closed)).toEqual([])
  expect(server.log.filter((line) => line.includes('that sent no whole request'))).toHaveLength(1)
})

//
test('a connection stays open for its next request for longer than proxies keep theirs', async () => {
  const { client } = await running({ headersMs: 50, requestMs: 600_000 })
  const { headers } = await client.call('createQueue', main)
  expect(headers.get('keep-alive')).toBe('timeout=65')
})

//
test('40 connections that are open before the first of them sends its request are all answered', async () => {
  const server = await running({ silentMs: 600_000 })
  const { hostname, port } = new URL(server.url)
  const sockets = Array.from({ length: 40 }, () => connect(Number(port), hostname))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  // Connections are accepted in their order, so the server has all of them by now.
  await server.client.ok('createQueue', main)
  const answers: string[] = []
  for (const socket of sockets) {
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    answers.push(await text(socket))
  }
  expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 200 OK'))).toHaveLength(40)
})

//
test('200 connections that come together with a request each are all answered', async () => {
  const server = await start(temporaryFolder())
  onTestFinished(() => server.stop())
  const request = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
  const answers = await Promise.all(Array.from({ length: 200 }, () => sendPart(server, request)))
  expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 200 OK'))).toHaveLength(200)
})

test('a server that cannot listen says where, and what to do', async () => {
  const { url } = await running({})
  const port = Number(new URL(url).port)
  await expect(start(temporaryFolder(), { port })).rejects.toThrow(
    `cannot listen on port ${port} of 127.0.0.1: another program listens there: stop it, or name another --port`,
  )
  await expect(start(temporaryFolder(), { host: '192.0.2.1' })).rejects.toThrow(
    'this machine does not have the address: name another --host',
  )
})
