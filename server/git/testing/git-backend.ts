/** Answers requests of git with `git http-backend`. */

import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { join } from 'node:path'
import { refsIn } from './commits.ts'
import { listening } from '../../testing/listening.ts'

/** At which moment of a push the connection is cut. */
export type Cut = 'before' | 'in the middle' | 'after'

type To = { readonly response: ServerResponse; readonly cut: Cut | null }

/** Answers a request of git for the repositories below a folder. */
export function answerGit(root: string, request: IncomingMessage, { response, cut }: To): void {
  if (cut === 'before') {
    request.socket.destroy()
    return
  }
  const body: Buffer[] = []
  request.on('data', (chunk: Buffer) => body.push(chunk))
  request.on('end', () => answerWhole(root, request, Buffer.concat(body), { response, cut }))
}

function answerWhole(
  root: string,
  request: IncomingMessage,
  body: Buffer,
  { response, cut }: To,
): void {
  const key = answerKey(root, request, body)
  const known = key === null ? undefined : answers.get(key)
  if (known) {
    reply(response, known)
    return
  }
  const isPush = request.url?.endsWith('/git-receive-pack') === true
  if (isPush) pushes++
  const before = pushes
  const backend = spawn(backendPath(), [], { env: variablesOf(root, request) })
  const output: Buffer[] = []
  backend.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  backend.stdin.on('error', () => undefined)
  // An incomplete pack: git must not apply any of it.
  backend.stdin.end(cut === 'in the middle' ? body.subarray(0, body.length >> 1) : body)
  backend.on('close', () => {
    const all = Buffer.concat(output)
    if (isPush) pushes++
    // Refs that have changed meanwhile may be in the answer, also where they are the same again: a branch came and went.
    const isSame = key !== null && pushes === before && key === answerKey(root, request, body)
    if (isSame && !all.toString('latin1').startsWith('Status')) answers.set(key, all)
    if (cut === null) reply(response, all)
    else request.socket.destroy()
  })
}

/**
 * What git answered, while it answers the same again: its abilities, and the refs of a repository, as long as
 * they and the question are the same. Three of four requests are such, and each costs two processes.
 */
const answers = new Map<string, Buffer>()

/** How often a push has begun or ended. */
let pushes = 0

/** Null: the answer depends on more. */
function answerKey(root: string, request: IncomingMessage, body: Buffer): string | null {
  const { method, url = '/', headers } = request
  if (headers['git-protocol'] !== 'version=2') return null
  const [path = '', query = ''] = url.split('?')
  const isGreeting = method === 'GET' && query === 'service=git-upload-pack'
  // Four digits with the length of the line are before the command.
  const isOfRefs = path.endsWith('/git-upload-pack') && body.includes('command=ls-refs')
  const repository = join(root, path, isGreeting ? '../..' : '..')
  if ((!isGreeting && !isOfRefs) || !existsSync(repository)) return null
  const refs = isGreeting ? [] : [...refsIn(repository)]
  return [repository, query, body.toString('latin1'), ...refs.flat()].join(' ')
}

let backendOnDisk: string | null = null

function backendPath(): string {
  backendOnDisk ??= spawnSync('git', ['--exec-path']).stdout.toString().trim()
  return `${backendOnDisk}/git-http-backend`
}

/** What CGI tells a program about a request. */
function variablesOf(root: string, { method = 'GET', url = '/', headers }: IncomingMessage) {
  const [path = '', query = ''] = url.split('?')
  return {
    PATH: process.env['PATH'],
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: '1',
    GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
    HTTP_CONTENT_ENCODING: headers['content-encoding'],
    REMOTE_USER: 'mergeyard',
    REQUEST_METHOD: method,
    PATH_INFO: path,
    QUERY_STRING: query,
    CONTENT_TYPE: headers['content-type'],
  }
}

function reply(response: ServerResponse, output: Buffer): void {
  const end = output.indexOf('\r\n\r\n')
  const lines = output.subarray(0, Math.max(0, end)).toString().split('\r\n')
  for (const line of lines) {
    const [name = '', value = ''] = line.split(': ')
    if (name === 'Status') response.statusCode = Number.parseInt(value, 10)
    else if (name !== '') response.setHeader(name, value)
  }
  response.end(output.subarray(end + 4))
}

// Serves bare repositories over HTTP with `git http-backend`, and can lose an answer.

export type HttpHost = {
  readonly url: string
  /** Cuts the next pushes. Git itself repeats a push that got no answer. */
  readonly cutPushes: (when: Cut, times: number) => void
  /** Done before the next answers about refs and commits, one each. */
  readonly beforeReads: (() => unknown)[]
}

/** The host stops at the end of the test. */
export async function hostOverHttp(root: string): Promise<HttpHost> {
  let toCut: { readonly when: Cut; readonly times: number } = { when: 'before', times: 0 }
  const beforeReads: (() => unknown)[] = []
  const server = createServer((request, response) => {
    const isPush = request.method === 'POST' && request.url?.endsWith('/git-receive-pack')
    const isRead = request.method === 'POST' && request.url?.endsWith('/git-upload-pack')
    const cut = isPush === true && toCut.times > 0 ? toCut.when : null
    if (cut) toCut = { when: cut, times: toCut.times - 1 }
    const act = isRead === true ? beforeReads.shift() : undefined
    const acting = Promise.resolve(act?.())
    void acting.then(() => answerGit(root, request, { response, cut }))
  })
  const port = await listening(server)
  const cutPushes = (when: Cut, times: number): void => void (toCut = { when, times })
  return { url: `http://127.0.0.1:${port}`, cutPushes, beforeReads }
}
