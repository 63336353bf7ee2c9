/**
 * Searches many scopes at once, wherever the work runs: each round looks at the cases that have one step more
 * than those before, and judges those before that led to nothing new.
 */

import type { Spread } from '../campaign/over-cores.ts'
import type { CheckAnswer, CheckTask } from './check-worker.ts'
import type { Look } from './look.ts'
import type { Scope } from './scopes.ts'
import { StateSearch, type Searched, type Steps, sumOf } from './search.ts'

type SearchAll = {
  readonly scopes: readonly Scope[]
  /** Once as many are known, the cases that come next are the last. */
  readonly statesAtMost: number
  readonly spread: Spread
  readonly signal: AbortSignal
  readonly onProgress: (progress: SearchProgress) => void
}

type SearchProgress = {
  /** So many more cases have been looked at or judged. */
  readonly more: number
  /** So many there are as far as is known. */
  readonly known: number
  /** How many steps the cases of this round have. */
  readonly length: number
  readonly states: number
}

/** Messages to a worker cost little beside so many. */
const casesPerTask = { looked: 100, judged: 20 } as const

/** Returns what was found in each scope, in their order. An interrupt keeps the rounds that are whole. */
export async function searchAll(wish: SearchAll): Promise<Searched[]> {
  const { scopes, spread, signal, statesAtMost, onProgress } = wish
  const searches = scopes.map((scope) => new StateSearch(scope))
  let ended: readonly (readonly Steps[])[] = []
  let known = 0
  for (let length = 0; ; length++) {
    const states = searches.reduce((sum, { searched }) => sum + searched.states, 0)
    // What the budget cuts off is judged all the same.
    const isCutOff = states >= statesAtMost
    const cases = searches.map((each) => each.cases)
    const tasks = [...tasksOf(scopes, ended, true), ...tasksOf(scopes, cases, isCutOff)]
    const looks: Look[][] = searches.map(() => [])
    known += tasks.reduce((sum, task) => sum + task.cases.length, 0)
    await spread<CheckTask, CheckAnswer>({
      worker: { url: new URL('./check-worker.js', import.meta.url), name: 'checkWorker' },
      tasks,
      onAnswer: (answer) => {
        const searching = searches[answer.of]
        if (searching) searching.judged = sumOf(searching.judged, answer.judged)
        looks[answer.of]?.push(...answer.looks)
        onProgress({ more: answer.cases, known, length, states })
      },
      signal,
    })
    if (isCutOff || tasks.length === 0 || signal.aborted) break
    ended = searches.map((each, index) => each.advance(looks[index] ?? []))
  }
  return searches.map(({ searched }) => searched)
}

function* tasksOf(
  scopes: readonly Scope[],
  casesOf: readonly (readonly Steps[])[],
  isJudged: boolean,
): Generator<CheckTask> {
  const size = isJudged ? casesPerTask.judged : casesPerTask.looked
  for (const [of, scope] of scopes.entries()) {
    const all = casesOf[of] ?? []
    for (let start = 0; start < all.length; start += size) {
      yield { of, scope, cases: all.slice(start, start + size), isJudged }
    }
  }
}
