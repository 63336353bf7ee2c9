/**
 * A defect for each sentence of the argument that the protocol is correct: of the log, of the webhooks, of the work on
 * repositories. With the defect the sentence does not hold, and that must be noticed. Each is planted by its name, where
 * the sentence is kept.
 */

export const defects = [
  ['answers-before-the-commit', 'nobody is answered before the commit has settled'],
  ['a-failed-commit-counts', 'a commit whose outcome is unknown throws the register away'],
  ['reads-from-memory', 'a read begins with the head'],
  ['no-idle-timeout', 'the database takes the lock from a server that is suspended'],
  ['own-clocks', 'the clock of the database is the one clock of all servers'],
  [
    'neither-lock-nor-key',
    'the lock of the head, or else the unique number, lets one server append at a time',
  ],
  ['tail-read-before-the-lock', 'the tail is read while the lock is held'],
  ['chain-not-compared', 'the entry that was thought to be the last one is compared by its chain'],
  ['any-saved-state', 'a saved state is loaded only if its entry is in the log'],
  ['wakes-without-a-read', 'a queue is woken only if it is due after catching up'],
  ['no-sweep', 'every server looks once a second for wake-ups of servers that are gone'],
  ['older-engine-goes-on', 'an older engine does not append after a newer one'],
  [
    'anybody-writes-the-outbox',
    'a write is refused if the term of its sender is over, whatever the sender believes',
  ],
  ['writes-on-any-outbox', 'a write is refused if the outbox is not the one that the sender knows'],
  [
    'writes-on-any-log',
    'a write is refused if the log has not the entry up to which the sender has read',
  ],
  ['terms-do-not-end', 'another server takes the term of a sender that has died'],
  ['posts-after-its-term', 'a sender looks before each post whether its term can be over'],
  [
    'position-before-its-messages',
    'the position in the log is written together with the messages before it',
  ],
  ['a-failed-write-counts', 'a write whose outcome is unknown ends the term of the sender'],
  ['begins-at-the-end-of-the-log', 'a new sender goes on where the outbox ends'],
  [
    'ids-without-the-chain',
    'the id of a message names the history that it is of, and not only the place',
  ],
  ['tells-after-its-term', 'what a server sends is decided only while its term lasts'],
  ['works-without-a-term', 'a server works only if the database gives it the term'],
  ['a-term-for-ever', 'a server counts by its own clock when its term is over'],
  ['asks-for-the-term-once', 'a server that does not work asks for the term again and again'],
] as const

export type Defect = (typeof defects)[number][0]
