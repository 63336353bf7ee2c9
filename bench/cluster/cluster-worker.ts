/** The entry of a worker thread: rehearses some seeds, or hunts a defect with them. */

import type { Defect } from './defect.ts'
import { defects } from './defects.ts'
import { planOf, smallerPlans, type Plan } from './plan.ts'
import { rehearse } from './rehearse.ts'
import type { Violation } from './violations.ts'

export type ClusterTask = {
  readonly from: number
  readonly to: number
  /** Stop at the first seed that notices this defect; null: none is planted. */
  readonly defect: string | null
}

export type Finding = {
  readonly seed: number
  readonly violations: readonly Violation[]
  /** The smallest plan that was found to show the first of them. */
  readonly plan: Plan
}

export type ClusterAnswer = {
  readonly defect: string | null
  readonly seeds: number
  readonly entries: number
  readonly acknowledged: number
  readonly findings: readonly Finding[]
}

export async function clusterWorker({
  from,
  to,
  defect: name,
}: ClusterTask): Promise<ClusterAnswer> {
  const defect = name === null ? null : defectNamed(name)
  let [seeds, entries, acknowledged] = [0, 0, 0]
  const findings: Finding[] = []
  for (let seed = from; seed <= to; seed++) {
    const plan = planOf(seed)
    const rehearsed = await rehearse(plan, defect)
    seeds++
    entries += rehearsed.entries
    acknowledged += rehearsed.acknowledged
    const { violations } = rehearsed
    const [first] = violations
    if (first === undefined) continue
    findings.push({ seed, violations, plan: await smallest(plan, defect, first.property) })
    if (defect) break
  }
  return { defect: name, seeds, entries, acknowledged, findings }
}

function defectNamed(name: string): Defect {
  const found = defects.find((each) => each.name === name)
  if (!found) throw new Error(`no defect of the protocol is called ${name}`)
  return found
}

/** Leaves out what the finding does not need, one thing at a time. */
async function smallest(plan: Plan, defect: Defect | null, property: string): Promise<Plan> {
  for (const smaller of smallerPlans(plan)) {
    const { violations } = await rehearse(smaller, defect)
    const isShown = violations.some((each) => each.property === property)
    if (isShown) return smallest(smaller, defect, property)
  }
  return plan
}
