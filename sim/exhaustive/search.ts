/** Visits every state of a scope once, and judges the whole run of every case that leads to nothing new. Rule: S-63. */

import type { EngineParts } from '../../engine/index.ts'
import { failuresOf, type Failure } from '../judge/verdict.ts'
import type { Property } from '../observe/property.ts'
import { simulate } from '../run/simulate.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { Spread } from '../campaign/over-cores.ts'
import { scenarioOf, type SmallStep } from './case.ts'
import { lookAt, type Look } from './look.ts'
import type { Scope } from './scopes.ts'

type Steps = readonly SmallStep[]

type FailedCase = { readonly scenario: Scenario; readonly failures: readonly Failure[] }

/** What became of the cases that were run to their end. */
export type Judged = {
  readonly runs: number
  readonly checks: number
  readonly failed: number
  /** The first of them, which has the fewest steps; null if everything held. */
  readonly first: FailedCase | null
}

export const nothingJudged: Judged = { runs: 0, checks: 0, failed: 0, first: null }

export const sumOf = (one: Judged, other: Judged): Judged => ({
  runs: one.runs + other.runs,
  checks: one.checks + other.checks,
  failed: one.failed + other.failed,
  first: one.first ?? other.first,
})

export type Searched = Judged & {
  readonly states: number
  /** How many steps lead from one state to another. */
  readonly steps: number
  /** Every state was visited, and every case that leads to nothing new was judged. */
  readonly isComplete: boolean
}

/** Where a case comes from, so that the steps before it are kept once. */
type Node = { readonly before: Node | null; readonly step: SmallStep | null }

/** The search of one scope, in the order of the number of steps. */
class StateSearch {
  readonly scope: Scope
  readonly #visited = new Set<string>()
  #level: readonly Node[] = [{ before: null, step: null }]
  #ended = 0
  steps = 0
  judged = nothingJudged

  constructor(scope: Scope) {
    this.scope = scope
  }

  /** The cases that come next. They all have one step more than those before. */
  get cases(): Steps[] {
    return this.#level.map(stepsTo)
  }

  get searched(): Searched {
    const { steps, judged } = this
    const isComplete = this.#level.length === 0 && judged.runs === this.#ended
    return { ...judged, states: this.#visited.size, steps, isComplete }
  }

  /** Takes what these cases lead to. Returns those that lead to nothing new. */
  advance(looks: readonly Look[]): Steps[] {
    const [later, ended]: [Node[], Steps[]] = [[], []]
    for (const [index, node] of this.#level.entries()) {
      const { signature = '', next = [] } = looks[index] ?? {}
      const isNew = !this.#visited.has(signature)
      this.#visited.add(signature)
      if (isNew) later.push(...next.map((step) => ({ before: node, step })))
      if (!isNew || next.length === 0) ended.push(stepsTo(node))
    }
    this.#ended += ended.length
    this.steps += this.#level.length
    this.#level = later
    return ended
  }
}

function stepsTo(node: Node): Steps {
  const steps: SmallStep[] = []
  for (let at: Node | null = node; at; at = at.before) if (at.step) steps.push(at.step)
  return steps.toReversed()
}

type JudgeOptions = {
  readonly judges: readonly Property[]
  readonly parts?: EngineParts | undefined
}

/** Runs the cases to their ends. */
export function judgeCases(
  scope: Scope,
  cases: readonly Steps[],
  { judges: properties, parts }: JudgeOptions,
): Judged {
  return cases.reduce((judged, steps) => {
    const scenario = scenarioOf({ scope, steps })
    const outcome = simulate(scenario, {
      properties,
      isUnhashed: true,
      ...(parts ? { parts } : {}),
    })
    const failures = failuresOf({ outcome, expectations: [] }, null)
    const checks = outcome.properties.reduce((sum, { checked }) => sum + checked, 0)
    const isFailed = failures.length > 0
    const first = isFailed ? { scenario, failures } : null
    return sumOf(judged, { runs: 1, checks, failed: isFailed ? 1 : 0, first })
  }, nothingJudged)
}

/** Searches a scope here, until the first failure if that is enough. */
export function search(
  scope: Scope,
  options: JudgeOptions & { readonly isFirstEnough?: boolean },
): Searched {
  const states = new StateSearch(scope)
  while (!states.searched.isComplete) {
    const looks = states.cases.map((steps) => lookAt({ scope, steps }, options.parts))
    for (const steps of states.advance(looks)) {
      states.judged = sumOf(states.judged, judgeCases(scope, [steps], options))
      if (options.isFirstEnough === true && states.judged.first) return states.searched
    }
  }
  return states.searched
}

// Searches many scopes at once, wherever the work runs: each round looks at the cases that have one step more
// than those before, and judges those before that led to nothing new.

export type CheckTask = {
  /** Which search the cases belong to. */
  readonly of: number
  readonly scope: Scope
  readonly cases: readonly Steps[]
  /** They are run to their ends; otherwise only looked at. */
  readonly isJudged: boolean
}

export type CheckAnswer = {
  readonly of: number
  readonly cases: number
  readonly looks: readonly Look[]
  readonly judged: Judged
}

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
