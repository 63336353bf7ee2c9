/**
 * A server that shows a scene: it sends the files of the page as the real one does, and has its endpoints, but
 * answers what a test gives it. So a page can be looked at in states that take the real server hours.
 */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import express from 'express'
import { eventOf } from '../../../server/page/channel.ts'
import { serveFiles } from '../../../server/page/routes.ts'
import type {
  Me,
  PullRequestPage,
  QueueGlance,
  RunPage,
  Frame,
  Trends,
} from '../../../server/page/frame.ts'

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

const built = fileURLToPath(new URL('../../../page', import.meta.url))

export class StagedServer {
  /** The bodies of the actions so far. */
  readonly acts: unknown[] = []
  #scene: Scene
  readonly #streams = new Set<ServerResponse>()
  readonly #server: Server

  private constructor(scene: Scene) {
    this.#scene = scene
    const app = express().enable('strict routing')
    serveFiles(app, { pages: { live: built, play: built } })
    app.use((request, response) => this.#answer(request, response))
    this.#server = createServer(app)
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

  send(frame: Frame): void {
    for (const each of this.#streams) each.write(eventOf(JSON.stringify(frame)))
  }

  hangUp(): void {
    for (const each of this.#streams) each.end(eventOf('bye'))
  }

  async stop(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const { me, queues, trends, pullRequest, run, refusal } = this.#scene
    const answers: Readonly<Record<string, object | null>> = {
      '/page/me': me,
      '/page/queues': { queues },
      '/page/trends': trends,
      '/page/pull-request': pullRequest,
      '/page/run': run,
    }
    if (pathname === '/page/stream') return this.#stream(response)
    if (pathname === '/page/sign-in') return json(response, { error: 'wrong token' }, 401)
    if (pathname === '/page/act') {
      const body: unknown = JSON.parse(Buffer.concat(await request.toArray()).toString())
      this.acts.push(body)
      return json(response, { error: refusal?.error }, refusal?.status)
    }
    const answer = answers[pathname] ?? null
    return answer ? json(response, answer) : json(response, { error: 'unknown' }, 404)
  }

  #stream(response: ServerResponse): void {
    const { me, frame } = this.#scene
    if (!me.signedIn && !me.publicPage) return json(response, { error: 'sign in' }, 401)
    if (frame === null) return json(response, { error: 'no such queue' }, 404)
    if (typeof frame === 'string') return json(response, { error: frame }, 503)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    this.#streams.add(response)
    response.on('close', () => this.#streams.delete(response))
    response.write(eventOf(JSON.stringify(frame)))
  }
}

function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
