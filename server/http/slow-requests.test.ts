/** A client that sends slowly is cut off, and takes nothing from others. */

import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { main } from '../testing/client.ts'
import { start, temporaryFolder, type TestServer } from '../testing/test-server.ts'

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

async function running(timeouts: { headersMs: number; requestMs: number }): Promise<TestServer> {
  const server = await start(temporaryFolder(), { timeouts: { ...timeouts, checkMs: 10 } })
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

const cutOff = /^HTTP\/1\.1 408 Request Timeout\r\n[^]*\r\n\r\nRequest Timeout$/

//
test('a body that does not come is answered with 408, and other requests are served', async () => {
  const server = await running({ headersMs: 100, requestMs: 100 })
  const received = await sendPart(server, `${head.join('\r\n')}\r\n\r\n{"repo":`)
  expect(received).toMatch(cutOff)
  await server.client.ok('createQueue', main)
})

//
test('headers that do not come are answered with 408', async () => {
  const server = await running({ headersMs: 50, requestMs: 600_000 })
  expect(await sendPart(server, head.slice(0, 2).join('\r\n'))).toMatch(cutOff)
})
