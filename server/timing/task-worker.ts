/** The other side of a `TaskThread`: runs the function that its data names. An error ends the thread. */

import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadWork } from './task-thread.ts'

type Exports = Readonly<Record<string, (task: unknown) => unknown>>

const { module, name }: ThreadWork = workerData
const exports: Exports = await import(module)

parentPort?.on('message', (task: unknown) => {
  void answer(task)
})

async function answer(task: unknown): Promise<void> {
  parentPort?.postMessage(await exports[name]?.(task), [])
}
