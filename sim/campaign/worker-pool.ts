/**
 * Pools of worker threads, one thread per core. Idle pools are reused, because each new thread loads
 * and compiles the engine and the simulator again.
 */

import { availableParallelism } from 'node:os'
import { Tinypool } from 'tinypool'

/**
 * The maximum delay of a timer: threads of an idle pool do not end. They do not keep the process
 * alive.
 */
const idleTimeoutMs = 2 ** 31 - 1

/** Pools without tasks. Concurrent work uses separate pools. */
const idlePools: Tinypool[] = []

export const threads = Math.max(1, availableParallelism())

/** Returns an idle pool or a new one. Its threads start when they get tasks. */
export function takePool(): Tinypool {
  const idle = idlePools.pop()
  if (idle) return idle
  return new Tinypool({ minThreads: 0, maxThreads: threads, idleTimeout: idleTimeoutMs })
}

/** Returns a pool without tasks for reuse. Destroy a pool with unfinished tasks instead. */
export function givePoolBack(pool: Tinypool): void {
  idlePools.push(pool)
}
