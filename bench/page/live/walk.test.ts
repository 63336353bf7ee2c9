/**
 * A seeded walk over the live page of a real server: it presses whatever can be pressed, while pull requests come,
 * pass, fail and conflict. At every step no number contradicts another one on the same page, who has left the queue
 * stays out of it, the console is silent, and every button has ended in a change or a sentence. A failure names the seed and the steps.
 */

import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { pageAddress } from '../../../server/identity/ids.ts'
import { nameOfQueue } from '../../../server/identity/queue-ref.ts'
import { main } from '../../../server/testing/client.ts'
import { admin, start } from '../../../server/testing/test-server.ts'
import { temporaryFolder } from '../../../server/terminal/testing/temporary-folder.ts'
import { describeInBrowser, signedIn } from '../testing/in-browser.ts'
import { Walk } from '../testing/walk.ts'

/** Of each walk. Bounded by steps: a slow machine takes longer and checks the same. */
const steps = 150

describeInBrowser('a walk over the page', (visit) => {
  const walks = [
    { seed: 3, width: 1280, settings: { batch: true, batchingMinSize: 3, concurrency: 2 } },
    { seed: 8, width: 390, settings: { batch: false, concurrency: 3, mode: 'parallel' } },
    { seed: 21, width: 800, settings: { batch: true, batchingMinSize: 4, policy: 'adaptive' } },
  ] as const

  /** Returns what the walk has done, step by step. */
  async function walked({ seed, width, settings }: (typeof walks)[number], most = steps) {
    const pages = { live: resolve('dist/page'), play: resolve('dist/site') }
    const server = await start(temporaryFolder(), { page: { pages } })
    const { client, manager } = server
    const changes = new Map<string, number>()
    manager.subscribe(({ queue: ref, sequence, events }) => {
      const queue = ref && manager.registry.find(nameOfQueue(ref))
      if (queue && events.length > 0) changes.set(pageAddress('', queue.ids), sequence)
    })
    const changedAt = (path: string): number =>
      changes.get(path.split('/').slice(0, 3).join('/')) ?? 0
    await client.ok('createQueue', { ...main, ...settings, batchingMaxWaitTimeMinutes: 0 })
    const page = await signedIn(visit, server.url, admin, { width, height: 844 })
    // With two, the list of queues is a page as well.
    await client.ok('createQueue', { ...main, targetBranch: 'release' })
    const walk = new Walk(page, { client, changedAt }, seed)
    for (let step = 0; step < most; step++) expect(await walk.step()).toEqual([])
    await server.stop()
    return walk
  }

  /** With fewer different buttons it is a walk on one spot. */
  const fewestPressed = 13

  test.each(walks.slice(0, 1))('seed $seed at $width pixels', async (each) => {
    const { pressed } = await walked(each)
    expect(new Set(pressed).size).toBeGreaterThanOrEqual(fewestPressed)
  })

  test.each(walks.slice(1))('seed $seed at $width pixels', matrix, async (each) => {
    const { pressed } = await walked(each)
    expect(new Set(pressed).size).toBeGreaterThanOrEqual(fewestPressed)
  })

  test('the same seed walks the same way', async () => {
    const [first, second] = [await walked(walks[0], 20), await walked(walks[0], 20)]
    expect(second.pressed).toEqual(first.pressed)
  })
})
