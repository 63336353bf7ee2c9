/**
 * The built playground behind a file server with the policy of the real one, below /play/: for tests and
 * measurements in a browser.
 */

import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The real server's for the playground, which needs no trusted types. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

export const siteFolder = new URL('../../../site/', import.meta.url)

export type Site = { readonly url: string; readonly stop: () => Promise<void> }

export async function startSite(): Promise<Site> {
  if (!existsSync(new URL('index.html', siteFolder))) {
    throw new Error(`${fileURLToPath(siteFolder)} has no playground: npm run site makes it`)
  }
  const server = createServer(({ url = '/' }, response) => {
    const path = new URL(url, 'http://site').pathname.replace(/^\/play\//, '') || 'index.html'
    const file = new URL(path, siteFolder)
    const type = types[extname(path)]
    if (type === undefined || !existsSync(file)) {
      response.writeHead(404).end()
      return
    }
    const headers = { 'content-type': type, 'content-security-policy': policy }
    response.writeHead(200, headers).end(readFileSync(file))
  })
  server.listen(0, '127.0.0.1')
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
