/** A running server, as the commands see it. */

import type * as wire from '../../../server/contract/wire.ts'
import { queueRefFrom, type QueueRef } from '../../../server/identity/queue-ref.ts'
import { BadLines } from '../../../terminal/bad-input.ts'
import type { ParsedOptions } from '../../../terminal/options.ts'
import { dataPathOf } from '../admin/data-folder.ts'
import { readLocal, type LocalServer } from '../serve/local-server.ts'
import type { remoteTable } from './options.ts'

type ParsedRemote = Pick<ParsedOptions<typeof remoteTable>, 'text' | 'value' | 'isGiven'>

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

  private constructor(
    command: string,
    { url, token, queues }: LocalServer & { readonly token: string },
  ) {
    this.#command = command
    this.url = url
    this.#token = token
    this.#queues = queues
  }

  /** Finds the server that the options name. Throws `BadLines`. */
  static of(command: string, parsed: ParsedRemote, env: NodeJS.ProcessEnv): RemoteServer {
    const url = parsed.text('url')
    if (url !== null) {
      const token = parsed.text('token') ?? ''
      return new RemoteServer(command, { url: url.replace(/\/$/, ''), token, queues: [] })
    }
    const data = dataPathOf(parsed, env)
    const local = readLocal(data)
    if (local) {
      const token = local.token ?? parsed.text('token')
      if (token !== null) return new RemoteServer(command, { ...local, token })
      throw new BadLines([
        `${command}: the server on ${data} was started with MERGEYARD_TOKEN: set the same variable here`,
      ])
    }
    throw new BadLines([
      `${command}: no server runs on ${data}: start \`mergeyard serve\`, or name it with --data or --url`,
    ])
  }

  /** Ends its requests with a signal: without one they wait for as long as the server takes. */
  until(signal: AbortSignal): this {
    this.#signal = signal
    return this
  }

  /** Sends a request. Throws `Refused` with the words of the server. */
  async call<Answer>(operation: string, body: object): Promise<Answer> {
    const { status, text } = await this.#fetch(operation, body)
    if (status < 200 || status > 299) throw new Refused(status, `${this.#command}: ${text}`)
    const answer: Answer = JSON.parse(text)
    return answer
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
      const words = error instanceof Error ? error.message : String(error)
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
      })
      return { status: response.status, text: await response.text() }
    } catch (error) {
      const { cause = error } = error instanceof Error ? error : {}
      const words = cause instanceof Error ? cause.message : ''
      throw new BadLines([`${this.#command}: ${this.url} does not answer: ${words}`])
    }
  }
}

/** What requests name a queue with. */
export function refOnWire({ host, owner, name, targetBranch }: QueueRef): wire.QueueRef {
  return { repo: { host, owner, name }, targetBranch }
}
