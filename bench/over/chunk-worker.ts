/** The entry of a thread of a worker: does the tasks of one chunk. */

import { packedJson, unpackedTasks } from './messages.ts'
import type { ChunkAnswer, ChunkFault, ChunkOfTasks } from './messages.ts'
import { messageOf } from '../../server/terminal/text.ts'

// The pool calls the function by this name. An error that it throws is an answer; only a thread that
// ends is none.
export async function chunkWorker(chunk: ChunkOfTasks): Promise<ChunkAnswer | ChunkFault> {
  const { place } = chunk
  const startedAt = performance.now()
  try {
    const run = await workerNamed(chunk.worker)
    const tasks = unpackedTasks(chunk.tasks)
    const answers: unknown[] = []
    for (const task of tasks) answers.push(await run(task))
    return { place, answers: packedJson(exactJson(answers)), ms: performance.now() - startedAt }
  } catch (error) {
    return { place, fault: messageOf(error) }
  }
}

/** Returns the value as JSON. Throws for a number that JSON does not have, because it would be read as null. */
function exactJson(value: unknown): string {
  return JSON.stringify(value, (key: string, each: unknown) => {
    if (typeof each === 'number' && !Number.isFinite(each)) {
      throw new Error(`${key}: JSON has no ${each}`)
    }
    return each
  })
}

// The workers that a machine may be asked for. What comes out of a database must not choose code.

const modules: Readonly<Record<string, string>> = {
  capacityWorker: '../capacity/capacity-worker.js',
  checkWorker: '../../sim/exhaustive/search.js',
  compareWorker: '../compare/compare-worker.js',
  huntWorker: '../../sim/defects/hunt.js',
  seedWorker: '../../sim/campaign/seed-worker.js',
  soakWorker: '../../sim/soak/soak-seed.js',
  tuneWorker: '../tune/tune-worker.js',
  worstWorker: '../../sim/worst/worst-worker.js',
}

type WorkerFunction = (task: unknown) => unknown

/** Returns the worker of this name. Throws for one that is not in the list. */
async function workerNamed(name: string): Promise<WorkerFunction> {
  const path = Object.hasOwn(modules, name) ? modules[name] : undefined
  if (path === undefined) throw new Error(`no worker is called ${JSON.stringify(name)}`)
  const module: Readonly<Record<string, WorkerFunction>> = await import(
    new URL(path, import.meta.url).href
  )
  const found = module[name]
  if (!found) throw new Error(`${path} has no ${name}`)
  return found
}
