/** The built files of the live page and the playground, at their addresses. */

import type { Express, NextFunction, Request, Response } from 'express'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type ErrorResponse, sendError } from '../http/answer.ts'
import { serveFolder } from '../http/folder.ts'
import { recordOf } from '../http/request-record.ts'
import type { PageParts } from './page-parts.ts'

/** The shell has no data, so everybody gets it; the addresses below `/q/` are places in it. */
export function serveFiles(app: Express, { pages }: Pick<PageParts, 'pages'>): void {
  for (const path of ['/', '/q/:queue', '/q/:queue/:number', '/q/:queue/run/:run']) {
    serveShell(app, path, livePageIn(pages.live))
  }
  serveAssets(app, '/page/assets', livePageIn(pages.live))
  app.get('/play', (_request, response) => response.redirect(308, '/play/'))
  const playground = { folder: pages.play, headers: playgroundHeaders }
  serveShell(app, '/play/', playground)
  serveAssets(app, '/play/assets', playground)
}

/** A browser that asks for any other path gets the page, which says that there is none. Comes last. */
export function serveOtherPaths(app: Express, { pages }: Pick<PageParts, 'pages'>): void {
  app.use((request: Request, response: Response, next: NextFunction) => {
    const isBrowser = request.headers.accept?.includes('text/html') === true
    if (isBrowser && request.method === 'GET')
      sendShell(response.status(404), livePageIn(pages.live))
    else next()
  })
}

type BuiltPage = {
  readonly folder: string
  readonly headers: Readonly<Record<string, string>>
}

/** The names of assets have a hash of their content. */
function serveAssets(app: Express, path: string, { folder, headers }: BuiltPage): void {
  serveFolder(app, path, { folder: join(folder, 'assets'), headers, isForEver: true })
}

const livePageIn = (folder: string): BuiltPage => ({ folder, headers: livePageHeaders })

function serveShell(app: Express, path: string, page: BuiltPage): void {
  app.get(path, (request: Request, response: Response) => {
    recordOf(request).route = path
    sendShell(response, page)
  })
}

/** It may be built while the server runs. */
function sendShell(response: Response, { folder, headers }: BuiltPage): void {
  if (!existsSync(join(folder, 'index.html'))) return sendError(response, notBuilt)
  response.set({ ...headers, 'Cache-Control': 'no-cache' })
  response.sendFile('index.html', { root: folder, cacheControl: false, acceptRanges: false })
}

const notBuilt: ErrorResponse = {
  status: 404,
  text: 'the page is not built: run npm run build, and load it again',
}

// The headers of the pages: no code that is not ours, and no frame around them.

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
]

const common = {
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
} as const

const livePageHeaders = {
  ...common,
  'Content-Security-Policy': [...policy, "require-trusted-types-for 'script'"].join('; '),
} as const

/** Chromium makes no worker under `require-trusted-types-for`, and the playground has one. */
const playgroundHeaders = {
  ...common,
  'Content-Security-Policy': policy.join('; '),
} as const
