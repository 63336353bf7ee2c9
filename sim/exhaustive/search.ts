/**
 * Visits every state of some scopes once, and judges the whole run of every case that leads to nothing new. Each round
 * looks at the cases that have one step more than those before, and judges those before that led to nothing new. Rule: S-63.
 */

import { engineParts, type EngineParts } from '../../engine/index.ts'
import { judgedOnce } from '../judge/run-scenario.ts'
import type { Failure } from '../judge/verdict.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { scenarioOf, type SmallCase, type SmallStep } from './case.ts'
import { lookAt, type Look } from './look.ts'
import type { Scope } from './scopes.ts'

type Steps = readonly SmallStep[]

/** What became of the cases that were run to their end. */
export type Judged = {
  readonly runs: number
  readonly checks: number
  readonly failed: number
  /** The first that failed, which has the fewest steps; null if everything held. */
  readonly first: { readonly scenario: Scenario; readonly failures: readonly Failure[] } | null
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

function stepsTo(node: Node): Steps {
  const steps: SmallStep[] = []
  for (let at: Node | null = node; at; at = at.before) if (at.step) steps.push(at.step)
  return steps.toReversed()
}

/** The search of one scope. */
class StateSearch {
  readonly scope: Scope
  readonly #visited = new Set<string>()
  #level: readonly Node[] = [{ before: null, step: null }]
  #ended = 0
  #steps = 0
  #looks: Look[] = []
  judged = nothingJudged
  /** The cases that come next. They all have one step more than those before. */
  cases: readonly Steps[] = [[]]
  /** The cases before that led to nothing new. */
  ended: readonly Steps[] = []

  constructor(scope: Scope) {
    this.scope = scope
  }

  get searched(): Searched {
    const isComplete = this.#level.length === 0 && this.judged.runs === this.#ended
    return { ...this.judged, states: this.#visited.size, steps: this.#steps, isComplete }
  }

  take({ looks, judged }: CheckAnswer): void {
    this.#looks.push(...looks)
    this.judged = sumOf(this.judged, judged)
  }

  /** Follows what the cases have led to. */
  advance(): void {
    const [later, ended]: [Node[], Steps[]] = [[], []]
    for (const [index, node] of this.#level.entries()) {
      const { signature = '', next = [] } = this.#looks[index] ?? {}
      const isNew = !this.#visited.has(signature)
      this.#visited.add(signature)
      if (isNew) later.push(...next.map((step) => ({ before: node, step })))
      if (!isNew || next.length === 0) ended.push(stepsTo(node))
    }
    this.#steps += this.#level.length
    this.#ended += ended.length
    this.#looks = []
    this.#level = later
    this.ended = ended
    this.cases = later.map(stepsTo)
  }
}

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

/** What a worker thread does: the pool calls it by this name. */
export function checkWorker(
  { of, scope, cases, isJudged }: CheckTask,
  parts = engineParts,
): CheckAnswer {
  const answer = { of, cases: cases.length, looks: [], judged: nothingJudged }
  if (!isJudged) return { ...answer, looks: cases.map((steps) => lookAt({ scope, steps }, parts)) }
  return {
    ...answer,
    judged: cases.map((steps) => judgedCase({ scope, steps }, parts)).reduce(sumOf),
  }
}

/** Runs a case to its end. */
function judgedCase(small: SmallCase, parts: EngineParts): Judged {
  const scenario = scenarioOf(small)
  const { properties, failures } = judgedOnce(scenario, { parts })
  const checks = properties.reduce((sum, { checked }) => sum + checked, 0)
  if (failures.length === 0) return { ...nothingJudged, runs: 1, checks }
  return { runs: 1, checks, failed: 1, first: { scenario, failures } }
}

/** Messages to a worker cost little beside so many. */
const casesPerTask = { looked: 100, judged: 20 } as const

function* tasksOf(of: number, scope: Scope, all: readonly Steps[], isJudged: boolean) {
  const size = isJudged ? casesPerTask.judged : casesPerTask.looked
  for (let start = 0; start < all.length; start += size) {
    yield { of, scope, cases: all.slice(start, start + size), isJudged }
  }
}

type SearchAll = {
  readonly scopes: readonly Scope[]
  /** Once as many are known, the cases that come next are the last. */
  readonly statesAtMost: number
  /** Does the tasks of a round, wherever the work runs. Answers about a scope come in the order of its tasks. */
  readonly check: (
    tasks: readonly CheckTask[],
    onAnswer: (answer: CheckAnswer) => void,
  ) => Promise<void>
  readonly signal: AbortSignal
  /** So many more cases are done, of those that are known. The cases of this round have so many steps. */
  readonly onProgress: (progress: {
    readonly more: number
    readonly known: number
    readonly length: number
    readonly states: number
  }) => void
}

/** Returns what was found in each scope, in their order. An interrupt keeps the rounds that are whole. */
export async function searchAll(asked: SearchAll): Promise<Searched[]> {
  const { scopes, statesAtMost, check, signal, onProgress } = asked
  const searches = scopes.map((scope) => new StateSearch(scope))
  let known = 0
  for (let length = 0; ; length++) {
    const states = searches.reduce((sum, { searched }) => sum + searched.states, 0)
    // What the budget cuts off is judged all the same.
    const isCutOff = states >= statesAtMost
    const tasks = [
      ...searches.flatMap(({ scope, ended }, of) => [...tasksOf(of, scope, ended, true)]),
      ...searches.flatMap(({ scope, cases }, of) => [...tasksOf(of, scope, cases, isCutOff)]),
    ]
    known += tasks.reduce((sum, { cases }) => sum + cases.length, 0)
    await check(tasks, (answer) => {
      searches[answer.of]?.take(answer)
      onProgress({ more: answer.cases, known, length, states })
    })
    if (isCutOff || tasks.length === 0 || signal.aborted) break
    for (const each of searches) each.advance()
  }
  return searches.map(({ searched }) => searched)
}
