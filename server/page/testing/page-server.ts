/** A server with a page and one queue, and a visitor who is signed in. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { main } from '../../testing/client.ts'
import { start, temporaryFolder, type TestServer } from '../../testing/test-server.ts'
import type { PageOptions } from '../live-page.ts'
import { PageClient } from './page-client.ts'

export type PageWorld = {
  readonly server: TestServer
  readonly visitor: PageClient
  /** The id of the queue. */
  readonly queue: string
  readonly submit: (...numbers: readonly number[]) => Promise<void>
}

/** The pages in their built form: a test of the server needs no more than names. */
export function builtPages(folder: string): PageOptions['pages'] {
  const pages = { live: join(folder, 'page'), play: join(folder, 'site') }
  for (const path of [pages.live, pages.play]) {
    mkdirSync(join(path, 'assets'), { recursive: true })
    writeFileSync(join(path, 'index.html'), '<!doctype html><title>Mergeyard</title>')
    writeFileSync(join(path, 'assets', 'main.js'), 'export {}')
  }
  return pages
}

export async function pageWorld(
  set: object = { batch: false, concurrency: 2 },
  page: Partial<PageOptions> = {},
): Promise<PageWorld> {
  const folder = temporaryFolder()
  const pages = builtPages(folder)
  const server = await start(join(folder, 'data'), { page: { pages, ...page } })
  onTestFinished(() => server.stop())
  await server.client.ok('createQueue', { ...main, mode: 'single', ...set })
  const visitor = new PageClient(server.url)
  await visitor.signIn('admin-token-of-a-test')
  const [queue] = [...server.manager.registry.queues]
  const submit = async (...numbers: readonly number[]): Promise<void> => {
    for (const number of numbers) await server.client.submit(number)
  }
  return { server, visitor, queue: queue?.ids.start ?? '', submit }
}
