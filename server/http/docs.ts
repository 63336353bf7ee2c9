/**
 * Serves the OpenAPI document, and a page that shows it with Swagger UI. The build copies its files, because
 * its npm package brings an install script to everybody who depends on it. The page loads nothing from other hosts; its content security policy forbids that.
 */

import { fileURLToPath } from 'node:url'
import type { Express } from 'express'
import { route, type Handler } from './route.ts'
import { send } from './answer.ts'
import { serveFolder } from './serve-folder.ts'
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
    <link rel="icon" href="docs/favicon-32x32.png" />
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

const texts = [
  { path: '/docs', type: 'text/html; charset=utf-8', text: page },
  { path: '/docs/start.js', type: 'text/javascript; charset=utf-8', text: start },
  { path: '/openapi.json', type: 'application/json; charset=utf-8', text: openApiText },
] as const

/** Where the build copies the files of Swagger UI; relative to the compiled file. */
const folder = fileURLToPath(new URL('../../docs/', import.meta.url))

/** Adds routes for `/openapi.json`, `/docs` and the files of the page. */
export function serveDocs(app: Express): void {
  for (const { path, type, text } of texts) {
    const handle: Handler = (_request, response) => {
      response.setHeader('Content-Security-Policy', policy)
      send(response, 200, type, text)
    }
    route(app, { method: 'get', path, handle })
  }
  serveFolder(app, '/docs', { folder, headers: {}, isForEver: false })
}
