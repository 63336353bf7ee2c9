/** Tests of the two pages in Chromium. */

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { OpenedPage, TestBrowser } from '../../../sim/report/testing/browser.ts'
import { describeInBrowser as describeReader } from '../../../sim/report/testing/in-browser.ts'
import { settled } from '../play/testing/opened.ts'
import { storm } from './scenes.ts'
import { startSite } from './site.ts'
import { StagedServer, type Scene } from './staged-server.ts'

export type Visit = (...asked: Parameters<TestBrowser['visit']>) => Promise<OpenedPage>

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
export const queuePath = '/q/acme-shop-main'

export type Stage = {
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
    let site: Awaited<ReturnType<typeof startSite>>
    beforeAll(async () => {
      site = await startSite()
    })
    afterAll(() => site.stop())
    tell(async (fragment, as) => {
      const opened = await visit(`${site.url}${fragment}`, as)
      await settled(opened.page)
      return opened
    })
  })
}
