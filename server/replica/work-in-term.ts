/**
 * Work on queues that one of several servers does at a time. Who has the term begins as after a crash, with what is
 * committed and nothing else, and what it sends is decided only while the term lasts.
 */

import type { Enter } from '../queues/entrance.ts'
import { TermKeeper, type Work, type TermPorts } from '../timing/term-keeper.ts'
import { Committed, type CommittedPorts } from './committed.ts'
import type { RecordedCommand } from '../../engine/index.ts'
import type { Queues } from '../hosting/hosting.ts'
import type { ManagerOutcome } from '../queues/queue-registry.ts'

export type WorkInTermPorts = TermPorts &
  Pick<CommittedPorts, 'database' | 'engine'> & {
    readonly enter: Enter
    /** Begins to work on what is committed. If it rejects, another server may try. */
    readonly begin: (committed: Committed) => Promise<Work>
    readonly onFault: (error: unknown, what: 'cannot begin' | 'cannot follow the log') => void
    /** Rehearsals plant a defect here. */
    readonly within?: typeof inTerm
  }

/** Returns the keeper of the term, which was not started yet. */
export function workInTerm({ within = inTerm, ...ports }: WorkInTermPorts): TermKeeper {
  const { database, enter, engine, timers, begin, onFault } = ports
  const beginWork = async (): Promise<Work> => {
    const committed = await Committed.open({
      database,
      timers,
      enter: within(enter, keeper),
      ...(engine === undefined ? {} : { engine }),
      onFault: (error) => onFault(error, 'cannot follow the log'),
      // What is under way is about queues that are not there any more.
      onReplaced: () => keeper.interrupt(),
    })
    try {
      const work = await begin(committed)
      return {
        close: async () => {
          await work.close()
          await committed.close()
        },
      }
    } catch (error) {
      await committed.close()
      throw error
    }
  }
  const keeper: TermKeeper = new TermKeeper({
    ...ports,
    begin: beginWork,
    onFault: (error) => onFault(error, 'cannot begin'),
  })
  return keeper
}

/** The decision belongs to a term that may be over. The server that has the term decides for itself. */
export class OutOfTerm extends Error {
  override readonly name = 'OutOfTerm'

  constructor() {
    super('another server may work on the repositories now')
  }
}

/**
 * Access to the queues for as long as the term lasts. A server that was suspended must not report what it
 * read before.
 */
function inTerm(enter: Enter, term: Pick<TermKeeper, 'isSure'>): Enter {
  return (kind, work) =>
    enter(kind, (manager) => {
      if (!term.isSure) throw new OutOfTerm()
      return work(manager)
    })
}

// The queues of a shared log, for who works on their repositories.

export function sharedQueues(committed: Committed): Queues {
  const all = new Map<string, Sent>()
  const sentTo = (queue: string): Sent => {
    const sent = all.get(queue) ?? new Sent((command) => committed.ask(queue, command))
    all.set(queue, sent)
    return sent
  }
  return {
    get registry() {
      return committed.registry
    },
    subscribe: (subscriber) => void committed.subscribe(subscriber),
    send: (queue, command) => sentTo(queue).send(command),
    ask: (queue, command, by) => committed.ask(queue, command, by),
    settled: (queue) => sentTo(queue).settled(),
    // What is seen is committed.
    durable: () => undefined,
  }
}

/** What was sent to one queue of a shared log, in order, and is not seen there yet. */
export class Sent {
  readonly #ask: (command: RecordedCommand) => Promise<ManagerOutcome>
  #underWay = 0
  #last: Promise<void> = Promise.resolve()
  /** Why it is not known whether something was done. */
  #fault: unknown = null

  constructor(ask: (command: RecordedCommand) => Promise<ManagerOutcome>) {
    this.#ask = ask
  }

  /** Sends a command whose outcome does not matter: `settled` tells when it is seen. */
  send(command: RecordedCommand): void {
    this.#underWay++
    const asked = this.#ask(command)
      .catch((error: unknown) => {
        this.#fault = error
      })
      .finally(() => this.#underWay--)
    this.#last = Promise.all([this.#last, asked]).then(() => undefined)
  }

  /**
   * Settles when all that was sent is seen; undefined if it already is. Rejects, once, if it is not known
   * whether some of it was done.
   */
  settled(): Promise<void> | undefined {
    return this.#underWay === 0 && this.#fault === null ? undefined : this.#settle()
  }

  async #settle(): Promise<void> {
    await this.#last
    const fault = this.#fault
    this.#fault = null
    if (fault instanceof Error) throw fault
  }
}
