/** Visits every state of a scope once, and judges the whole run of every case that leads to nothing new. Rule: S-63. */

import type { EngineParts } from '../../engine/index.ts'
import { failuresOf, type Failure } from '../judge/verdict.ts'
import type { Property } from '../observe/property.ts'
import { simulate } from '../run/simulate.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { scenarioOf, type SmallStep } from './case.ts'
import { lookAt, type Look } from './look.ts'
import type { Scope } from './scopes.ts'

export type Steps = readonly SmallStep[]

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
export class StateSearch {
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

export type JudgeOptions = {
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
