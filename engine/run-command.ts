/**
 * Runs one command: first its direct effect, then the rules until none acts. It has no side effect
 * except on the queue it receives, so the same queue and the same command give the same events.
 */

import { decide } from './commands/index.ts'
import { evolve } from './evolve/index.ts'
import type { Queue } from './model/state.ts'
import type { Command, CommandBody } from './protocol/commands.ts'
import type { Event } from './protocol/events.ts'
import type { Rejection } from './protocol/rejections.ts'
import { rules } from './rules/index.ts'
import type { Rule } from './rules/rule.ts'
import { stepOn, type Evolve, type Step } from './evolve/step.ts'

/** The replaceable parts of the engine. Only test harnesses replace them, to inject defects. */
export type EngineParts = {
  readonly decide: (step: Step, command: CommandBody) => Rejection | null
  readonly rules: readonly Rule[]
  readonly evolve: Evolve
}

export const engineParts: EngineParts = { decide, rules: Object.values(rules), evolve }

export type CommandOutcome =
  | { readonly accepted: true; readonly events: readonly Event[] }
  | { readonly accepted: false; readonly rejection: Rejection }

/**
 * Runs one command on `queue` and changes it. Returns the events in order, or the rejection; a
 * rejected command changes nothing. Throws if the command is earlier than the last accepted one
 * (an error of the caller) or if the engine contradicts itself (an error of the engine). The queue
 * must not be used after an exception.
 */
export function runCommand(
  queue: Queue,
  command: Command,
  parts: EngineParts = engineParts,
): CommandOutcome {
  if (command.at < queue.now) {
    throw new Error(`time runs backwards: ${command.at} ms after ${queue.now} ms`)
  }
  const before = queue.now
  queue.now = command.at
  const events: Event[] = []
  const step = stepOn(queue, command.at, events, parts.evolve)
  const rejection = parts.decide(step, command)
  if (rejection) {
    queue.now = before
    return { accepted: false, rejection }
  }
  settle(step, parts.rules)
  return { accepted: true, events }
}

/** With more actions than this per group and pending pull request, the rules do not terminate. */
const actionsPerPullRequest = 100

/** Tries the rules in order, and starts over whenever one returns true, until none does. */
function settle(step: Step, inOrder: readonly Rule[]): void {
  const { queue } = step
  const candidates = 1 + queue.line.length + queue.bisections.length + queue.order.pending
  const bound = actionsPerPullRequest * (candidates + queue.configuration.concurrency)
  for (let actions = 0; actions < bound; actions++) {
    if (!applyFirst(step, inOrder)) return
  }
  throw new Error(`the rules still act after ${bound} actions`)
}

/** Tries the rules in order until one returns true. Returns false if none does. */
function applyFirst(step: Step, inOrder: readonly Rule[]): boolean {
  for (const rule of inOrder) {
    if (rule(step)) return true
  }
  return false
}
