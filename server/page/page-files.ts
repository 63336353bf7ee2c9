/** The built files of the live page and the playground, at their addresses. */

import type { Express, Request, Response } from 'express'
import { sendError, type ErrorResponse } from '../http/answer.ts'
import { recordOf } from '../http/request-record.ts'
import { BuiltFiles, type BuiltFile } from './built-files.ts'
import { livePageHeaders, playgroundHeaders } from './page-headers.ts'
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
  for (const path of ['/', '/q/:queue', '/q/:queue/:number']) serve(path, live, shell)
  serve('/page/assets/:file', live, asset)
  app.get('/play', (_request, response) => response.redirect(308, '/play/'))
  serve('/play/', play, shell)
  serve('/play/assets/:file', play, asset)
}

type Found = {
  readonly name: string
  readonly file: BuiltFile | null
  readonly headers: Readonly<Record<string, string>>
}

function sendFile(response: Response, { name, file, headers }: Found): void {
  if (!file) return sendError(response, name === 'index.html' ? notBuilt : noFile)
  // The names of assets have a hash of their content.
  const isForEver = name.startsWith('assets/')
  response.writeHead(200, {
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
