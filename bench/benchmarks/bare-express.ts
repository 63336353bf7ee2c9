/**
 * The baseline for the API benchmarks: a bare Express app that parses a JSON body and responds with
 * a JSON object, without any work in between. The environment variable `BENCH_ANSWERS` holds the
 * responses by path, as JSON.
 */

import express from 'express'

const answers: Readonly<Record<string, object>> = JSON.parse(process.env['BENCH_ANSWERS'] ?? '{}')

const app = express()
for (const [path, answer] of Object.entries(answers)) {
  app.post(path, express.json({ limit: '20mb' }), (request, response) => {
    if (typeof request.body !== 'object') throw new TypeError('the request has no JSON body')
    response.json(answer)
  })
}

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  process.stdout.write(`listens on http://127.0.0.1:${port}\n`)
})
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
