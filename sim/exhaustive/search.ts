/** Visits every state of a scope once, and judges the whole run of every case that leads to nothing new. Rule: S-63. */

import type { EngineParts } from '../../engine/index.ts'
import type { Property } from '../observe/property.ts'
import { failuresOf, type Failure } from '../judge/verdict.ts'
import { simulate } from '../run/simulate.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { scenarioOf, type SmallStep } from './case.ts'
import { lookAt } from './look.ts'
import type { Scope } from './scopes.ts'

type FailedCase = { readonly scenario: Scenario; readonly failures: readonly Failure[] }

export type Searched = {
  readonly states: number
  /** How many steps lead from one state to another. */
  readonly steps: number
  readonly runs: number
  readonly checks: number
  readonly failed: number
  /** The first of them, which has the fewest steps; null if everything held. */
  readonly first: FailedCase | null
}

export type SearchOptions = {
  readonly judges: readonly Property[]
  readonly parts?: EngineParts | undefined
  /** It ends at the first failure, for a search of a defect. */
  readonly isFirstEnough?: boolean
}

/** Where a case comes from, so that the steps before it are kept once. */
type Node = { readonly before: Node | null; readonly step: SmallStep | null }

/** Searches in the order of the number of steps. */
export function search(scope: Scope, options: SearchOptions): Searched {
  const visited = new Set<string>()
  const judged = new Judged(scope, options)
  let steps = 0
  let level: Node[] = [{ before: null, step: null }]
  const isOver = (): boolean => options.isFirstEnough === true && judged.first !== null
  while (level.length > 0 && !isOver()) {
    const later: Node[] = []
    for (const node of level) {
      steps++
      const { signature, next } = lookAt({ scope, steps: stepsTo(node) }, options.parts)
      const isNew = !visited.has(signature)
      visited.add(signature)
      if (isNew) later.push(...next.map((step) => ({ before: node, step })))
      if (!isNew || next.length === 0) judged.judge(stepsTo(node))
      if (isOver()) break
    }
    level = later
  }
  const { runs, checks, failed, first } = judged
  return { states: visited.size, steps, runs, checks, failed, first }
}

class Judged {
  readonly #scope: Scope
  readonly #options: SearchOptions
  runs = 0
  checks = 0
  failed = 0
  first: FailedCase | null = null

  constructor(scope: Scope, options: SearchOptions) {
    this.#scope = scope
    this.#options = options
  }

  /** Runs the case to its end. */
  judge(steps: readonly SmallStep[]): void {
    const { judges: properties, parts } = this.#options
    const scenario = scenarioOf({ scope: this.#scope, steps })
    const outcome = simulate(scenario, {
      properties,
      isUnhashed: true,
      ...(parts ? { parts } : {}),
    })
    const failures = failuresOf({ outcome, expectations: [] }, null)
    this.runs++
    for (const { checked } of outcome.properties) this.checks += checked
    if (failures.length === 0) return
    this.failed++
    this.first ??= { scenario, failures }
  }
}

function stepsTo(node: Node): SmallStep[] {
  const steps: SmallStep[] = []
  for (let at: Node | null = node; at; at = at.before) if (at.step) steps.push(at.step)
  return steps.toReversed()
}
