/**
 * A server that shows a scene: it has the built page, the policy and the endpoints of the real one, but
 * answers what a test gives it. So a page can be looked at in states that take the real server hours.
 */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { extname } from 'node:path'
import type { Me, PullRequestPage } from '../../../server/page/answers.ts'
import type { Frame, QueueHead, Trends } from '../../../server/page/frame.ts'

export type Scene = {
  readonly me: Me
  readonly queues: readonly QueueHead[]
  /** What a stream begins with; null refuses it with 404. */
  readonly frame: Frame | null
  readonly trends: Trends
  readonly pullRequest: PullRequestPage | null
  /** What an action is refused with; null accepts it. */
  readonly refusal: { readonly status: number; readonly error: string } | null
}

export type StagedServer = {
  readonly url: string
  /** The requests so far, as method and path. */
  readonly requests: readonly string[]
  /** The bodies of the actions so far. */
  readonly acts: readonly unknown[]
  readonly show: (scene: Partial<Scene>) => void
  /** Sends an event to all streams. */
  readonly send: (event: string, data: unknown, id: string) => void
  /** Ends all streams. */
  readonly hangUp: () => void
  readonly stop: () => Promise<void>
}

export const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
}

const built = new URL('../../../page/', import.meta.url)

export async function startStaged(first: Scene): Promise<StagedServer> {
  let scene = first
  const requests: string[] = []
  const acts: unknown[] = []
  const streams = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    void answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const json = (value: unknown, status = 200): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    switch (pathname) {
      case '/page/me':
        return json(scene.me)
      case '/page/queues':
        return json({ queues: scene.queues })
      case '/page/trends':
        return json(scene.trends)
      case '/page/pull-request':
        return scene.pullRequest ? json(scene.pullRequest) : json({ error: 'unknown' }, 404)
      case '/page/stream':
        return stream(response)
      case '/page/sign-in':
        return json({ error: 'wrong token' }, 401)
      case '/page/act':
        acts.push(JSON.parse(Buffer.concat(await request.toArray()).toString()))
        if (scene.refusal) return json({ error: scene.refusal.error }, scene.refusal.status)
        return json({})
      default:
        return file(pathname, response)
    }
  }

  function stream(response: ServerResponse): void {
    if (!scene.me.signedIn && !scene.me.publicPage) {
      response.writeHead(401).end()
      return
    }
    if (!scene.frame) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    streams.add(response)
    response.on('close', () => streams.delete(response))
    const { sequence } = scene.frame
    response.write(`event: frame\nid: staged-${sequence}\ndata: ${JSON.stringify(scene.frame)}\n\n`)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    acts,
    show: (change) => {
      scene = { ...scene, ...change }
    },
    send: (event, data, id) => {
      for (const each of streams)
        each.write(`event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`)
    },
    hangUp: () => {
      for (const each of streams) each.destroy()
    },
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** All other paths show the shell, as the real server does for the addresses of the page. */
function file(path: string, response: ServerResponse): void {
  const [, name = 'index.html'] = /^\/page\/(assets\/[\w.-]+)$/.exec(path) ?? []
  const type = types[extname(name)] ?? 'application/octet-stream'
  response.writeHead(200, { 'content-type': type, 'content-security-policy': policy })
  response.end(readFileSync(new URL(name, built)))
}
