/** A defect for each sentence of the argument that the webhooks of several servers are correct. */

import type { LogFollower } from '../../server/webhooks/sending.ts'
import type { OutboxDatabase } from '../../server/webhooks/outbox-database.ts'
import type { SenderPorts } from '../../server/webhooks/sender.ts'
import type { Defect } from './defect.ts'

export const webhookDefects: readonly Defect[] = [
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
      ...bound(database),
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
    betweenOutbox: believing,
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

const bound = (database: OutboxDatabase): OutboxDatabase => ({
  write: (sender, write) => database.write(sender, write),
  read: () => database.read(),
  endpoints: () => database.endpoints(),
})

/** Its clock stands still, so for it no term is ever over. */
function believingInItsTerm(ports: SenderPorts): SenderPorts {
  return { ...ports, clock: () => 0 }
}

/** Takes what got no answer for written, and goes on from the revision that the database has. */
function believing(database: OutboxDatabase): OutboxDatabase {
  let behind = 0
  return {
    ...bound(database),
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
