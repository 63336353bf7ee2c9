/** Actions of the page are operations of the API. */

import { expect, test } from 'vitest'
import { issue } from '../testing/test-server.ts'
import { PageClient } from './testing/page-client.ts'
import { pageWorld } from './testing/page-server.ts'

test('each action changes the queue as the API does, and the log says who did it', async () => {
  const { server, visitor, queue, submit } = await pageWorld()
  await submit(1)
  const act = async (body: object): Promise<number> =>
    (await visitor.post('/page/act', { queue, ...body })).status
  expect(await act({ action: 'submit', number: 7, noBatch: true })).toBe(200)
  expect(await act({ action: 'priority', number: 7, priority: 'high' })).toBe(200)
  expect(await act({ action: 'restart', number: 1 })).toBe(200)
  expect(await act({ action: 'cancel', number: 1 })).toBe(200)
  expect(await act({ action: 'settings', settings: { concurrency: 9 } })).toBe(200)
  expect(await act({ action: 'pause' })).toBe(200)
  const [known] = [...server.manager.registry.queues]
  expect(known?.engine.queue).toMatchObject({
    state: 'PAUSED',
    configuration: { concurrency: 9 },
    pullRequests: { 1: { state: 'CANCELLED' }, 7: { priority: 10, noBatch: true } },
  })
  expect(await act({ action: 'drain' })).toBe(200)
  expect(await act({ action: 'resume' })).toBe(200)
  expect(known?.engine.queue.state).toBe('RUNNING')
  const { body } = await visitor.get(`/page/pull-request?queue=${queue}&number=7`)
  expect(body).toMatchObject({
    timeline: [
      { text: 'Submitted by --token; waits to be tested.' },
      { text: 'Its tests start.' },
      { text: '#1 ahead has left; waits to be tested.' },
      { text: 'Its tests start.' },
    ],
  })
})

test('what the API refuses is refused in its words', async () => {
  const { visitor, queue } = await pageWorld()
  const act = async (body: object) => visitor.post('/page/act', { queue, ...body })
  expect(await act({ action: 'cancel', number: 5 })).toMatchObject({ status: 404 })
  expect(await act({ action: 'submit', number: -1 })).toMatchObject({ status: 400 })
  expect(await act({ action: 'settings', settings: { concurrency: 0 } })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('/concurrency') },
  })
  expect(await act({ action: 'dance' })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('action must be one of submit') },
  })
  expect((await visitor.post('/page/act', [])).status).toBe(400)
  expect((await visitor.post('/page/act', { queue: 'x', action: 'pause' })).status).toBe(404)
})

test('a token that may only read, may only read', async () => {
  const { server, queue } = await pageWorld()
  const reader = new PageClient(server.url)
  const token = await issue(server.data, 'read')
  await expect.poll(() => reader.signIn(token)).toBe(204)
  expect(await reader.post('/page/act', { queue, action: 'submit', number: 1 })).toMatchObject({
    status: 403,
    body: { error: expect.stringContaining('a token of scope read may not do this') },
  })
})

//
test('a branch is submitted where the server works on the repository, and refused elsewhere', async () => {
  const { visitor, queue } = await pageWorld()
  const act = { queue, action: 'submit', branch: 'pay-twice' }
  expect(await visitor.post('/page/act', act)).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('repository') },
  })
})

//
test('a run is shown with what it tested, and says why it has no output here', async () => {
  const { server, visitor, queue, submit } = await pageWorld(
    { batch: false, concurrency: 2 },
    { publicPage: true },
  )
  await submit(1, 2)
  expect(await visitor.get(`/page/run?queue=${queue}&run=2`)).toMatchObject({
    status: 200,
    body: {
      run: { outcome: null, tested: [2], base: [1] },
      log: '',
      noLog: 'there is no log of run 2 here: another system tested it, or it is old',
    },
  })
  expect((await visitor.get(`/page/run?queue=${queue}&run=3`)).status).toBe(404)
  expect((await new PageClient(server.url).get(`/page/run?queue=${queue}&run=2`)).status).toBe(401)
})

//
test('the list of queues says who is in each, who is next, and who failed last', async () => {
  const { server, visitor, submit } = await pageWorld({ batch: false, concurrency: 1 })
  const glance = async () => (await visitor.get('/page/queues')).body
  expect(await glance()).toMatchObject({
    queues: [{ inLine: 0, waits: 0, next: null, lastFailure: null }],
  })
  await submit(1, 2, 3)
  await server.client.report('failed')
  expect(await glance()).toMatchObject({
    queues: [{ inLine: 1, waits: 1, next: { number: 2 }, lastFailure: { number: 1 } }],
  })
})

//
test('while only a bisection is tested, the list of queues says which of its members is next', async () => {
  const batches = { batch: true, batchingMinSize: 2, batchingMaxWaitTimeMinutes: 0, concurrency: 1 }
  const { server, visitor, submit } = await pageWorld(batches)
  await submit(1, 2, 3)
  await server.client.report('passed')
  await server.client.report('failed')
  expect((await visitor.get('/page/queues')).body).toMatchObject({
    queues: [{ inLine: 2, waits: 0, next: { number: 2 } }],
  })
})
