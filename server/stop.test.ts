/** An orderly end: what is under way is finished, and nothing else is waited for. */

import { request as openRequest, type ClientRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { Client, main } from './testing/client.ts'
import { childToken, startChild } from './testing/child-server.ts'
import { Contract } from './testing/contract.ts'
import { start, temporaryFolder } from './testing/running.ts'

const body = JSON.stringify({ ...main, pr: { number: 7 } })

/** A submission of which the first half has arrived; finishing it settles with the status. */
async function begun(url: string): Promise<{ request: ClientRequest; status: Promise<number> }> {
  const headers = {
    'x-api-token': childToken,
    'content-type': 'application/json',
    'content-length': String(body.length),
    expect: '100-continue',
  }
  const request = openRequest(`${url}/v1/submitPullRequest`, { method: 'POST', headers })
  const status = new Promise<number>((resolve, reject) => {
    request.once('response', (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
    request.once('error', reject)
  })
  // The server has taken it on when it says so.
  await new Promise((resolve) => request.once('continue', resolve).flushHeaders())
  request.write(body.slice(0, 20))
  return { request, status }
}

test('asked twice to stop, it finishes the request under way, keeps it, and exits 0', async () => {
  const data = temporaryFolder()
  const server = await startChild(data)
  await new Client(server.url, childToken, new Contract()).ok('createQueue', main)
  const { request, status } = await begun(server.url)

  // As `timeout`, `npm` and service managers do it: to the process, and to its group.
  server.process.kill('SIGTERM')
  await expect.poll(server.log).toContain('"stopping"')
  server.process.kill('SIGTERM')
  request.end(body.slice(20))

  expect(await status).toBe(200)
  expect(await server.ended).toBe(0)
  expect(server.log().match(/"stopping"/g)).toHaveLength(1)
  const again = await start(data)
  await again.client.ok('getSubmittedPullRequest', { ...main, pr: { number: 7 } })
  await again.stop()
})

test('a connection over which nothing ever came is not waited for, a request under way is', async () => {
  const server = await start(temporaryFolder(), { token: childToken })
  await new Client(server.url, childToken, new Contract()).ok('createQueue', main)
  const { hostname, port } = new URL(server.url)
  const opened = await new Promise<Socket>((resolve) => {
    const socket = connect(Number(port), hostname, () => resolve(socket.resume()))
  })
  const closed = new Promise((resolve) => opened.once('close', resolve))
  const { request, status } = await begun(server.url)

  const stopped = server.stop()
  // Had it been waited for, the request would have been cut off along with it.
  await closed
  request.end(body.slice(20))

  expect(await status).toBe(200)
  await stopped
})
