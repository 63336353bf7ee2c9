/** A running server, as the commands see it. */

import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { dataPathOf, dataOption } from './place.ts'
import { promisedBy } from '../contract/openapi.ts'
import type * as wire from '../contract/wire.ts'
import { connectionFault } from '../faults/connection.ts'
import { replaceFile } from '../files/replace-file.ts'
import { queueRefFrom, type QueueRef } from '../identity/queue-ref.ts'
import { BadLines } from '../terminal/bad-input.ts'
import type { ParsedOptions, OptionTable } from '../terminal/options.ts'
import { webAddress } from '../terminal/readers.ts'
import { messageOf, shellWord } from '../terminal/text.ts'

type ParsedRemote = Pick<
  ParsedOptions<typeof remoteTable>,
  'text' | 'value' | 'isGiven' | 'fault' | 'given' | 'readGiven'
>

const readUrl = webAddress('http://127.0.0.1:3000')

type Found = { readonly token: string; readonly data: string | null }

/** The server has refused a request. */
export class Refused extends BadLines {
  readonly status: number

  constructor(status: number, text: string) {
    super([text])
    this.status = status
  }
}

export class RemoteServer {
  readonly url: string
  readonly #command: string
  readonly #token: string
  #signal: AbortSignal | null = null

  /** The queues with a repository, if the server runs on this machine. */
  readonly #queues: readonly string[]
  /** The data folder by which it was found; null: by its address. */
  readonly #data: string | null

  private constructor(
    command: string,
    { url, token, queues, data }: Omit<LocalServer, 'token'> & Found,
  ) {
    this.#command = command
    this.url = url
    this.#token = token
    this.#queues = queues
    this.#data = data
  }

  /** Finds the server that the options name. Throws `BadLines`. */
  static of(command: string, parsed: ParsedRemote, env: NodeJS.ProcessEnv): RemoteServer {
    const isGiven = (name: 'url' | 'data'): boolean => parsed.given.includes(name)
    // What is typed counts more than a variable that says the other for all commands of a shell.
    const url = isGiven('data') && !isGiven('url') ? null : parsed.readGiven('url', readUrl)
    if (url !== null) {
      if (isGiven('data')) {
        throw parsed.fault('data', 'no --data beside --url: one of them names the server')
      }
      const token = parsed.text('token') ?? ''
      const found = { token, queues: [], data: null }
      return new RemoteServer(command, { url, ...found })
    }
    const data = dataPathOf(parsed, env)
    const local = readLocal(data)
    if (local) {
      const token = local.token ?? parsed.text('token')
      if (token !== null) return new RemoteServer(command, { ...local, token, data })
      throw new BadLines([
        `${command}: the server on ${data} needs a token: set MERGEYARD_TOKEN to the one it was started with, or to one of \`mergeyard token create\``,
      ])
    }
    throw new BadLines([
      `${command}: no server runs on ${data}: start \`mergeyard serve\`, or name it with --data or --url`,
    ])
  }

  /** Ends its requests with a signal: without one they wait for as long as the server takes. */
  until(signal: AbortSignal): void {
    this.#signal = signal
  }

  /** Sends a request. Throws `Refused` with the words of the server, and `BadLines` if no Mergeyard answers. */
  async call<Name extends keyof wire.Operations>(
    operation: Name,
    body: wire.Operations[Name]['body'],
  ): Promise<wire.Operations[Name]['answer']> {
    const { status, text } = await this.#fetch(operation, body)
    if (status < 200 || status > 299) {
      const remedy =
        status === 401 ? ': set MERGEYARD_TOKEN to one of `mergeyard token create`' : ''
      throw new Refused(status, `${this.#command}: ${text}${remedy}`)
    }
    const answer = jsonIn(text)
    // A server of something else may answer anything with 200.
    if (isAnswerTo(operation, answer)) return answer
    throw new BadLines([
      `${this.#command}: what answers at ${this.url} is no server of Mergeyard: ${this.#remedy()}`,
    ])
  }

  /** The number of a pull request that is named by it or by its branch. Throws `Refused`. */
  async numberOf(queue: wire.QueueRef, named: string): Promise<number> {
    const digits = /^#?([1-9]\d{0,8})$/.exec(named)?.[1]
    if (digits !== undefined) return Number(digits)
    const branch = named.replace(/^refs\/heads\//, '')
    const { pr } = await this.call('openPullRequest', { ...queue, branch })
    return Number(pr.number)
  }

  /**
   * The same for one that may have been pushed below `queue/` as a request: people call it by the rest of that name. Who
   * submits means just the branch that is named.
   */
  async submittedNumberOf(queue: wire.QueueRef, named: string): Promise<number> {
    const names = [named, `queue/${named}`, `queue/${queue.targetBranch}/${named}`]
    const refusals: unknown[] = []
    for (const name of names) {
      try {
        return await this.numberOf(queue, name)
      } catch (error) {
        if (!(error instanceof Refused) || error.status !== 404) throw error
        refusals.push(error)
      }
    }
    throw refusals[0]
  }

  /** A pull request with its reasons. Throws `Refused` for one that was never submitted. */
  async pullNamed(queue: wire.QueueRef, named: string): Promise<wire.SubmittedPullRequest> {
    const number = await this.submittedNumberOf(queue, named)
    try {
      return await this.pull(queue, { number })
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 404) throw error
      const words = `${error.lines.join(' ')}; to submit it: mergeyard submit ${shellWord(named)}`
      throw new Refused(error.status, words)
    }
  }

  /** The same by its number. */
  pull(queue: wire.QueueRef, pr: wire.PullRequestRef): Promise<wire.SubmittedPullRequest> {
    return this.call('getSubmittedPullRequest', { ...queue, pr, includeWhy: true })
  }

  /** The queue that the options name, or the only one on which the server works. */
  queue(parsed: ParsedRemote): QueueRef {
    const named = parsed.text('queue')
    if (named !== null) return this.#queueNamed(named)
    const [first, ...more] = this.#queues
    if (first !== undefined && more.length === 0) return queueRefFrom(first)
    const expected =
      first === undefined
        ? 'name the queue with --queue host/owner/name:branch'
        : `name one of the queues with --queue: ${this.#queues.join(', ')}`
    throw new BadLines([`${this.#command}: ${expected}`])
  }

  #queueNamed(name: string): QueueRef {
    try {
      return queueRefFrom(name)
    } catch (error) {
      const words = messageOf(error)
      throw new BadLines([`${this.#command}: --queue: ${words}`])
    }
  }

  async #fetch(operation: string, body: object) {
    try {
      const response = await fetch(`${this.url}/v1/${operation}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-token': this.#token },
        body: JSON.stringify(body),
        signal: this.#signal,
        // It would send the token on, and make a GET of it.
        redirect: 'manual',
      })
      const { status, ok } = response
      const said = await response.text()
      return { status, text: ok ? said : (this.#wordsOfAnother(operation, response) ?? said) }
    } catch (error) {
      const { words, isReached } = connectionFault(error)
      const what = isReached ? words : `${words}: ${this.#remedy()}`
      throw new BadLines([`${this.#command}: ${this.url} does not answer: ${what}`])
    }
  }

  /** What is said of an answer that is not of Mergeyard, but of a proxy, say; null: it is. */
  #wordsOfAnother(operation: string, { status, statusText, headers }: Response): string | null {
    if (headers.get('content-type')?.startsWith('application/plain-text') === true) return null
    const location = headers.get('location')
    if (location !== null) {
      const { origin, pathname } = new URL(location, this.url)
      const to = `${origin}${pathname}`.replace(`/v1/${operation}`, '')
      return `${this.url} sends on to ${to}: name the server there with --url`
    }
    const isGone = status >= 500
    const remedy = isGone ? this.#remedy() : 'a proxy refuses it, or --url names something else'
    return `${this.url} answers ${status} ${statusText}, which is not of Mergeyard: ${remedy}`
  }

  /** What was killed has left its address behind. */
  #remedy(): string {
    return this.#data === null
      ? 'start the server, or name another with --url'
      : `start \`mergeyard serve\` on ${this.#data} again, or name another server with --data or --url`
  }
}

/** True if the answer has every field that the OpenAPI document promises. */
function isAnswerTo<Name extends keyof wire.Operations>(
  operation: Name,
  answer: unknown,
): answer is wire.Operations[Name]['answer'] {
  if (typeof answer !== 'object' || answer === null) return false
  return promisedBy(operation).every((field) => field in answer)
}

/** The server and the queue that the options name. Throws `BadLines`. */
export function queueIn(command: string, parsed: ParsedRemote, env: NodeJS.ProcessEnv) {
  const server = RemoteServer.of(command, parsed, env)
  return { server, queue: refOnWire(server.queue(parsed)) }
}

/** What requests name a queue with. */
function refOnWire({ host, owner, name, targetBranch }: QueueRef): wire.QueueRef {
  return { repo: { host, owner, name }, targetBranch }
}

// Options of the commands that talk to a running server.

export const remoteTable = {
  'queue <name>': {
    help: 'the queue, as host/owner/name:branch; not needed without --url if the server works on one',
    variable: 'MERGEYARD_QUEUE',
  },
  'url <address>': {
    help: 'the server; by default the one that serves the data folder',
    variable: 'MERGEYARD_URL',
  },
  'token <text>': {
    help: 'the API token for --url, or that of a server that was started with one; ps shows the option, but not the variable',
    variable: 'MERGEYARD_TOKEN',
    isSecret: true,
  },
  ...dataOption,
} as const satisfies OptionTable

// The file `local.json` in the data folder of a running server: how commands on the same machine reach it.
// Only its owner can read it, because it can hold a token.

export type LocalServer = {
  readonly url: string
  /** Only one that the server made for itself alone; null: it has others, which are never written. */
  readonly token: string | null
  /** The names of its queues with a repository. */
  readonly queues: readonly string[]
}

function pathIn(data: string): string {
  return join(data, 'local.json')
}

export async function writeLocal(data: string, server: LocalServer): Promise<void> {
  await replaceFile(pathIn(data), [`${JSON.stringify(server)}\n`])
}

/** Runs a server that the commands on this machine find by its folder. It calls `announce` once it listens. */
export async function withLocal<Result>(
  data: string,
  known: Omit<LocalServer, 'url'>,
  run: (announce: (url: string) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const local = { isWritten: false }
  try {
    return await run((url) => {
      local.isWritten = true
      return writeLocal(data, { url, ...known })
    })
  } finally {
    // Another server may run on the folder, if this one could not start.
    if (local.isWritten) removeLocal(data)
  }
}

export function removeLocal(data: string): void {
  rmSync(pathIn(data), { force: true })
}

/** Null: no server has said that it runs on this folder. */
function readLocal(data: string): LocalServer | null {
  const path = pathIn(data)
  if (!existsSync(path)) return null
  // What is no JSON was not written by a server: none has said anything.
  const found: Partial<LocalServer> = jsonIn(readFileSync(path, 'utf8')) ?? {}
  const { url, token = null, queues = [] } = found
  return typeof url === 'string' ? { url, token, queues } : null
}

/** Null for what is no JSON. */
function jsonIn(text: string): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const words = new Map([
  ['not_ready', 'not ready'],
  ['tests_passed', 'passed'],
  ['pending_failure', 'failed once'],
])

/** How every command calls the state of a pull request, which a server sends in either letter case. */
export function stateWord(state: wire.PullRequestState): string {
  const lower = state.toLowerCase()
  return words.get(lower) ?? lower
}
