/**
 * A seeded walk over the live page of a real server: it presses whatever can be pressed, while pull requests come,
 * pass, fail and conflict. At every step no number contradicts another one on the same page, who has left the queue
 * stays out of it, the console is silent, and every button has ended in a change or a sentence. A failure names the seed and the steps.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isBrowserMissing, TestBrowser } from '../../../sim/report/testing/browser.ts'
import { Client, main } from '../../../server/testing/client.ts'
import { Contract } from '../../../server/testing/contract.ts'
import { temporaryFolder } from '../../../server/testing/test-server.ts'
import { childToken, startChild } from '../../cli/start/testing/child-server.ts'
import { signedIn } from '../testing/signed-in.ts'
import { Walk } from '../testing/walk.ts'

/** Of each walk: a minute in all. Bounded by steps: a slow machine takes longer and checks the same. */
const steps = 200

describe.skipIf(isBrowserMissing)('a walk over the page', () => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await TestBrowser.launch()
  })
  afterAll(() => browser.close())

  const walks = [
    { seed: 3, width: 1280, settings: { batch: true, batchingMinSize: 3, concurrency: 2 } },
    { seed: 8, width: 390, settings: { batch: false, concurrency: 3, mode: 'parallel' } },
    { seed: 21, width: 800, settings: { batch: true, batchingMinSize: 4, policy: 'adaptive' } },
  ] as const

  test.each(walks)('seed $seed at $width pixels', async ({ seed, width, settings }) => {
    const server = await startChild(temporaryFolder())
    const client = new Client(server.url, childToken, new Contract())
    await client.ok('createQueue', { ...main, ...settings, batchingMaxWaitTimeMinutes: 0 })
    const page = await signedIn(browser, server.url, childToken, { width, height: 844 })
    // With two, the list of queues is a page as well.
    await client.ok('createQueue', { ...main, targetBranch: 'release' })
    const walk = new Walk(page, client, seed)
    for (let step = 0; step < steps; step++) expect(await walk.step()).toEqual([])
    // It was no walk on one spot.
    expect(new Set(walk.pressed).size).toBeGreaterThan(12)
    server.process.kill('SIGTERM')
    await server.ended
  })
})
