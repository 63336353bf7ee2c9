/** A defect for each sentence of the argument that the protocol is correct. Every one must be noticed. */

import type { LogDatabase, Tail, Turn } from '../../server/replica/log-database.ts'
import type { OutboxDatabase } from '../../server/webhooks/outbox-database.ts'
import type { SenderPorts, LogFollower } from '../../server/webhooks/sender.ts'
import type { Defect } from './defect.ts'

/** A defect for each sentence of the argument that the webhooks of several servers are correct. */
const webhookDefects: readonly Defect[] = [
  {
    name: 'anybody-writes-the-outbox',
    sentence: 'a write is refused if the term of its sender is over, whatever the sender believes',
    weakness: 'writes of any sender',
    sending: believingInItsTerm,
  },
  {
    name: 'writes-on-any-outbox',
    sentence: 'a write is refused if the outbox is not the one that the sender knows',
    weakness: 'writes after any other',
  },
  {
    name: 'writes-on-any-log',
    sentence: 'a write is refused if the log has not the entry up to which the sender has read',
    weakness: 'writes for any log',
  },
  {
    name: 'terms-do-not-end',
    sentence: 'another server takes the term of a sender that has died',
    weakness: 'terms without an end',
  },
  {
    name: 'posts-after-its-term',
    sentence: 'a sender looks before each post whether its term can be over',
    sending: believingInItsTerm,
  },
  {
    name: 'position-before-its-messages',
    sentence: 'the position in the log is written together with the messages before it',
    betweenOutbox: (database) => ({
      ...database,
      write: async (sender, { lines, settled, ...write }) => {
        const none = { lines: [], settled: [] }
        if (!(await database.write(sender, { ...write, ...none }))) return false
        return database.write(sender, { ...write, lines, settled, revision: write.revision + 1 })
      },
    }),
  },
  {
    name: 'a-failed-write-counts',
    sentence: 'a write whose outcome is unknown ends the term of the sender',
    betweenOutbox: believingWrites,
  },
  {
    name: 'begins-at-the-end-of-the-log',
    sentence: 'a new sender goes on where the outbox ends',
    sending: (ports) => ({ ...ports, follow: () => ports.follow(null) }),
  },
  {
    name: 'ids-without-the-chain',
    sentence: 'the id of a message names the history that it is of, and not only the place',
    sending: (ports) => ({ ...ports, follow: async (after) => plain(await ports.follow(after)) }),
  },
]

/** Its clock does not go on, so for it no term is ever over. */
function believingInItsTerm(ports: SenderPorts): SenderPorts {
  return { ...ports, clock: () => 0 }
}

/** Takes what got no answer for written, and goes on from the revision that the database has. */
function believingWrites(database: OutboxDatabase): OutboxDatabase {
  let behind = 0
  return {
    ...database,
    read: () => {
      behind = 0
      return database.read()
    },
    write: async (sender, write) => {
      try {
        return await database.write(sender, { ...write, revision: write.revision - behind })
      } catch {
        behind++
        return true
      }
    },
  }
}

const plain = (log: LogFollower): LogFollower => ({
  get position() {
    return log.position
  },
  next: async () => (await log.next()).map((applied) => ({ ...applied, epoch: 'always' })),
})

// A defect for each sentence of the argument that one server works on the repositories.

const workDefects: readonly Defect[] = [
  {
    name: 'tells-after-its-term',
    sentence: 'what a server sends is decided only while its term lasts',
    working: (ports) => ({ ...ports, within: (enter) => enter }),
  },
  {
    name: 'works-without-a-term',
    sentence: 'a server works only if the database gives it the term',
    working: ({ terms, ...ports }) => ({
      ...ports,
      terms: { ...terms, take: async (server) => (await terms.take(server)) || true },
    }),
  },
  {
    name: 'a-term-for-ever',
    sentence: 'a server counts by its own clock when its term is over',
    working: (ports) => ({ ...ports, clock: () => 0 }),
  },
  {
    name: 'asks-for-the-term-once',
    sentence: 'a server that does not work asks for the term again and again',
    working: ({ terms, ...ports }) => {
      let isRefused = false
      return {
        ...ports,
        terms: {
          ...terms,
          take: async (server) => {
            if (!isRefused) isRefused = !(await terms.take(server))
            return !isRefused
          },
        },
      }
    },
  },
]

export const defects: readonly Defect[] = [
  {
    name: 'answers-before-the-commit',
    sentence: 'nobody is answered before the commit has settled',
    between: (database) =>
      withTurns(database, (turn) => ({
        ...turn,
        commit: (lines, head) => {
          void turn.commit(lines, head).catch(() => undefined)
          return Promise.resolve()
        },
      })),
  },
  {
    name: 'a-failed-commit-counts',
    sentence: 'a commit whose outcome is unknown throws the register away',
    between: (database) =>
      withTurns(database, (turn) => ({
        ...turn,
        commit: (lines, head) => turn.commit(lines, head).catch(() => undefined),
      })),
  },
  {
    name: 'reads-from-memory',
    sentence: 'a read begins with the head',
    between: rememberingTails,
  },
  {
    name: 'no-idle-timeout',
    sentence: 'the database takes the lock from a server that is suspended',
    weakness: 'no idle timeout',
  },
  {
    name: 'own-clocks',
    sentence: 'the clock of the database is the one clock of all servers',
    between: withOwnClock,
  },
  {
    name: 'neither-lock-nor-key',
    sentence: 'the lock of the head, or else the unique number, lets one server append at a time',
    weakness: 'no lock and no unique number',
  },
  {
    name: 'tail-read-before-the-lock',
    sentence: 'the tail is read while the lock is held',
    between: (database) => ({
      ...database,
      begin: async (after) => {
        const tail = await database.readTail(after)
        return { ...(await database.begin(after)), tail }
      },
    }),
  },
  {
    name: 'chain-not-compared',
    sentence: 'the entry that was thought to be the last one is compared by its chain',
    between: withoutChain,
  },
  {
    name: 'any-saved-state',
    sentence: 'a saved state is loaded only if its entry is in the log',
    weakness: 'any saved state',
  },
  {
    name: 'wakes-without-a-read',
    sentence: 'a queue is woken only if it is due after catching up',
    waking: (replica) => ({
      poll: () => replica.poll(),
      wakeDue: () =>
        replica.enter('write', (manager) => {
          for (const { name } of manager.registry.queues) manager.send(name, { type: 'wake' })
        }),
    }),
  },
  {
    name: 'no-sweep',
    sentence: 'every server looks once a second for wake-ups of servers that are gone',
    hasNoSweep: true,
  },
  {
    name: 'older-engine-goes-on',
    sentence: 'an older engine does not append after a newer one',
    between: (database) =>
      withTails(database, (tail) => ({ ...tail, head: { ...tail.head, engine: 0 } })),
  },
  ...webhookDefects,
  ...workDefects,
]

function withTurns(database: LogDatabase, change: (turn: Turn) => Turn): LogDatabase {
  return { ...database, begin: async (after) => change(await database.begin(after)) }
}

function withTails(
  database: LogDatabase,
  change: (tail: Tail, after: number) => Tail,
): LogDatabase {
  return {
    ...database,
    readTail: async (after) => change(await database.readTail(after), after),
    begin: async (after) => {
      const turn = await database.begin(after)
      return { ...turn, tail: change(turn.tail, after) }
    },
  }
}

/** After the first turn, reads are answered by what the last turn has shown. */
function rememberingTails(database: LogDatabase): LogDatabase {
  let last: Tail | null = null
  return {
    ...database,
    begin: async (after) => {
      const turn = await database.begin(after)
      return {
        ...turn,
        commit: async (lines, head) => {
          await turn.commit(lines, head)
          last = { ...turn.tail, head, chainBefore: head.chain, lines: [] }
        },
      }
    },
    readTail: async (after) => {
      if (last?.head.sequence === after) return last
      return database.readTail(after)
    },
  }
}

/** Each server has a clock of its own, some minutes apart from the others. */
function withOwnClock(database: LogDatabase, server: number): LogDatabase {
  return withTails(database, (tail) => ({ ...tail, now: tail.now + server * minutesApartMs }))
}

const minutesApartMs = 150_000

/** Says of every entry that it is the one that was known. */
function withoutChain(database: LogDatabase): LogDatabase {
  let known = ''
  const trusting = (tail: Tail, after: number): Tail => {
    const chainBefore = after === 0 ? '' : known
    const last = tail.lines.at(-1)
    known = last?.chain ?? chainBefore
    const isBehind = tail.head.sequence < after
    const head = last || !isBehind ? tail.head : { ...tail.head, sequence: after, chain: known }
    return { ...tail, chainBefore, head: last ? head : { ...head, chain: known, sequence: after } }
  }
  const noting = (turn: Turn): Turn => ({
    ...turn,
    commit: async (lines, head) => {
      await turn.commit(lines, head)
      known = head.chain
    },
  })
  const savedState = () => Promise.resolve(null)
  return { ...withTurns(withTails(database, trusting), noting), savedState }
}
