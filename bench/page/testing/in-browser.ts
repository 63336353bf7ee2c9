/** Tests of the two pages in Chromium. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import express from 'express'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { serveFiles } from '../../../server/page/routes.ts'
import type { OpenedPage, TestBrowser } from '../../../sim/report/testing/browser.ts'
import { describeInBrowser as describeReader } from '../../../sim/report/testing/in-browser.ts'
import { settled } from '../play/testing/opened.ts'
import { storm } from './scenes.ts'
import { type Scene, type Served, StagedServer, served } from './staged-server.ts'

/** The built playground as the server sends it, below /play/: for tests and measurements in a browser. */
export const siteFolder = new URL('../../../site/', import.meta.url)

function startSite(): Promise<Served> {
  const folder = fileURLToPath(siteFolder)
  if (!existsSync(join(folder, 'index.html'))) {
    throw new Error(`${folder} has no playground: npm run site makes it`)
  }
  const app = express().enable('strict routing')
  serveFiles(app, { pages: { live: folder, play: folder } })
  return served(app)
}

type Visit = (...asked: Parameters<TestBrowser['visit']>) => Promise<OpenedPage>

/** `visit` opens an address for a reader of its own, until the test ends. */
export function describeInBrowser(name: string, tell: (visit: Visit) => void): void {
  describeReader(name, (reader) =>
    tell(async (url, as) => {
      const opened = await reader.visit(url, as)
      onTestFinished(() => opened.page.context().close())
      return opened
    }),
  )
}

/** The page of the queue in each scene. */
export const queuePath = '/q/0c9a5a2e-5b1f'

type Stage = {
  readonly visit: Visit
  readonly server: () => StagedServer
  /** Shows a scene, and opens the page of its queue, or a page below that. */
  readonly open: (scene: Partial<Scene>, below?: string) => Promise<Page>
}

/** Tests of the live page with a server that shows scenes. */
export function describeStaged(name: string, tell: (stage: Stage) => void): void {
  describeInBrowser(name, (visit) => {
    let server: StagedServer
    beforeAll(async () => {
      server = await StagedServer.start(storm())
    })
    afterAll(() => server.stop())
    const open = async (scene: Partial<Scene>, below = ''): Promise<Page> => {
      server.show(scene)
      return (await visit(`${server.url}${queuePath}${below}`)).page
    }
    tell({ visit, server: () => server, open })
  })
}

/** Tests of the playground. `open` opens it with a fragment, and waits until everything is there. */
export function describePlayground(
  name: string,
  tell: (open: (fragment: string, as?: Parameters<Visit>[1]) => Promise<OpenedPage>) => void,
): void {
  describeInBrowser(name, (visit) => {
    let site: Served
    beforeAll(async () => {
      site = await startSite()
    })
    afterAll(() => site.stop())
    tell(async (fragment, as) => {
      const opened = await visit(`${site.url}/play/${fragment}`, as)
      await settled(opened.page)
      return opened
    })
  })
}

// A person who signs in to a real server, by the page itself.

/** Opens the only queue. */
export async function signedIn(
  visit: Visit,
  url: string,
  token: string,
  viewport = { width: 1400, height: 900 },
): Promise<Page> {
  const { page } = await visit(url, { viewport })
  await page.getByLabel('Token').fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('.answer').waitFor()
  // A table under the pointer holds still.
  await page.mouse.move(0, 0)
  return page
}
