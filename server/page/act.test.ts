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
      { text: 'One ahead was cancelled; waits to be tested.' },
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
