/** An orderly stop: the server finishes requests in progress and waits for nothing else. */

import { request as openRequest, type ClientRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { Client, main, Contract } from '../../../server/testing/client.ts'
import { executable } from '../../benchmarks/served.ts'
import { startProgram } from '../testing/program.ts'
import { childToken, startChild } from './testing/child-server.ts'
import { start, temporaryFolder } from '../../../server/testing/test-server.ts'

const body = JSON.stringify({ ...main, pr: { number: 7 } })

/** Sends the first half of a submission. `status` resolves after the rest is sent. */
async function startSubmission(
  url: string,
): Promise<{ request: ClientRequest; status: Promise<number> }> {
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
  // The server has accepted the request when it sends 100 Continue.
  await new Promise((resolve) => request.once('continue', resolve).flushHeaders())
  request.write(body.slice(0, 20))
  return { request, status }
}

test('given two stop signals, the server finishes and stores the request in progress and exits with 0', async () => {
  const data = temporaryFolder()
  const server = await startChild(data)
  await new Client(server.url, childToken, new Contract()).ok('createQueue', main)
  const { request, status } = await startSubmission(server.url)

  // `timeout`, `npm` and service managers also send two signals: to the process and to its group.
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

test('closes connections without a request, and ends one in progress', matrix, async () => {
  const server = await start(temporaryFolder(), { token: childToken })
  await new Client(server.url, childToken, new Contract()).ok('createQueue', main)
  const { hostname, port } = new URL(server.url)
  const opened = await new Promise<Socket>((resolve) => {
    const socket = connect(Number(port), hostname, () => resolve(socket.resume()))
  })
  const closed = new Promise((resolve) => opened.once('close', resolve))
  const { request, status } = await startSubmission(server.url)

  const stopped = server.stop()
  // If the server waited for this connection, the timeout would also end the request.
  await closed
  request.end(body.slice(20))

  expect(await status).toBe(200)
  await stopped
})

//
test('SIGHUP, which comes when a terminal closes, stops the server in order', async () => {
  const server = await startChild(temporaryFolder())
  expect(await server.end('SIGHUP')).toBe(0)
  expect(server.log()).toContain('"signal":"SIGHUP"')
  expect(server.log()).toContain('"stopped"')
})

//
test('a killed npm hands no signal on, but the server stops in order', matrix, async () => {
  // The part of npm is taken by a process that starts the server and waits for it.
  const args = [executable, 'start', '--port', '0', '--data', temporaryFolder()]
  const npm = `require('node:child_process').spawn(process.execPath, ${JSON.stringify(args)}, { stdio: 'inherit' })`
  const env = { ...process.env, npm_lifecycle_event: 'start', MERGEYARD_TOKEN: childToken }
  const parent = startProgram([process.execPath, '-e', npm], { env })
  await parent.prints(/listens on/)
  await parent.end('SIGKILL')
  expect(parent.log()).toContain('"signal":"npm is gone"')
  expect(parent.log()).toContain('"stopped"')
})
