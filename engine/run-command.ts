/**
 * One command, from what it says at once to everything that follows from it. Pure but for the
 * queue it is given: same queue, same command, same events.
 */

import { decide } from './commands/index.ts'
import { evolve } from './evolve/index.ts'
import type { Queue } from './model/state.ts'
import type { Command, CommandBody } from './protocol/commands.ts'
import type { Event } from './protocol/events.ts'
import type { Rejection } from './protocol/rejections.ts'
import { rules } from './rules/index.ts'
import type { Rule } from './rules/rule.ts'
import { stepOn, type Evolve, type Step } from './step.ts'

/** What the engine is made of. A test harness wraps these to inject defects; nobody else does. */
export type Parts = {
  readonly decide: (step: Step, command: CommandBody) => Rejection | null
  readonly rules: readonly Rule[]
  readonly evolve: Evolve
}

export const parts: Parts = { decide, rules: Object.values(rules), evolve }

export type Outcome =
  | { readonly accepted: true; readonly events: readonly Event[] }
  | { readonly accepted: false; readonly rejection: Rejection }

/**
 * Runs one command on `queue`, changing it. A refused command changes nothing.
 * Throws when time runs backwards or the engine contradicts itself: both are bugs of the caller
 * or of the engine, and the queue must not be used any further.
 */
export function runCommand(queue: Queue, command: Command, made: Parts = parts): Outcome {
  if (command.at < queue.now) {
    throw new Error(`time runs backwards: ${command.at} ms after ${queue.now} ms`)
  }
  const before = queue.now
  queue.now = command.at
  const events: Event[] = []
  const step = stepOn(queue, command.at, events, made.evolve)
  const rejection = made.decide(step, command)
  if (rejection) {
    queue.now = before
    return { accepted: false, rejection }
  }
  settle(step, made.rules)
  return { accepted: true, events }
}

/** Beyond this many actions per group and pull request in reach, the rules chase each other. */
const actionsPerPullRequest = 100

/** Tries the rules in order, from the first again whenever one says so, until none does. */
function settle(step: Step, inOrder: readonly Rule[]): void {
  const { queue } = step
  const inReach = 1 + queue.line.length + queue.bisections.length + queue.order.pending
  const bound = actionsPerPullRequest * (inReach + queue.configuration.concurrency)
  for (let actions = 0; actions < bound; actions++) {
    if (!actOnce(step, inOrder)) return
  }
  throw new Error(`the rules do not come to rest after ${bound} actions`)
}

/** Tries each, up to one after which all are to be tried again; false where none says so. */
function actOnce(step: Step, inOrder: readonly Rule[]): boolean {
  for (const rule of inOrder) {
    if (rule(step)) return true
  }
  return false
}
