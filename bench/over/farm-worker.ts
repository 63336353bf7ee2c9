/** A worker: takes chunks of the campaigns of a farm, does them on its threads, and answers. */

import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Tinypool } from 'tinypool'
import { campaigns, renew, type Campaign, type Farm, type FoundCampaign } from './farm.ts'
import type { ChunkAnswer, ChunkFault, ChunkOfTasks, Hello } from './messages.ts'
import { messageOf } from '../../server/terminal/text.ts'

export type FarmWorkerOptions = {
  readonly farm: Farm
  readonly threads: number
  /** When it is aborted, no chunk starts any more; started ones are answered. */
  readonly signal: AbortSignal
  /** Is told what a person at this machine may want to know. */
  readonly say: (line: string) => void
}

/** A lease is some times as long, so that one lost message does not lose it. */
const renewalMs = 4000

/** Looks for chunks so often while there is none. */
const idleMs = 100

/** Looks for other campaigns so often, and after an error of the database. */
const searchMs = 1000

const entry = { filename: new URL('./chunk-worker.js', import.meta.url).href, name: 'chunkWorker' }

export class FarmWorker {
  readonly name = `${hostname()}-${process.pid}-${randomBytes(2).toString('hex')}`
  readonly #options: FarmWorkerOptions
  readonly #pool: Tinypool
  /** The chunks that are being done, by their ids. */
  readonly #doing = new Map<string, { readonly campaign: Campaign; readonly end: Promise<void> }>()
  #campaigns: readonly Campaign[] = []
  #searchedAtMs = -Infinity
  readonly #told = new Set<string>()

  constructor(options: FarmWorkerOptions) {
    this.#options = options
    this.#pool = new Tinypool({ minThreads: 1, maxThreads: options.threads })
  }

  /** Works until the signal aborts. */
  async run(): Promise<void> {
    const { signal } = this.#options
    const renewing = setInterval(() => void this.#patiently(() => this.#renew()), renewalMs)
    try {
      while (!signal.aborted) await this.#patiently(() => this.#step())
      await Promise.all([...this.#doing.values()].map(({ end }) => end))
    } finally {
      clearInterval(renewing)
      await this.#pool.destroy()
    }
  }

  /** A database that restarts is no reason to end. */
  async #patiently(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#tell(`the database: ${messageOf(error)}`)
      await pause(searchMs)
    }
  }

  /** Takes chunks for the threads that are free; waits if there are none of either. */
  async #step(): Promise<void> {
    if (performance.now() - this.#searchedAtMs > searchMs) await this.#search()
    const free = this.#options.threads - this.#doing.size
    if (free === 0) return Promise.race([...this.#doing.values()].map(({ end }) => end))
    for (const campaign of this.#campaigns) {
      const { boss } = this.#options.farm
      const chunks = await boss.fetch<ChunkOfTasks>(campaign.tasks, { batchSize: free })
      for (const { id, data } of chunks) {
        this.#doing.set(id, { campaign, end: this.#do(campaign, id, data) })
      }
      if (chunks.length > 0) return undefined
    }
    return pause(this.#campaigns.length > 0 ? idleMs : searchMs)
  }

  async #do(campaign: Campaign, id: string, chunk: ChunkOfTasks): Promise<void> {
    const { boss } = this.#options.farm
    try {
      const answer = await this.#answerTo(chunk)
      if (!answer) {
        await boss.fail(campaign.tasks, id)
        return
      }
      await boss.send(campaign.said, answer)
      await boss.deleteJob(campaign.tasks, id)
    } catch (error) {
      // Without an answer the lease runs out, and another worker does the chunk.
      this.#tell(`an answer was lost: ${messageOf(error)}`)
    } finally {
      this.#doing.delete(id)
    }
  }

  /** Returns null if the thread ended, for example without memory. */
  async #answerTo(chunk: ChunkOfTasks): Promise<ChunkAnswer | ChunkFault | null> {
    try {
      const answer: ChunkAnswer | ChunkFault = await this.#pool.run(chunk, entry)
      return answer
    } catch (error) {
      this.#tell(`a thread ended: ${messageOf(error)}`)
      return null
    }
  }

  async #search(): Promise<void> {
    const found = await campaigns(this.#options.farm)
    this.#searchedAtMs = performance.now()
    this.#tellOfOthers(found)
    const mine = found.filter(({ joins }) => joins === 'yes')
    const known = new Set(this.#campaigns.map(({ tasks }) => tasks))
    this.#campaigns = mine
    // The coordinator hands out as much as it knows threads.
    for (const each of mine) if (!known.has(each.tasks)) await this.#greet(each)
  }

  async #renew(): Promise<void> {
    for (const campaign of this.#campaigns) {
      await this.#greet(campaign)
      const ids = [...this.#doing].flatMap(([id, each]) =>
        each.campaign.tasks === campaign.tasks ? [id] : [],
      )
      await renew(this.#options.farm, campaign, ids)
    }
  }

  async #greet({ said }: Campaign): Promise<void> {
    const hello: Hello = { hello: this.name, threads: this.#options.threads }
    await this.#options.farm.boss.send(said, hello)
  }

  #tellOfOthers(found: readonly FoundCampaign[]): void {
    for (const reason of ['another build', 'another result for seed 1'] as const) {
      const count = found.filter(({ joins }) => joins === reason).length
      if (count > 0) this.#tell(`${count} of the campaigns wait for ${reason} than this worker has`)
    }
  }

  /** Says it once. */
  #tell(line: string): void {
    if (this.#told.has(line)) return
    this.#told.add(line)
    this.#options.say(line)
  }
}
