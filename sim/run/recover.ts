/**
 * Rebuilds a crashed engine from a snapshot and the commands accepted after it. That does not
 * repeat its calls to the ports: `resume` makes the calls that may have been lost.
 */

import {
  Engine,
  runCommand,
  type Command,
  type EngineParts,
  type Ports,
  type Queue,
} from '../../engine/index.ts'

export type RecoveryData = {
  /** An earlier state as JSON. */
  readonly snapshot: string
  /** Every command accepted after the snapshot, in order. */
  readonly log: readonly Command[]
}

export function rebuild({ snapshot, log }: RecoveryData, ports: Ports, parts: EngineParts): Engine {
  const queue: Queue = JSON.parse(snapshot)
  for (const command of log) runCommand(queue, command, parts)
  return new Engine(queue, ports, parts)
}
