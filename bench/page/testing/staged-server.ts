/**
 * A server that shows a scene: it sends the files of the page as the real one does, and has its endpoints, but
 * answers what a test gives it. So a page can be looked at in states that take the real server hours.
 */

import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import express, { type Express } from 'express'
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

export type Served = { readonly url: string; readonly stop: () => Promise<void> }

/** Lets an app listen on this machine. */
export async function served(app: Express): Promise<Served> {
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

export class StagedServer {
  /** The bodies of the actions so far. */
  readonly acts: unknown[] = []
  readonly url: string
  readonly stop: () => Promise<void>
  #scene: Scene
  readonly #streams = new Set<ServerResponse>()

  private constructor(scene: Scene, app: Express, { url, stop }: Served) {
    this.url = url
    this.stop = stop
    this.#scene = scene
    serveFiles(app, { pages: { live: built, play: built } })
    app.use((request, response) => this.#answer(request, response))
  }

  static async start(scene: Scene): Promise<StagedServer> {
    const app = express().enable('strict routing')
    return new StagedServer(scene, app, await served(app))
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
