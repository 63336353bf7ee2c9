/**
 * Work on queues that one of several servers does at a time. Who has the term begins as after a crash, with what is
 * committed and nothing else, and what it sends is decided only while the term lasts.
 */

import type { Enter } from '../queues/entrance.ts'
import { TermKeeper, type Work } from '../timing/term-keeper.ts'
import type { TermPorts } from '../timing/term.ts'
import { Committed, type CommittedPorts } from './committed.ts'

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
      ...{ database, timers, enter: within(enter, keeper) },
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
