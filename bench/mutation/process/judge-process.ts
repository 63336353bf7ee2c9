/** The entry of the process that judges one mutant. It loads the engine with the mistake in it. */

import { once } from 'node:events'
import { register } from 'node:module'
import { Worker } from 'node:worker_threads'
import { judgeNamed } from '../judges/index.ts'
import type { JudgeName } from '../judges/judge.ts'
import type { Replaced } from './hooks.ts'
import type { WatchdogData } from './watchdog.ts'

export type JudgeRequest = {
  /** The file with the mistake; null for the engine as it is. */
  readonly replaced: Replaced | null
  readonly file: string | null
  readonly judges: readonly JudgeName[]
  readonly isFast: boolean
  readonly repository: string
  readonly seeds: number
  readonly traces: readonly string[] | null
  /** The processor time that one scenario, seed or test file may take. */
  readonly budgetMs: number
}

/** Sent for each judge. */
export type JudgeAnswer = { readonly judge: JudgeName; readonly noticed: string | null }

/** `done` is sent after the last answer. */
export type JudgeMessage = JudgeAnswer | 'done'

const [request]: JudgeRequest[] = await once(process, 'message')
if (!request) throw new Error('no request')

const progress = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
const watch: WatchdogData = { progress, budgetMs: request.budgetMs }
new Worker(new URL('./watchdog.js', import.meta.url), { workerData: watch }).unref()

if (request.replaced) {
  register(new URL('./hooks.js', import.meta.url), { data: request.replaced })
}

for (const name of request.judges) {
  const noticed = await noticedBy(name, request)
  process.send?.({ judge: name, noticed } satisfies JudgeMessage)
  if (noticed !== null && request.isFast) break
}
// A test may leave something open, so the process does not end by itself.
process.send?.('done' satisfies JudgeMessage)

/** Asks a judge. A mutant that throws is noticed, also when its module does not load. */
async function noticedBy(name: JudgeName, options: JudgeRequest): Promise<string | null> {
  const onProgress = (): void => void Atomics.add(progress, 0, 1)
  try {
    const judge = await judgeNamed(name)
    return await judge({ ...options, onProgress })
  } catch (error) {
    const [line = ''] = String(error).split('\n')
    return `threw ${line.slice(0, 200)}`
  }
}
