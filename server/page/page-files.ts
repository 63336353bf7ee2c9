/** The built files of the live page and the playground, at their addresses. */

import type { Express, NextFunction, Request, Response } from 'express'
import { readFileSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { type ErrorResponse, sendError } from '../http/answer.ts'
import { recordOf } from '../http/request-record.ts'
import type { PageParts } from './page-parts.ts'

/** The shell has no data, so everybody gets it; the addresses below `/q/` are places in it. */
export function serveFiles(app: Express, { pages }: Pick<PageParts, 'pages'>): void {
  const live = new BuiltFiles(pages.live)
  const play = new BuiltFiles(pages.play)
  const serve = (path: string, files: BuiltFiles, nameOf: (request: Request) => string): void => {
    const headers = files === live ? livePageHeaders : playgroundHeaders
    app.get(path, (request: Request, response: Response) => {
      recordOf(request).route = path
      const name = nameOf(request)
      sendFile(response, { name, file: files.file(name), headers })
    })
  }
  const shell = (): string => 'index.html'
  const asset = ({ params }: Request): string => `assets/${String(params['file'])}`
  for (const path of ['/', '/q/:queue', '/q/:queue/:number', '/q/:queue/run/:run']) {
    serve(path, live, shell)
  }
  serve('/page/assets/:file', live, asset)
  app.get('/play', (_request, response) => response.redirect(308, '/play/'))
  serve('/play/', play, shell)
  serve('/play/assets/:file', play, asset)
}

/** A browser that asks for any other path gets the page, which says that there is none. Comes last. */
export function serveOtherPaths(app: Express, { pages }: Pick<PageParts, 'pages'>): void {
  const live = new BuiltFiles(pages.live)
  app.use((request: Request, response: Response, next: NextFunction) => {
    const isBrowser = request.headers.accept?.includes('text/html') === true
    const file = isBrowser && request.method === 'GET' ? live.file('index.html') : null
    if (file)
      sendFile(response, { name: 'index.html', file, headers: livePageHeaders, status: 404 })
    else next()
  })
}

type Found = {
  readonly status?: number
  readonly name: string
  readonly file: BuiltFile | null
  readonly headers: Readonly<Record<string, string>>
}

function sendFile(response: Response, { name, file, headers, status = 200 }: Found): void {
  if (!file) return sendError(response, name === 'index.html' ? notBuilt : noFile)
  // The names of assets have a hash of their content.
  const isForEver = name.startsWith('assets/')
  response.writeHead(status, {
    ...headers,
    'Content-Type': file.type,
    'Content-Length': file.content.length,
    'Cache-Control': isForEver ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
  response.end(file.content)
}

const notBuilt: ErrorResponse = {
  status: 404,
  text: 'the page is not built: run npm run build, and load it again',
}
const noFile: ErrorResponse = { status: 404, text: 'there is no such file' }

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

type BuiltFile = { readonly type: string; readonly content: Buffer }

/** The built files of a page, read at the first request for each. Nothing else of the folder is served. */
class BuiltFiles {
  readonly #folder: string
  readonly #files = new Map<string, BuiltFile>()
  #names: ReadonlySet<string> | null = null

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The file of that name; null if there is none. A name from outside is only compared. */
  file(name: string): BuiltFile | null {
    const known = this.#files.get(name)
    if (known) return known
    this.#names ??= namesIn(this.#folder)
    if (!this.#names.has(name)) {
      // It may be built while the server runs.
      if (this.#names.size === 0) this.#names = null
      return null
    }
    const type = types[extname(name)] ?? 'application/octet-stream'
    const file = { type, content: readFileSync(join(this.#folder, name)) }
    this.#files.set(name, file)
    return file
  }
}

function namesIn(folder: string): ReadonlySet<string> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile())
    return new Set(
      files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)),
    )
  } catch {
    return new Set()
  }
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
