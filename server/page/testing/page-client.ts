/** A visitor of the page in tests: signs in, asks, acts, and reads streams. */

import { request as httpRequest, type IncomingMessage } from 'node:http'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import type { Frame } from '../frame.ts'
import { main } from '../../testing/client.ts'
import { start, type TestServer } from '../../testing/test-server.ts'
import { temporaryFolder } from '../../terminal/testing/temporary-folder.ts'
import type { PageOptions } from '../live-page.ts'
import { StateChanges, type ViewParts } from '../view.ts'

const sameOrigin = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }

export type Answer = { readonly status: number; readonly body: unknown; readonly text: string }

export class PageClient {
  readonly url: string
  cookie = ''
  /** With the attributes of the cookie. */
  setCookie = ''

  constructor(url: string) {
    this.url = url
  }

  async signIn(token: string): Promise<number> {
    const response = await fetch(`${this.url}/page/sign-in`, {
      method: 'POST',
      headers: sameOrigin,
      body: JSON.stringify({ token }),
    })
    await response.arrayBuffer()
    this.setCookie = response.headers.get('set-cookie') ?? ''
    this.cookie = this.setCookie.split(';')[0] ?? ''
    return response.status
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.#ask('GET', path, { ...sameOrigin, ...headers })
  }

  post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    return this.#ask('POST', path, { ...sameOrigin, ...headers }, JSON.stringify(body))
  }

  /** Opens a stream; rejects if the server does not answer with one. */
  async stream(queue: string, as: object = {}): Promise<PageStream> {
    const path = `/page/stream?queue=${queue}`
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { cookie: this.cookie, ...sameOrigin, ...as }
      httpRequest(`${this.url}${path}`, { headers, agent: false }, resolve)
        .on('error', reject)
        .end()
    })
    if (response.statusCode !== 200) throw new Error(`the stream answers ${response.statusCode}`)
    onTestFinished(() => void response.destroy())
    return new PageStream(response)
  }

  async #ask(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<Answer> {
    const cookie = this.cookie === '' ? {} : { cookie: this.cookie }
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { ...headers, ...cookie },
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
    const parsed: unknown = isJson ? JSON.parse(text) : null
    return { status: response.status, body: parsed, text }
  }
}

export class PageStream {
  readonly response: IncomingMessage
  readonly #events: AsyncGenerator<string, null>

  constructor(response: IncomingMessage) {
    this.response = response
    this.#events = dataIn(response)
  }

  /** The data of the next event; null when the stream is over. */
  async next(): Promise<string | null> {
    const { value } = await this.#events.next()
    return value
  }

  async frame(): Promise<Frame> {
    const data = await this.next()
    const frame: Frame = JSON.parse(data ?? 'null')
    return frame
  }

  /** Reads frames until one is of this sequence, or a later one. */
  async until(sequence: number): Promise<Frame[]> {
    const frames = []
    for (;;) {
      const frame = await this.frame()
      frames.push(frame)
      if (frame.sequence >= sequence) return frames
    }
  }
}

async function* dataIn(response: IncomingMessage): AsyncGenerator<string, null> {
  try {
    for await (const line of createInterface({ input: response })) {
      if (line.startsWith('data: ')) yield line.slice('data: '.length)
    }
  } catch {
    // A stream that is cut is over.
  }
  return null
}

/** What views need of a queue without a repository and without estimates. */
export const bareParts = (): ViewParts => ({
  changes: new StateChanges(),
  hosting: { of: () => null, all: [] },
  estimateOf: () => null,
})

// A server with a page and one queue, and a visitor who is signed in.

export type PageWorld = {
  readonly folder: string
  readonly server: TestServer
  readonly visitor: PageClient
  /** The id of the queue. */
  readonly queue: string
  readonly submit: (...numbers: readonly number[]) => Promise<void>
}

/** The pages in their built form: a test of the server needs no more than names. */
export function builtPages(folder: string): PageOptions['pages'] {
  const pages = { live: join(folder, 'page'), play: join(folder, 'site') }
  for (const path of [pages.live, pages.play]) {
    mkdirSync(join(path, 'assets'), { recursive: true })
    writeFileSync(join(path, 'index.html'), '<!doctype html><title>Mergeyard</title>')
    writeFileSync(join(path, 'assets', 'main.js'), 'export {}')
  }
  return pages
}

/** A folder of an earlier world has its queue and its sessions. */
export async function pageWorld(
  set: object = { batch: false, concurrency: 2 },
  page: Partial<PageOptions> = {},
  folder = temporaryFolder(),
): Promise<PageWorld> {
  const pages = builtPages(folder)
  const server = await start(join(folder, 'data'), { page: { pages, ...page } })
  onTestFinished(() => server.stop())
  const isNew = [...server.manager.registry.queues].length === 0
  if (isNew) await server.client.ok('createQueue', { ...main, mode: 'single', ...set })
  const visitor = new PageClient(server.url)
  await visitor.signIn('admin-token-of-a-test')
  const [queue] = [...server.manager.registry.queues]
  const submit = async (...numbers: readonly number[]): Promise<void> => {
    for (const number of numbers) await server.client.submit(number)
  }
  return { folder, server, visitor, queue: queue?.ids.start ?? '', submit }
}
