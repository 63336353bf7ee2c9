/**
 * A server that shows a scene: it has the built page, the policy and the endpoints of the real one, but
 * answers what a test gives it. So a page can be looked at in states that take the real server hours.
 */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { extname } from 'node:path'
import type { Me, PullRequestPage, QueueGlance, RunPage } from '../../../server/page/answers.ts'
import type { Frame, Trends } from '../../../server/page/frame.ts'

export type Scene = {
  readonly me: Me
  readonly queues: readonly QueueGlance[]
  /** What a stream begins with; null refuses it with 404, and words with 503. */
  readonly frame: Frame | string | null
  readonly trends: Trends
  readonly pullRequest: PullRequestPage | null
  readonly run: RunPage | null
  /** What an action is refused with; null accepts it. */
  readonly refusal: { readonly status: number; readonly error: string } | null
}

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
  "require-trusted-types-for 'script'",
].join('; ')

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
}

const built = new URL('../../../page/', import.meta.url)

export class StagedServer {
  /** The bodies of the actions so far. */
  readonly acts: unknown[] = []
  #scene: Scene
  readonly #streams = new Set<ServerResponse>()
  readonly #server: Server

  private constructor(scene: Scene) {
    this.#scene = scene
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error))
      })
    })
  }

  static async start(scene: Scene): Promise<StagedServer> {
    const staged = new StagedServer(scene)
    staged.#server.listen(0, '127.0.0.1')
    await once(staged.#server, 'listening')
    return staged
  }

  get url(): string {
    const address = this.#server.address()
    if (typeof address !== 'object' || address === null) throw new Error('it does not listen')
    return `http://127.0.0.1:${address.port}`
  }

  /** How many streams are open. */
  get watchers(): number {
    return this.#streams.size
  }

  show(change: Partial<Scene>): void {
    this.#scene = { ...this.#scene, ...change }
  }

  /** Sends a frame to all streams. */
  send(frame: Frame): void {
    for (const each of this.#streams) each.write(eventOf(frame))
  }

  /** Ends all streams. */
  hangUp(): void {
    for (const each of this.#streams) each.end('event: bye\ndata: x\n\n')
  }

  async stop(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const { me, queues, trends, pullRequest, run, refusal } = this.#scene
    switch (pathname) {
      case '/page/me':
        return json(response, me)
      case '/page/queues':
        return json(response, { queues })
      case '/page/trends':
        return json(response, trends)
      case '/page/pull-request':
        return pullRequest ? json(response, pullRequest) : json(response, { error: 'unknown' }, 404)
      case '/page/run':
        return run ? json(response, run) : json(response, { error: 'unknown' }, 404)
      case '/page/stream':
        return this.#stream(response)
      case '/page/sign-in':
        return json(response, { error: 'wrong token' }, 401)
      case '/page/act': {
        const body: unknown = JSON.parse(Buffer.concat(await request.toArray()).toString())
        this.acts.push(body)
        return json(response, { error: refusal?.error }, refusal?.status)
      }
      default:
        return file(response, pathname)
    }
  }

  #stream(response: ServerResponse): void {
    const { me, frame } = this.#scene
    if (!me.signedIn && !me.publicPage) return json(response, { error: 'sign in' }, 401)
    if (frame === null) return json(response, { error: 'no such queue' }, 404)
    if (typeof frame === 'string') return json(response, { error: frame }, 503)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    this.#streams.add(response)
    response.on('close', () => this.#streams.delete(response))
    response.write(eventOf(frame))
  }
}

const eventOf = (frame: Frame): string =>
  `event: frame\nid: staged-${frame.sequence}\ndata: ${JSON.stringify(frame)}\n\n`

function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** All other paths show the shell, as the real server does for the addresses of the page. */
function file(response: ServerResponse, path: string): void {
  const [, name = 'index.html'] = /^\/page\/(assets\/[\w.-]+)$/.exec(path) ?? []
  const type = types[extname(name)] ?? 'application/octet-stream'
  response.writeHead(200, { 'content-type': type, 'content-security-policy': policy })
  response.end(readFileSync(new URL(name, built)))
}
