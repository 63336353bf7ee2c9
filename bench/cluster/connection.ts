/** What a server sees of the database over the network, and what it takes that for if a defect is planted. */

import type { LogDatabase, SavedState, Tail, Turn } from '../../server/replica/log-database.ts'
import type { Terms } from '../../server/timing/term-keeper.ts'
import type { OutboxDatabase } from '../../server/webhooks/outbox-database.ts'
import type { Session, SimulatedDatabase, TermName } from './database.ts'
import type { Defect } from './defects.ts'
import { type Habits, type Link, Wire } from './network.ts'
import { loadMs } from './plan.ts'

const habits: Habits = {
  delayMs: ({ draw }) => 0.2 + draw() ** 4 * 8,
  patienceMs: 3_000,
  breakRate: 0.004,
  lossRate: 0.004,
  calmFromMs: loadMs,
}

type Process = {
  readonly defect: Defect | null
  /** Of its server among all. */
  readonly place: number
  /** Is called with the session of a turn, which ends with the process. */
  readonly onSession: (session: Session) => void
}

const sound: Process = { defect: null, place: 0, onSession: () => undefined }

export function connect(link: Link, database: SimulatedDatabase, process: Process = sound) {
  const wire = new Wire(link, habits)
  return {
    log: logOver(wire, database, process),
    outbox: outboxOver(wire, database, process.defect),
    termsOf: (name: TermName): Terms => ({
      take: (server) => wire.ask((answer) => answer(database.takeTerm(name, server))),
      giveBack: (server) => wire.ask((answer) => answer(database.giveBackTerm(name, server))),
    }),
  }
}

function logOver(wire: Wire, database: SimulatedDatabase, process: Process): LogDatabase {
  const { defect, onSession } = process
  const view = new View(process)
  const read = (after: number): Promise<Tail> =>
    wire.ask((answer) => answer(database.readTail(after)))
  const begin = async (after: number): Promise<Turn> => {
    const early = defect === 'tail-read-before-the-lock' ? await read(after) : null
    const session: Session = { isOpen: true, stopIdle: () => undefined }
    onSession(session)
    const end = (): void => wire.tell(() => database.end(session))
    const locked = await wire
      .ask<Tail>((answer, refuse) =>
        database.begin(session, after, answer, () => refuse('the lock was not free in time')),
      )
      .catch((error: unknown) => {
        // The connection is closed, and the database notices it sooner or later.
        end()
        throw error
      })
    const tail = view.seen(early ?? locked, after)
    return {
      tail,
      commit: async (lines, head) => {
        const committed = wire.ask<void>((answer, refuse) => {
          if (database.commit(session, lines, head)) answer()
          else refuse('the session has ended')
        })
        const isTrusted = defect === 'a-failed-commit-counts'
        if (defect === 'answers-before-the-commit') committed.catch(() => undefined)
        else await (isTrusted ? committed.catch(() => undefined) : committed)
        view.last = { ...tail, head, chainBefore: head.chain, lines: [] }
      },
      rollBack: () => Promise.resolve(end()),
    }
  }
  return {
    begin,
    readTail: async (after) => view.remembered(after) ?? view.seen(await read(after), after),
    savedState: (upTo) =>
      defect === 'chain-not-compared'
        ? Promise.resolve(null)
        : wire.ask<SavedState | null>((answer) => answer(database.savedState(upTo))),
    saveState: (state) => wire.ask((answer) => answer(database.saveState(state))),
  }
}

const minutesApartMs = 150_000

/** What a process takes the log for. */
class View {
  /** What the last turn has shown. */
  last: Tail | null = null
  readonly #process: Process
  /** The chain of the entry that it knows. */
  #known = ''

  constructor(process: Process) {
    this.#process = process
  }

  remembered(after: number): Tail | null {
    const isKept = this.#process.defect === 'reads-from-memory'
    return isKept && this.last?.head.sequence === after ? this.last : null
  }

  seen(tail: Tail, after: number): Tail {
    const { defect, place } = this.#process
    if (defect === 'own-clocks') return { ...tail, now: tail.now + place * minutesApartMs }
    if (defect === 'older-engine-goes-on') return { ...tail, head: { ...tail.head, engine: 0 } }
    return defect === 'chain-not-compared' ? this.#trusted(tail, after) : tail
  }

  /** Says of every entry that it is the one that was known. */
  #trusted(tail: Tail, after: number): Tail {
    if (this.last?.head.sequence === after) this.#known = this.last.head.chain
    const chainBefore = after === 0 ? '' : this.#known
    const last = tail.lines.at(-1)
    this.#known = last?.chain ?? chainBefore
    const head = { ...tail.head, sequence: after, chain: this.#known }
    return { ...tail, chainBefore, head: last ? tail.head : head }
  }
}

function outboxOver(
  wire: Wire,
  database: SimulatedDatabase,
  defect: Defect | null,
): OutboxDatabase {
  const write: OutboxDatabase['write'] = (...asked) =>
    wire.ask((answer) => answer(database.writeOutbox(...asked)))
  /** How many writes count that were not made. */
  let behind = 0
  return {
    write: async (sender, { lines, settled, ...at }) => {
      const revision = at.revision - behind
      if (defect !== 'position-before-its-messages') {
        const written = write(sender, { ...at, revision, lines, settled })
        if (defect !== 'a-failed-write-counts') return written
        return written.catch(() => {
          behind++
          return true
        })
      }
      if (!(await write(sender, { ...at, lines: [], settled: [] }))) return false
      return write(sender, { ...at, lines, settled, revision: revision + 1 })
    },
    read: () => {
      behind = 0
      return wire.ask((answer) => answer(database.readOutbox()))
    },
    endpoints: () => wire.ask((answer) => answer(database.endpoints)),
  }
}
