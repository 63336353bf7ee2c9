/** The built playground as the server sends it, below /play/: for tests and measurements in a browser. */

import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import express from 'express'
import { serveFiles } from '../../../server/page/routes.ts'

export const siteFolder = new URL('../../../site/', import.meta.url)

export type Site = { readonly url: string; readonly stop: () => Promise<void> }

export async function startSite(): Promise<Site> {
  if (!existsSync(new URL('index.html', siteFolder))) {
    throw new Error(`${fileURLToPath(siteFolder)} has no playground: npm run site makes it`)
  }
  const app = express().enable('strict routing')
  const folder = resolve(fileURLToPath(siteFolder))
  serveFiles(app, { pages: { live: folder, play: folder } })
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    url: `http://127.0.0.1:${address.port}/play/`,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
