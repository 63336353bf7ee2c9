/** What a server sees of the database over the network, and what it takes that for if a defect is planted. */

import type { LogDatabase, Tail } from '../../server/replica/log-database.ts'
import type { Terms } from '../../server/timing/term-keeper.ts'
import type { OutboxDatabase } from '../../server/webhooks/outbox-database.ts'
import type { SimulatedDatabase, TermName } from './database.ts'
import { type Habits, type Process, type Wire, wireOf } from './network.ts'
import { loadMs } from './plan.ts'

const lossRate = 0.004
const habits: Habits = {
  delayMs: ({ draw }) => 0.2 + draw() ** 4 * 8,
  patienceMs: 3_000,
  lossRate: (nowMs) => (nowMs < loadMs ? lossRate : 0),
}

export function connect(process: Process, database: SimulatedDatabase) {
  const { defect } = process
  const wire = wireOf(process, habits)
  return {
    log: logOver(wire, database, process),
    outbox: outboxOver(wire, database, process),
    termsOf: (name: TermName): Terms => {
      let isRefused = false
      return {
        take: async (server) => {
          if (defect === 'asks-for-the-term-once' && isRefused) return false
          isRefused = !(await wire.ask(() => database.takeTerm(name, server)))
          return !isRefused
        },
        giveBack: (server) => wire.ask(() => database.giveBackTerm(name, server)),
      }
    },
  }
}

function logOver(wire: Wire, database: SimulatedDatabase, process: Process): LogDatabase {
  const { defect } = process
  /** The end of the log, as the process has seen or written it last. */
  let end: Tail | null = null
  const seen = (tail: Tail, after: number): Tail => {
    const { head, lines } = tail
    if (defect === 'chain-not-compared' && lines.length === 0 && end?.head.sequence === after)
      return { ...end, now: tail.now }
    end = endOf(tail)
    if (defect === 'own-clocks') return { ...tail, now: process.timers.now() }
    return defect === 'older-engine-goes-on' ? { ...tail, head: { ...head, engine: 0 } } : tail
  }
  const read = (after: number): Promise<Tail> => wire.ask(() => database.readTail(after))
  return {
    begin: async (after) => {
      const early = defect === 'tail-read-before-the-lock' ? await read(after) : null
      const turn = await wire.ask(() => database.begin(process.name, after))
      const tail = seen(early ?? turn.tail, after)
      return {
        tail,
        commit: async (lines, head) => {
          const committed = wire.ask(() => turn.commit(lines, head))
          const trusted = committed.catch(() => undefined)
          if (defect !== 'answers-before-the-commit')
            await (defect === 'a-failed-commit-counts' ? trusted : committed)
          end = endOf({ ...tail, head })
        },
        rollBack: () => Promise.resolve(wire.tell(() => void turn.rollBack())),
      }
    },
    readTail: async (after) => {
      if (defect === 'reads-from-memory' && end?.head.sequence === after) return end
      return seen(await read(after), after)
    },
    savedState: (upTo) => wire.ask(() => database.savedState(upTo)),
    saveState: (state) => wire.ask(() => database.saveState(state)),
  }
}

/** What follows the last entry of a tail, as long as nobody appends. */
const endOf = (tail: Tail): Tail => ({ ...tail, chainBefore: tail.head.chain, lines: [] })

function outboxOver(wire: Wire, database: SimulatedDatabase, { defect }: Process): OutboxDatabase {
  const write: OutboxDatabase['write'] = (...asked) =>
    wire.ask(() => database.writeOutbox(...asked))
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
      return wire.ask(() => database.readOutbox())
    },
    endpoints: () => wire.ask(() => database.endpoints),
  }
}
