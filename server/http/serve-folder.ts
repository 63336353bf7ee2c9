/** Serves the files of a folder, which everybody may read. */

import express from 'express'
import type { Express, NextFunction, Request, Response } from 'express'
import { recordOf } from './request-record.ts'

type Headers = Readonly<Record<string, string>>

/** `isForEver`: a file of that name never changes. A file that is not there is left to the routes that come later. */
export function serveFolder(
  app: Express,
  path: string,
  { folder, headers, isForEver }: { folder: string; headers: Headers; isForEver: boolean },
): void {
  const note = (request: Request, response: Response, next: NextFunction): void => {
    recordOf(request).route = path
    response.set(headers)
    next()
  }
  const caching = isForEver ? { immutable: true, maxAge: '1y' } : {}
  const options = { ...caching, acceptRanges: false, index: false, redirect: false }
  app.use(path, note, express.static(folder, options))
}
