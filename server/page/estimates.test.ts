/** The estimate on the page: made while somebody watches, from what the queue has shown. */

import { expect, onTestFinished, test } from 'vitest'
import { main } from '../testing/client.ts'
import { join } from 'node:path'
import { start, temporaryFolder, type TestServer } from '../testing/test-server.ts'
import type { Estimate } from './frame.ts'
import { PageClient, type PageStream } from './testing/page-client.ts'
import { builtPages, pageWorld } from './testing/page-server.ts'

const name = 'github.com/acme/shop:main'

/** So many pull requests merge, one after the other. */
function merge({ manager }: Pick<TestServer, 'manager'>, count: number): void {
  for (let number = 1001; number <= 1000 + count; number++) {
    manager.send(name, { type: 'submitPullRequest', number })
    const { testRuns } = manager.registry.find(name)?.engine.queue ?? {}
    for (const id of Object.keys(testRuns ?? {})) {
      manager.send(name, { type: 'finishTestRun', testRun: Number(id), outcome: 'passed' })
    }
  }
}

/** The first estimate of a pull request that a stream brings. */
async function estimateFrom(stream: PageStream, number: number): Promise<Estimate> {
  for (;;) {
    const { rows } = await stream.frame()
    const estimate = rows.find((row) => row.number === number)?.estimate
    if (estimate) return estimate
  }
}

test('given thirty runs, whoever watches is told when one lands', async () => {
  const { server, visitor, queue, submit } = await pageWorld()
  merge(server, 30)
  await submit(1)
  const estimate = await estimateFrom(await visitor.stream(queue), 1)
  if (estimate.kind !== 'range') throw new Error(estimate.why)
  const { from, median, to, lands } = estimate
  expect([from, median, to]).toEqual([from, median, to].toSorted())
  expect(lands).toBeGreaterThanOrEqual(0.8)
})

test('given few runs, whoever watches is told why nobody can know', async () => {
  const { server, visitor, queue, submit } = await pageWorld()
  merge(server, 5)
  await submit(1)
  const estimate = await estimateFrom(await visitor.stream(queue), 1)
  expect(estimate).toMatchObject({ kind: 'unknown', why: expect.stringContaining('20 test runs') })
})

test('given a restart, the history of the queue is enough for a forecast', async () => {
  const folder = temporaryFolder()
  const page = { pages: builtPages(folder) }
  const first = await start(join(folder, 'data'), { page })
  await first.client.ok('createQueue', { ...main, mode: 'single', batch: false })
  merge(first, 30)
  await first.stop()
  const second = await start(join(folder, 'data'), { page })
  onTestFinished(() => second.stop())
  second.manager.send(name, { type: 'submitPullRequest', number: 1 })
  const [found] = [...second.manager.registry.queues]
  const visitor = new PageClient(second.url)
  await visitor.signIn('admin-token-of-a-test')
  const estimate = await estimateFrom(await visitor.stream(found?.ids.start ?? ''), 1)
  expect(estimate).toMatchObject({ kind: 'range' })
})
