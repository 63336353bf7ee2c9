/**
 * Webhooks: hears what happens, and has it brought to every endpoint that wants to know.
 *
 * What was acknowledged is told, also after a crash: the outbox knows up to where the command log
 * has been looked at, and what happened since is made again out of the log at the next start.
 */

import type { Logger } from 'pino'
import type { DataFolder } from '../store/data-folder.ts'
import { watchFile, type Watch } from '../store/watched-file.ts'
import type { Happening } from '../yard/announcer.ts'
import type { Register } from '../yard/register.ts'
import { catchUp } from './catch-up.ts'
import { Courier } from './courier.ts'
import { readEndpoints, type Endpoint } from './endpoints.ts'
import { Messages } from './messages.ts'
import type { Message } from './message.ts'
import { OutboxFile } from './outbox-file.ts'
import { post as realPost, type Post } from './post.ts'
import { systemTimers, type Timers } from './timers.ts'

export type WebhookPorts = {
  readonly logger: Logger
  readonly post?: Post
  readonly timers?: Timers
}

type Working = { readonly endpoint: Endpoint; readonly courier: Courier }

export class Webhooks {
  readonly #outbox: OutboxFile
  readonly #ports: Required<WebhookPorts>
  readonly #working = new Map<string, Working>()
  readonly #watch: Watch<readonly Endpoint[]>
  readonly #messages: Messages
  /** The place in the command log up to which everything was looked at. */
  #heard: number

  private constructor({ outbox, register, path }: Parts, ports: Required<WebhookPorts>) {
    this.#outbox = outbox
    this.#ports = ports
    this.#messages = new Messages(register, outbox.state.origin)
    this.#heard = register.sequence
    this.#watch = watchFile<readonly Endpoint[]>({
      path,
      read: () => readEndpoints(path),
      onChange: (changed) => {
        this.#employ(changed)
        ports.logger.info({ webhooks: changed.length }, 'read the webhooks again')
      },
      onFault: (error) =>
        ports.logger.error({ err: error }, 'the webhooks of before stay in force'),
    })
    this.#employ(this.#watch.first)
  }

  /** To be opened when the register has been read back, and before anything happens to it. */
  static async open(
    folder: DataFolder,
    register: Register,
    { logger, post = realPost, timers = systemTimers }: WebhookPorts,
  ): Promise<Webhooks> {
    const endpoints = readEndpoints(folder.webhooks)
    const outbox = await OutboxFile.open(folder.outbox, (error) =>
      logger.error({ err: error }, 'the outbox of the webhooks cannot be written'),
    )
    await lookAgain(folder, { outbox, endpoints, register, logger })
    return new Webhooks({ outbox, register, path: folder.webhooks }, { logger, post, timers })
  }

  /** For the event stream. */
  readonly hear = (happening: Happening): void => {
    this.#heard = happening.sequence
    const messages = this.#messages.of(happening)
    if (this.#working.size === 0) return
    for (const message of messages) this.#send(message)
    this.#outbox.reach(happening.sequence)
  }

  /** Breaks off what is under way, and writes down what is left to do. */
  async close(): Promise<void> {
    this.#watch.end()
    for (const { courier } of this.#working.values()) courier.stop()
    await this.#outbox.close()
  }

  #send(message: Message): void {
    const { mailboxes } = this.#outbox.state
    const takers = [...this.#working.values()].filter(
      ({ endpoint }) => wants(endpoint, message) && mailboxes.get(endpoint.id)?.isGone === false,
    )
    if (takers.length === 0) return
    const to = takers.map(({ endpoint }) => endpoint.id)
    this.#outbox.add({ line: 'message', message, to })
    for (const { endpoint, courier } of takers) {
      const letter = mailboxes.get(endpoint.id)?.letters.get(message.id)
      if (letter) courier.add(letter)
    }
  }

  /** From now on these are told, and no others. */
  #employ(endpoints: readonly Endpoint[]): void {
    for (const [id, { courier }] of this.#working) {
      if (endpoints.some((endpoint) => endpoint.id === id)) continue
      courier.stop()
      this.#working.delete(id)
    }
    const { mailboxes } = this.#outbox.state
    for (const id of [...mailboxes.keys()]) {
      if (endpoints.every((endpoint) => endpoint.id !== id)) {
        this.#outbox.add({ line: 'removed', endpoint: id })
      }
    }
    for (const endpoint of endpoints) {
      this.#resend(endpoint)
      if (!this.#working.has(endpoint.id)) this.#begin(endpoint)
    }
  }

  /** Where it is wished, what could not be delivered is like new, and whoever brought it begins anew. */
  #resend({ id, resendWished: wished }: Endpoint): void {
    const mailbox = this.#outbox.state.mailboxes.get(id)
    if (!mailbox || wished === undefined || mailbox.resendWished === wished) return
    this.#working.get(id)?.courier.stop()
    this.#working.delete(id)
    this.#outbox.add({ line: 'resend', endpoint: id, wished })
  }

  #begin(endpoint: Endpoint): void {
    const { logger, post, timers } = this.#ports
    const { id, url } = endpoint
    const { mailboxes } = this.#outbox.state
    if (!mailboxes.has(id)) {
      this.#outbox.add({ line: 'endpoint', endpoint: id })
      this.#outbox.reach(this.#heard)
    }
    const mailbox = mailboxes.get(id)
    const courier = new Courier(endpoint, mailbox?.isGone ?? false, {
      post,
      timers,
      note: (line) => this.#outbox.add(line),
      onUndelivered: ({ message, fault }) => {
        logger.warn({ url, message: message.id, fault }, 'a webhook could not be delivered')
      },
    })
    this.#working.set(id, { endpoint, courier })
    for (const letter of mailbox?.letters.values() ?? []) courier.add(letter)
  }
}

type Parts = {
  readonly outbox: OutboxFile
  readonly register: Register
  /** The file of the endpoints. */
  readonly path: string
}

function wants({ events }: Endpoint, { type }: Message): boolean {
  return events === null || events.includes(type)
}

type LookAgain = Omit<Parts, 'path'> & {
  readonly endpoints: readonly Endpoint[]
  readonly logger: Logger
}

/** Puts into the outbox what happened after it was last written. */
async function lookAgain(
  folder: DataFolder,
  { outbox, endpoints, register, logger }: LookAgain,
): Promise<void> {
  const { through, mailboxes, origin } = outbox.state
  const known = endpoints.filter(({ id }) => mailboxes.has(id))
  if (known.length === 0 || through === register.sequence) return
  let messages: Messages | null = null
  let count = 0
  await catchUp(folder, through, {
    begin: (then) => (messages = new Messages(then, origin)),
    hear: (happening) => {
      for (const message of messages?.of(happening) ?? []) {
        const to = known.filter((endpoint) => wants(endpoint, message)).map(({ id }) => id)
        const isThere = to.some((id) => mailboxes.get(id)?.letters.has(message.id))
        if (to.length === 0 || isThere) continue
        outbox.add({ line: 'message', message, to })
        count++
      }
    },
  }).catch((error: unknown) => {
    logger.error({ err: error }, 'what happened before the last stop may not be told to webhooks')
  })
  logger.info({ after: through, messages: count }, 'looked again at what webhooks are to be told')
  outbox.reach(register.sequence)
}
