/** What people ask the queue for on its host: by the enqueueing label, and by comments. */

import type { Logger } from 'pino'
import type { PullRequestNumber } from '../../engine/index.ts'
import type { Pull, Wish } from '../hosting/forge.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { ForgeApi } from './api.ts'
import { newCommands, type Asked } from './commands.ts'
import { labelWishes } from './label-wishes.ts'
import type { Memory, KeptMemory } from './memory.ts'

type Parts = {
  readonly api: ForgeApi
  readonly queue: ManagedQueue
  readonly file: KeptMemory
  readonly logger: Logger
  readonly now: () => number
  /** Tells in the comment of the queue why a wish is refused. */
  readonly refuse: (number: PullRequestNumber, words: string) => void
}

export class Wishes {
  readonly #parts: Parts
  /** What was known before the wishes that are not answered yet. */
  #before: Memory
  #unanswered = 0

  constructor(parts: Parts) {
    this.#parts = parts
    this.#before = parts.file.memory
  }

  /**
   * What is asked for now. It counts as known when all of it was answered; until then a fault, or a crash,
   * makes it be asked again, which changes nothing for what was done already.
   */
  async look(pulls: ReadonlyMap<PullRequestNumber, Pull>, isCommentDue: boolean): Promise<Wish[]> {
    const { file } = this.#parts
    if (this.#unanswered > 0) file.change(this.#before)
    else await file.save()
    this.#before = file.memory
    this.#unanswered = 1
    const byLabel = await this.#byLabel(pulls)
    const wishes = isCommentDue ? [...byLabel, ...(await this.#byComment(pulls))] : byLabel
    this.#unanswered = wishes.length
    return wishes.map((wish) => ({
      ...wish,
      answer: (refused) => {
        this.#unanswered -= 1
        wish.answer(refused)
      },
    }))
  }

  /** Call it at the end: what was answered is known at the next start. */
  async close(): Promise<void> {
    if (this.#unanswered === 0) await this.#parts.file.save()
  }

  async #byLabel(pulls: ReadonlyMap<PullRequestNumber, Pull>): Promise<Wish[]> {
    const { api, queue, file, refuse } = this.#parts
    const { labelCommandsEnabled, enqueueingLabel } = queue.engine.queue.configuration
    if (!labelCommandsEnabled || enqueueingLabel === '') return []
    const queued = new Set(queue.positions().numbers())
    const isQueued = (number: PullRequestNumber): boolean => queued.has(number)
    const { labelled: before } = file.memory
    const read = labelWishes(pulls.values(), enqueueingLabel, { labelled: before, isQueued })
    const unseen = before.filter((number) => !pulls.has(number) && isQueued(number))
    file.change({ labelled: [...read.labelled, ...unseen] })
    const wishes: Wish[] = []
    for (const { number, is } of read.wishes) {
      if (is === 'remove label') {
        await api.removeLabel(number, enqueueingLabel)
        continue
      }
      const answer = (refused: string | null): void => {
        if (refused !== null) refuse(number, refused)
      }
      wishes.push({ number, is, answer })
    }
    return wishes
  }

  async #byComment(pulls: ReadonlyMap<PullRequestNumber, Pull>): Promise<Wish[]> {
    const { api, file, queue, now } = this.#parts
    if (!queue.engine.queue.configuration.commandsEnabled) {
      file.change({ commentsSince: null })
      return []
    }
    const asked = await newCommands(api, file, now())
    const wishes: Wish[] = []
    for (const each of asked) {
      // A comment on an issue, or on a pull request for another branch.
      if (!pulls.has(each.number)) continue
      const wish = await this.#wishOf(each, pulls)
      if (wish) wishes.push(wish)
    }
    return wishes
  }

  /** Whoever may write may command, asked at this moment. Authors may take their own work out. */
  async #wishOf(
    { comment, number, by, command }: Asked,
    pulls: ReadonlyMap<PullRequestNumber, Pull>,
  ): Promise<Wish | null> {
    const { api, logger, refuse } = this.#parts
    const show = (isHeeded: boolean): void => {
      api.react({ id: comment, number }, isHeeded).catch((error: unknown) => {
        logger.warn({ err: error, number }, 'a comment could not be answered')
      })
    }
    const isOwn = command.is === 'cancel' && pulls.get(number)?.author === by.login
    if (!isOwn && !(await api.mayWrite(by))) {
      show(false)
      return null
    }
    const answer = (refused: string | null): void => {
      show(refused === null)
      if (refused !== null) refuse(number, refused)
    }
    return { number, ...command, answer }
  }
}
