/**
 * Serves the OpenAPI document, and a page that shows it with Swagger UI. The build copies its files, because
 * its npm package brings an install script to everybody who depends on it. The page loads nothing from other hosts; its content security policy forbids that.
 */

import { readFileSync } from 'node:fs'
import type { Express } from 'express'
import { route, type Handler } from './route.ts'
import { send } from './answer.ts'
import { once } from './once.ts'
import { openApiText } from '../contract/openapi.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Mergeyard API</title>
    <link rel="stylesheet" href="docs/swagger-ui.css" />
    <link rel="icon" href="docs/favicon.png" />
  </head>
  <body>
    <div id="docs"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`

const start = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
})
`

type Asset = { readonly path: string; readonly type: string; readonly content: () => AssetContent }
type AssetContent = string | Buffer

const javascript = 'text/javascript; charset=utf-8'

const assets: readonly Asset[] = [
  { path: '/docs', type: 'text/html; charset=utf-8', content: () => page },
  { path: '/docs/start.js', type: javascript, content: () => start },
  {
    path: '/docs/swagger-ui.css',
    type: 'text/css; charset=utf-8',
    content: fileAt('swagger-ui.css'),
  },
  {
    path: '/docs/swagger-ui-bundle.js',
    type: javascript,
    content: fileAt('swagger-ui-bundle.js'),
  },
  {
    path: '/docs/favicon.png',
    type: 'image/png',
    content: fileAt('favicon-32x32.png'),
  },
  {
    path: '/openapi.json',
    type: 'application/json; charset=utf-8',
    content: () => openApiText,
  },
]

/** Adds routes for `/openapi.json`, `/docs` and the assets of the page. */
export function serveDocs(app: Express): void {
  for (const { path, type, content } of assets) {
    const handle: Handler = (_request, response) => {
      response.setHeader('Content-Security-Policy', policy)
      send(response, 200, type, content())
    }
    route(app, { method: 'get', path, handle })
  }
}

/** Where the build copies the files of Swagger UI; relative to the compiled file. */
const folder = new URL('../../docs/', import.meta.url)

/** Returns a function that reads the file at its first call. */
function fileAt(name: string): () => Buffer {
  return once(() => readFileSync(new URL(name, folder)))
}
