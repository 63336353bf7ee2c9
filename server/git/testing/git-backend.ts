/** Answers requests of git with `git http-backend`. */

import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'

/** At which moment of a push the connection is cut. */
export type Cut = 'before' | 'in the middle' | 'after'

type To = { readonly response: ServerResponse; readonly cut: Cut | null }

/** Answers a request of git for the repositories below a folder. */
export function answerGit(root: string, request: IncomingMessage, { response, cut }: To): void {
  if (cut === 'before') {
    request.socket.destroy()
    return
  }
  const key = greetingKey(root, request)
  const greeting = key === null ? undefined : greetings.get(key)
  if (greeting) {
    reply(response, greeting)
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
    const all = Buffer.concat(output)
    if (key !== null && !all.toString('latin1').startsWith('Status')) greetings.set(key, all)
    if (cut === null) reply(response, all)
    else request.socket.destroy()
  })
}

/**
 * The first answer of version 2 of the protocol names abilities of git and no branch, so it is the same as
 * long as the repository is there. Half of all requests ask for it, and each costs two processes.
 */
const greetings = new Map<string, Buffer>()

/** Null: the answer to this request depends on the branches. */
function greetingKey(root: string, { method, url = '/', headers }: IncomingMessage): string | null {
  if (method !== 'GET' || headers['git-protocol'] !== 'version=2') return null
  const [path = '', query] = url.split('?')
  if (query !== 'service=git-upload-pack' || !existsSync(join(root, path, '../..'))) return null
  return join(root, path)
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
