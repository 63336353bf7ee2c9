/**
 * An engine that died, made anew: from a snapshot of its state, and the commands it had accepted
 * since. What it told the ports before it died is not repeated; `resume` sees to that.
 */

import {
  Engine,
  runCommand,
  type Command,
  type Parts,
  type Ports,
  type Queue,
} from '../engine/index.ts'

export type Remains = {
  /** The state as JSON, at some earlier moment. */
  readonly snapshot: string
  /** Every command accepted since, in order. */
  readonly log: readonly Command[]
}

export function rebuild({ snapshot, log }: Remains, ports: Ports, parts: Parts): Engine {
  const queue: Queue = JSON.parse(snapshot)
  for (const command of log) runCommand(queue, command, parts)
  return new Engine(queue, ports, parts)
}
