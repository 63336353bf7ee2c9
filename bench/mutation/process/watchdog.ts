/**
 * A thread that ends the process when it makes no progress. It measures processor time, so the
 * verdict does not depend on what else the machine does.
 */

import { workerData } from 'node:worker_threads'

export type WatchdogData = {
  /** The number of finished pieces of work, counted up by the main thread. */
  readonly progress: Int32Array
  /** The processor time that one piece of work may take. */
  readonly budgetMs: number
}

const pollMs = 100

const { progress, budgetMs }: WatchdogData = workerData

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

let seen = Atomics.load(progress, 0)
let sinceMs = cpuMs()

setInterval(() => {
  const now = Atomics.load(progress, 0)
  if (now !== seen) {
    seen = now
    sinceMs = cpuMs()
  } else if (cpuMs() - sinceMs > budgetMs) {
    // The main thread does not return, so only a signal ends the process.
    process.kill(process.pid, 'SIGKILL')
  }
}, pollMs)
