/** A running server, as the commands see it. */

import { resolve } from 'node:path'
import type * as wire from '../../../server/contract/wire.ts'
import { nameOfQueue, queueRefFrom, type QueueRef } from '../../../server/identity/queue-ref.ts'
import { BadLines } from '../../../sim/scenario/bad-input.ts'
import { startFolder } from '../../../sim/terminal/context.ts'
import type { ParsedOptions } from '../../../sim/terminal/parse-options.ts'
import { readLocal } from '../serve/local-server.ts'
import type { remoteTable } from './options.ts'

type ParsedRemote = Pick<ParsedOptions<typeof remoteTable>, 'text' | 'value'>

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

  private constructor(command: string, url: string, token: string) {
    this.#command = command
    this.url = url
    this.#token = token
  }

  /** Finds the server that the options name. Throws `BadLines`. */
  static of(command: string, parsed: ParsedRemote, env: NodeJS.ProcessEnv): RemoteServer {
    const url = parsed.text('url')
    if (url !== null) {
      return new RemoteServer(command, url.replace(/\/$/, ''), parsed.text('token') ?? '')
    }
    const data = parsed.value('data')
    const local = readLocal(resolve(startFolder(env), data))
    if (local) return new RemoteServer(command, local.url, local.token)
    throw new BadLines([
      `${command}: no server runs on ${data}: start \`mergeyard serve\`, or name it with --data or --url`,
    ])
  }

  /** Sends a request. Throws `Refused` with the words of the server. */
  async call<Answer>(operation: string, body: object): Promise<Answer> {
    const response = await this.#fetch(operation, body)
    const text = await response.text()
    if (!response.ok) throw new Refused(response.status, `${this.#command}: ${text}`)
    const answer: Answer = JSON.parse(text)
    return answer
  }

  /** The queue that the options name, or the only one on which the server works. */
  async queue(parsed: ParsedRemote): Promise<QueueRef> {
    const named = parsed.text('queue')
    if (named !== null) return this.#queueNamed(named)
    const { repositories } = await this.call<wire.Repositories>('listRepositories', {})
    const [first, ...more] = repositories.map(({ repo, targetBranch }) => ({
      ...repo,
      targetBranch,
    }))
    if (first && more.length === 0) return first
    const names = [first ?? [], more].flat().map(nameOfQueue).join(', ')
    throw new BadLines([
      `${this.#command}: ${first ? `name one of the queues with --queue: ${names}` : 'name the queue with --queue: the server works on no repository'}`,
    ])
  }

  #queueNamed(name: string): QueueRef {
    try {
      return queueRefFrom(name)
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error)
      throw new BadLines([`${this.#command}: --queue: ${words}`])
    }
  }

  async #fetch(operation: string, body: object): Promise<Response> {
    try {
      return await fetch(`${this.url}/v1/${operation}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-token': this.#token },
        body: JSON.stringify(body),
      })
    } catch (error) {
      const cause =
        error instanceof Error && error.cause instanceof Error ? error.cause.message : ''
      throw new BadLines([`${this.#command}: ${this.url} does not answer: ${cause}`])
    }
  }
}

/** What requests name a queue with. */
export function refOnWire({ host, owner, name, targetBranch }: QueueRef): wire.QueueRef {
  return { repo: { host, owner, name }, targetBranch }
}
