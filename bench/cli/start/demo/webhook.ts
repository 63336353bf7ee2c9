/** The webhook of a demo, which notifies the simulated CI of test runs. */

import { setTimeout as wait } from 'node:timers/promises'
import { dataFolder, type DataFolder } from '../../../../server/store/data-folder.ts'
import { makeEndpoint } from '../../../../server/webhooks/endpoints.ts'
import { readOutbox } from '../../../../server/webhooks/outbox-file.ts'
import { addEndpoint, removeEndpoint } from '../../admin/endpoints.ts'

const pollEveryMs = 20

export class DemoWebhook {
  readonly #folder: DataFolder
  #id = ''
  #secret = ''

  constructor(data: string) {
    this.#folder = dataFolder(data)
  }

  /** The secret that signs the messages; empty before `add`. */
  get secret(): string {
    return this.#secret
  }

  /** Adds the webhook. Resolves when the running server has read it or has failed. */
  async add(url: string, failure: AbortSignal): Promise<void> {
    const endpoint = makeEndpoint(url, null, new Date())
    const { id, secret } = endpoint
    await addEndpoint(this.#folder, endpoint)
    this.#id = id
    this.#secret = secret
    const isRead = (): boolean => readOutbox(this.#folder.outbox).deliveryQueues.has(id)
    while (!failure.aborted && !isRead()) await wait(pollEveryMs)
  }

  /** Removes the webhook if it was added. */
  async remove(): Promise<void> {
    if (this.#id !== '') await removeEndpoint(this.#folder, this.#id)
  }
}
