/**
 * Webhooks of code hosts, which reach any server. What they say is passed on to the one that works there. A
 * lost one is no harm: the next look sees the same.
 */

import type { Pool } from 'pg'
import type { HookPorts, NamedHint } from './forge/hook.ts'
import type { Timers } from './replica/waker.ts'

export type SharedHooksPorts = {
  readonly pool: Pick<Pool, 'query'>
  readonly timers: Timers
  /** True while this server works on the repositories. */
  readonly isWorking: () => boolean
}

type Passed = { readonly path: string; readonly hint: NamedHint }

/** What another server has passed on is seen so late at most. */
const everyMs = 500

export class SharedHooks {
  readonly #own: readonly HookPorts[]
  readonly #ports: SharedHooksPorts
  #taken: Promise<void> = Promise.resolve()
  #cancel = (): void => undefined
  #isStopped = false

  constructor(own: readonly HookPorts[], ports: SharedHooksPorts) {
    this.#own = own
    this.#ports = ports
  }

  /** The same webhooks, for a server that may not be the one that works. */
  get hooks(): HookPorts[] {
    return this.#own.map((own) => ({
      ...own,
      hint: (repository, hint) => {
        if (this.#ports.isWorking()) own.hint(repository, hint)
        else this.#passOn({ path: own.path, hint: { ...hint, repository } })
      },
    }))
  }

  start(): void {
    if (this.#own.length === 0 || this.#isStopped) return
    this.#cancel = this.#ports.timers.after(everyMs, () => {
      // If the database cannot be reached, the next time tries again.
      this.#taken = this.#take()
        .catch(() => undefined)
        .finally(() => this.start())
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel()
    await this.#taken
  }

  #passOn(passed: Passed): void {
    const text = JSON.stringify(passed)
    const insert = 'insert into mergeyard.hints (hint) values ($1)'
    this.#ports.pool.query(insert, [text]).catch(() => undefined)
  }

  async #take(): Promise<void> {
    if (!this.#ports.isWorking()) return
    const { rows } = await this.#ports.pool.query<{ hint: string }>(
      'delete from mergeyard.hints returning hint',
    )
    for (const { hint: text } of rows) {
      const { path, hint }: Passed = JSON.parse(text)
      this.#own.find((own) => own.path === path)?.hint(hint.repository, hint)
    }
  }
}
