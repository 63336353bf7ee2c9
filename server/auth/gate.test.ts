/** Below the base path nothing is answered to a caller without a valid token. */

import { expect, test } from 'vitest'
import { issue, start, started, temporaryFolder } from '../testing/any-store.ts'

const metrics = '/v1/getMergeQueueMetrics'

//
test('given no valid token, every path and every method below /v1 gets 401', async () => {
  const { client } = await started()
  const paths = ['/v1', '/v1/', '/v1/nowhere', '/v1/getQueue', '/v1/getQueue/', '/v1/%zz', metrics]
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      for (const token of [null, '', 'unknown']) {
        const { status, text, headers } = await client.send(path, { method, token })
        expect([path, method, status]).toEqual([path, method, 401])
        expect(text).toMatch(
          /^a token is needed, in the header x-api-token$|^the token is not known$/,
        )
        expect(headers.get('allow')).toBeNull()
      }
    }
  }
})

//
test('with a valid token of any scope, an unknown path gets 404 and a wrong method gets 405', async () => {
  const data = temporaryFolder()
  const token = await issue(data, 'read')
  const { client, stop } = await start(data)
  const responseTo = async (path: string, method: string): Promise<[number, string | null]> => {
    const { status, headers } = await client.send(path, { method, token })
    return [status, headers.get('allow')]
  }
  expect(await responseTo('/v1', 'POST')).toEqual([404, null])
  expect(await responseTo('/v1/nowhere', 'POST')).toEqual([404, null])
  expect(await responseTo('/v1/getQueue/', 'POST')).toEqual([404, null])
  expect(await responseTo('/v1/createQueue', 'GET')).toEqual([405, 'POST'])
  expect(await responseTo(metrics, 'POST')).toEqual([405, 'GET, HEAD'])
  await stop()
})

test('the metrics path knows a bearer token also before 405, other paths do not', async () => {
  const { client } = await started()
  const headers = { authorization: 'Bearer admin-token-of-a-test' }
  const statusOf = async (path: string, method: string): Promise<number> =>
    (await client.send(path, { method, headers, token: null })).status
  expect(await statusOf(metrics, 'PUT')).toBe(405)
  expect(await statusOf('/v1/getQueue', 'PUT')).toBe(401)
  expect(await statusOf('/v1/nowhere', 'GET')).toBe(401)
})

//
test('the health endpoints and the documentation are public, and so is what does not exist', async () => {
  const { client } = await started()
  const statusOf = async (path: string, method = 'GET'): Promise<number> =>
    (await client.send(path, { method, token: null })).status
  for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs', '/docs/start.js']) {
    expect([path, await statusOf(path)]).toEqual([path, 200])
    expect([path, await statusOf(path, 'POST')]).toEqual([path, 405])
  }
  for (const path of ['/', '/v2/getQueue', '/V1/getQueue', '/v1x', '/nowhere']) {
    expect([path, await statusOf(path)]).toEqual([path, 404])
  }
})
