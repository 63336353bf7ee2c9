/** Judges one mutant in processes of its own, because it may hang or take all memory. */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { judgeNames, type JudgeName } from '../judges/judge.ts'
import { compiledPath, repository } from '../mutants/engine-files.ts'
import { mutated, type Mutant } from '../mutants/mutant.ts'
import type { JudgeAnswer, JudgeMessage, JudgeRequest } from './judge-process.ts'
import type { Replaced } from './hooks.ts'

/** What each judge noticed; null if nothing. A judge that was not asked is missing. */
export type Verdicts = Readonly<Partial<Record<JudgeName, string | null>>>

export type JudgeMutantOptions = {
  /** The number of seeds of the swarm. */
  readonly seeds: number
  /** True to stop at the first judge that notices. */
  readonly isFast: boolean
  /** See `tracesOf`; null or absent: the events may be any. */
  readonly traces?: readonly string[] | null
  readonly signal?: AbortSignal | undefined
  /** The processor time that one scenario, seed or test file may take. */
  readonly budgetMs?: number
}

/** Far above the cost of the largest scenario, which is a second. */
const usualBudgetMs = 10_000

/** Far above the memory of the largest scenario. */
const heapMebibytes = 1024

/** Asks the judges about a mutant; about the engine as it is if `mutant` is null. */
export async function judgeMutant(
  mutant: Mutant | null,
  { seeds, isFast, traces = null, signal, budgetMs = usualBudgetMs }: JudgeMutantOptions,
): Promise<Verdicts> {
  const replaced = mutant ? replacedBy(mutant) : null
  const isAborted = (): boolean => signal?.aborted === true
  const verdicts: Partial<Record<JudgeName, string | null>> = {}
  const unasked = (): JudgeName[] => judgeNames.filter((name) => verdicts[name] === undefined)
  // A process that ends early has answered for the judges before, and another one asks the rest.
  for (let judges = unasked(); judges.length > 0; judges = unasked()) {
    if (isAborted()) break
    const request = {
      replaced,
      file: mutant?.file ?? null,
      judges,
      isFast,
      repository,
      seeds,
      traces,
      budgetMs,
    }
    const ended = await ask(request, signal, ({ judge, noticed }) => {
      verdicts[judge] = noticed
    })
    // An interrupt ended the process, not the mutant.
    if (isAborted()) break
    const [current] = unasked()
    if (ended !== null && current) verdicts[current] = ended
    if (isFast && Object.values(verdicts).some((noticed) => noticed !== null)) break
  }
  return verdicts
}

function replacedBy({ file, change }: Mutant): Replaced {
  const path = compiledPath(file)
  return {
    url: pathToFileURL(path).href,
    text: mutated(readFileSync(path, 'utf8'), change),
  }
}

/** Runs one process. Returns null if it ended in order, else in which way it ended. */
async function ask(
  request: JudgeRequest,
  signal: AbortSignal | undefined,
  onAnswer: (answer: JudgeAnswer) => void,
): Promise<string | null> {
  const child = fork(fileURLToPath(new URL('./judge-process.js', import.meta.url)), [], {
    execArgv: [`--max-old-space-size=${heapMebibytes}`],
    stdio: 'ignore',
    serialization: 'advanced',
  })
  const stop = (): void => void child.kill('SIGKILL')
  signal?.addEventListener('abort', stop, { once: true })
  const state: { isDone: boolean } = { isDone: false }
  child.on('message', (message: JudgeMessage) => {
    if (message !== 'done') return onAnswer(message)
    state.isDone = true
    stop()
  })
  child.send(request)
  await once(child, 'exit')
  signal?.removeEventListener('abort', stop)
  const { exitCode, signalCode } = child
  if (state.isDone) return null
  return signalCode === 'SIGKILL' ? 'did not end' : `crashed (${signalCode ?? `exit ${exitCode}`})`
}
