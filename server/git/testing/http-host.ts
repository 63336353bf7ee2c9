/** Serves bare repositories over HTTP with `git http-backend`, and can lose an answer. */

import { spawn, spawnSync } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

/** At which moment of a push the connection is cut. */
export type Cut = 'before' | 'in the middle' | 'after'

export type HttpHost = {
  readonly url: string
  /** Cuts the next pushes. Git itself repeats a push that got no answer. */
  readonly cutPushes: (when: Cut, times: number) => void
}

/** The host stops at the end of the test. */
export async function hostOverHttp(root: string): Promise<HttpHost> {
  let toCut: { readonly when: Cut; readonly times: number } = { when: 'before', times: 0 }
  const server = createServer((request, response) => {
    const isPush = request.method === 'POST' && request.url?.endsWith('/git-receive-pack')
    const cut = isPush === true && toCut.times > 0 ? toCut.when : null
    if (cut) toCut = { when: cut, times: toCut.times - 1 }
    answerGit(root, request, { response, cut })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const cutPushes = (when: Cut, times: number): void => void (toCut = { when, times })
  return { url: `http://127.0.0.1:${address.port}`, cutPushes }
}

type To = { readonly response: ServerResponse; readonly cut: Cut | null }

/** Answers a request of git for the repositories below a folder. */
export function answerGit(root: string, request: IncomingMessage, { response, cut }: To): void {
  if (cut === 'before') {
    request.socket.destroy()
    return
  }
  const backend = spawn(backendPath(), [], { env: variablesOf(root, request) })
  const output: Buffer[] = []
  backend.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  backend.stdin.on('error', () => undefined)
  const body: Buffer[] = []
  request.on('data', (chunk: Buffer) => body.push(chunk))
  request.on('end', () => {
    const all = Buffer.concat(body)
    // An incomplete pack: git must not apply any of it.
    backend.stdin.end(cut === 'in the middle' ? all.subarray(0, all.length >> 1) : all)
  })
  backend.on('close', () => {
    if (cut === null) reply(response, Buffer.concat(output))
    else request.socket.destroy()
  })
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
