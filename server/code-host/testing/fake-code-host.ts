/**
 * A code host for tests: its API over HTTP, and a real bare repository behind it. Requests and answers are
 * held to its published document; what does not fit is in `faults`, and the test must find it empty.
 */

import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { join } from 'node:path'
import { answerGit } from '../../git/testing/git-backend.ts'
import { oneAtATime } from '../../hosting/backoff.ts'
import { TestRepository } from '../../hosting/testing/test-repository.ts'
import { paged, type Answer, type Route } from './call.ts'
import type { FakeDialect } from './dialect.ts'
import { isRecord, type Operation } from './published.ts'
import { FakeHooks } from './fake-hooks.ts'
import {
  emptyState,
  type FakeState,
  branchHeadOf,
  change,
  markMerged,
  noteBranch,
} from './state.ts'
import { refsIn } from '../../git/testing/commits.ts'
import { codeOf } from '../../terminal/text.ts'

export type SeenRequest = {
  readonly name: string
  readonly status: number
  readonly at: number
}

export type FakeOptions = {
  /** A folder that the test removes. */
  readonly folder: string
  readonly now?: () => number
  /** Default: a bare one in the folder. */
  readonly repository?: TestRepository
}

/** A request, however it came. */
type Asked = {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

type Answered = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

const limit = 5_000

/** No document of this form describes it. */
const graphql: Operation = { name: 'POST /graphql', object: { responses: { 200: {} } }, path: {} }

export class FakeCodeHost {
  readonly dialect: FakeDialect
  readonly state: FakeState
  readonly requests: SeenRequest[] = []
  /** What did not fit the published document. */
  readonly faults: string[] = []
  /** Asked before each request; what it returns is answered instead. */
  onRequest: (name: string) => Answer | null = () => null
  /** Answered instead of the next request whose operation has this name, once each. */
  readonly instead: { readonly name: string; readonly answer: Answer }[] = []
  /** Done before the next request of that name, once each. */
  readonly before: { readonly name: string; readonly act: () => unknown }[] = []
  /** Operations that are done, and whose next answer is lost, once each. */
  readonly losesAnswerOf: string[] = []
  /** What answers each operation; a test may put others here. */
  readonly routes: Record<string, Route>
  /** With the next request the limit is used up, and so long every one is refused. 0: it is never used up. */
  limitsNextForMs = 0
  #limitedUntil = -Infinity
  /** Called when a request has changed something, before its answer. */
  onEffect: () => void = () => undefined
  /** Called when refs of the repository may have changed. */
  readonly followers: (() => void)[] = []
  readonly hooks: FakeHooks
  isClosed = false
  readonly #alone = oneAtATime()
  readonly #root: string
  #used = 0
  readonly #server = createServer((request, response) => this.#handle(request, response))

  constructor(dialect: FakeDialect, { folder, now = Date.now, repository }: FakeOptions) {
    this.dialect = dialect
    this.routes = { ...dialect.routes }
    this.hooks = new FakeHooks(dialect, this.faults)
    this.#root = join(folder, dialect.kind)
    if (!repository) mkdirSync(join(this.#root, 'acme'), { recursive: true })
    this.state = emptyState({
      repository: repository ?? new TestRepository(join(this.#root, 'acme', 'shop.git')),
      now,
    })
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  close(): void {
    this.isClosed = true
    this.#server.closeAllConnections()
    this.#server.close()
  }

  get url(): string {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('the fake is closed')
    return `http://127.0.0.1:${address.port}`
  }

  get api(): string {
    return `${this.url}${this.dialect.prefix}`
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const isApi = path.startsWith(this.dialect.prefix) || path === this.dialect.graphql?.path
    const work = isApi ? this.#api(request, response) : this.#git(request, response)
    work.catch((error: unknown) => {
      // Whoever asked was killed before all of it was here.
      if (codeOf(error) === 'ECONNRESET') return
      this.faults.push(`${request.method} ${path}: ${String(error)}`)
      response.statusCode = 500
      response.end('{"message":"the fake failed"}')
    })
  }

  #git(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [kind = '', value = ''] = (request.headers.authorization ?? '').split(' ')
    const [user = '', token = ''] = Buffer.from(value, 'base64').toString().split(':')
    if (kind.toLowerCase() !== 'basic' || !this.dialect.isGitUser(user, token)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="host"' })
      response.end()
      return Promise.resolve()
    }
    const isPush = request.url?.endsWith('/git-receive-pack') === true
    // The connection is closed in every case, the answer may be lost.
    if (isPush) response.on('close', () => void this.pushed().catch(this.#noteUnlessClosed))
    answerGit(this.#root, request, { response, cut: null })
    return Promise.resolve()
  }

  /** The folder may be gone when a test is over. */
  readonly #noteUnlessClosed = (error: unknown): void => {
    if (!this.isClosed) this.faults.push(String(error))
  }

  /**
   * Looks what a push has changed: heads of pull requests, and those that are merged now. One look after the other, since
   * one that began before another push would set heads back. So it has seen every push when this settles.
   */
  pushed(): Promise<void> {
    return this.#alone(async () => {
      await afterPush(this.state, this.dialect)
      const after = await this.state.repository.oidOf('refs/heads/main')
      this.hooks.look(this.state, [{ is: 'push', after }])
      for (const follower of this.followers) follower()
    })
  }

  /** The API without a network, for a test in which nothing may depend on time. */
  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const answered = await this.#answerTo({
      method: request.method,
      url: request.url,
      text: await request.text(),
      headers: Object.fromEntries(request.headers),
    })
    if (!answered) throw new TypeError('fetch failed')
    const { status, headers, text } = answered
    return new Response(text === '' ? null : text, { status, headers })
  }

  async #api(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request
    const asked = { method, url: new URL(url, this.url).href, headers, text: await textOf(request) }
    const answered = await this.#answerTo(asked)
    if (!answered) {
      request.socket.destroy()
      return
    }
    response.writeHead(answered.status, answered.headers)
    response.end(answered.text)
    if (method !== 'GET') this.hooks.look(this.state)
  }

  /** Null: it is done, and the answer is lost. */
  async #answerTo({ method, url, headers, text }: Asked): Promise<Answered | null> {
    const { prefix, published, refusalOf } = this.dialect
    const address = new URL(url)
    const { searchParams } = address
    const isGraphql = address.pathname === this.dialect.graphql?.path
    const pathname = isGraphql ? '/graphql' : address.pathname.slice(prefix.length)
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    const operation = isGraphql ? graphql : published.operationOf(method, pathname)
    if (!operation) throw new Error('the trimmed document has no such operation')
    const { name, path } = operation
    for (const fault of published.faultsOfRequest(operation, searchParams, body)) {
      this.faults.push(`${name}: request: ${fault}`)
    }
    const at = this.before.findIndex((each) => each.name === name)
    if (at !== -1) await this.before.splice(at, 1)[0]?.act()
    const refusal = refusalOf(headers, { path: pathname, now: this.state.now() })
    const call = { path, query: searchParams, body: isRecord(body) ? body : {} }
    const whole =
      refusal === null
        ? await this.#answer(name, call)
        : { status: 401, body: { message: refusal } }
    const answer = paged(this.dialect.paging, whole, address)
    for (const fault of published.faultsOfAnswer(operation, answer.status, answer.body)) {
      this.faults.push(`${name}: answer: ${fault}`)
    }
    if (method !== 'GET') this.onEffect()
    const lost = this.losesAnswerOf.indexOf(name)
    if (lost !== -1) {
      this.losesAnswerOf.splice(lost, 1)
      return null
    }
    const known = method === 'GET' ? headers['if-none-match'] : undefined
    return this.#written(name, answer, known)
  }

  #written(name: string, answer: Answer, known: string | undefined): Answered {
    const text = answer.status === 204 ? '' : JSON.stringify(answer.body ?? {})
    const etag = `W/"${createHash('sha256').update(text).digest('hex').slice(0, 16)}"`
    const isSame = answer.status === 200 && known === etag
    const status = isSame ? 304 : answer.status
    this.requests.push({ name, status, at: this.state.now() })
    if (status !== 304) this.#used++
    const headers = {
      ...answer.headers,
      'content-type': 'application/json; charset=utf-8',
      date: new Date(this.state.now()).toUTCString(),
      etag,
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(this.#isLimited() ? 0 : Math.max(1, limit - this.#used)),
      'x-ratelimit-reset': String(Math.ceil(Math.max(0, this.#limitedUntil) / 1_000)),
    }
    return { status, headers, text: isSame ? '' : text }
  }

  #isLimited(): boolean {
    if (this.limitsNextForMs > 0) this.#limitedUntil = this.state.now() + this.limitsNextForMs
    this.limitsNextForMs = 0
    return this.state.now() < this.#limitedUntil
  }

  #answer(name: string, call: Parameters<Route>[1]): Answer | Promise<Answer> {
    const { graphql: asked, limited } = this.dialect
    if (this.#isLimited()) return name === graphql.name && asked ? asked.limited : limited
    const other = this.onRequest(name)
    if (other) return other
    const at = this.instead.findIndex((each) => each.name === name)
    const [planned] = at === -1 ? [] : this.instead.splice(at, 1)
    if (planned) return planned.answer
    const mayChange = this.state.permissions.push || !/^(?:POST|PUT|PATCH|DELETE) /.test(name)
    if (!mayChange && name !== graphql.name) return { status: 403, body: { message: 'no access' } }
    const route = this.routes[name]
    if (!route) throw new Error(`the fake cannot answer ${name}`)
    return route(this.state, call)
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

// What a host notices after a push: new heads of pull requests, closed and merged ones.

/**
 * A pull request whose recorded head is reachable from its base is merged. One whose branch is gone is
 * closed. One whose branch was pushed to has a new head.
 */
async function afterPush(
  state: FakeState,
  { pullRef, mark }: Pick<FakeDialect, 'pullRef' | 'mark'>,
): Promise<void> {
  const { repository, pulls } = state
  // One that is opened meanwhile has a branch that is not in this list.
  const known = [...pulls.values()]
  const refs = refsIn(repository.path)
  for (const pull of known) {
    const target = refs.get(`refs/heads/${pull.base}`) ?? ''
    const head = pull.isFork ? pull.head : refs.get(`refs/heads/${pull.branch}`)
    const before = branchHeadOf(state, pull.number)
    if (!pull.isFork && head !== undefined && head !== before) {
      const isForced = before !== null && !(await repository.isReachable(before, head))
      noteBranch(state, pull, { after: head, isForced })
    }
    // The host sets the head of a closed one when it is reopened.
    if (pull.state === 'closed') continue
    if (mark === null && target !== '' && (await repository.isReachable(pull.head, target))) {
      markMerged(state, pull, target)
    } else if (head === undefined) {
      change(state, pull, { state: 'closed', by: pull.author })
    } else if (head !== pull.head) {
      change(state, pull, { head, by: pull.author })
      await repository.set(pullRef(pull.number), head)
    }
  }
}
