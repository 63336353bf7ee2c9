/** Rules E-187 to E-190, E-192 to E-195, E-200 to E-205, E-225, E-226, E-245, E-285, E-286, E-305: what the adaptive policy decides otherwise. */

import { isLeftOut, isLinked, predecessors } from './groups.ts'
import { isOnTopOfStack, missingOf } from './stacks.ts'
import { isAlone, type Group, type Model, type PullRequest, type Run } from './state.ts'

const isAdaptive = ({ settings }: Model): boolean => settings.policy === 'adaptive'

/** E-204. */
function flakeRate({ verdicts }: Model): number {
  const passed = verdicts.filter(({ reason }) => reason === null).length
  const flakes = verdicts.filter(({ run }) => run.isContradicted).length
  return (1 + flakes) / (10 + flakes + passed)
}

/** E-29, E-30, E-225, E-245: the size at which a batch is full. */
export function batchSize(model: Model, waiting: readonly PullRequest[]): number {
  const { batch, batchingMinSize, concurrency } = model.settings
  const target = batch ? batchingMinSize : 1
  if (!isAdaptive(model)) return target
  const share = waiting.filter((each) => !isAlone(each)).length / concurrency
  const wanted = Math.floor(Math.min(share, 1 / (2 * model.failureRate)))
  return Math.min(target, Math.max(model.failureRate > 0.2 ? 4 : 2, wanted))
}

/** E-31, E-285: the minutes for which a batch waits until it is full. */
export function longestWait(model: Model): number {
  const inLine = model.line.flatMap(({ members }) => members)
  return isAdaptive(model) && inLine.length <= 1 ? 0 : model.settings.batchingMaxWaitTimeMinutes
}

/** E-56, E-226: how many verdicts on top of it a failure waits for. */
export const holdDepth = (model: Model): number =>
  isAdaptive(model) && flakeRate(model) <= 0.1 ? 0 : model.settings.pendingFailureDepth

/** E-187, E-192: whether a group whose run has failed steps aside at once. */
export const stepsAside = (model: Model, { isScreening }: Run): boolean =>
  isScreening || (isAdaptive(model) && holdDepth(model) === 0)

/** E-189: the chance that it passes. */
const chanceOf = ({ failureRate }: Model, { phase: { is }, isScreened, members }: Group): number =>
  is === 'passed' || is === 'failed' ? 1 : isScreened ? 0.97 : (1 - failureRate) ** members.length

/** E-189, E-305: whether the predecessors will probably all pass, after the failures on top of them. */
function isLikely(model: Model, group: Group): boolean {
  const ahead = predecessors(model, group)
  const open = ahead.filter((each) => chanceOf(model, each) < 1)
  const all = ahead.reduce((product, each) => product * chanceOf(model, each), 1)
  const onTop = model.line.filter(({ phase: { isAside, run } }) => {
    return isAside === true && open.some(({ members: [one] }) => one && run?.contents.includes(one))
  })
  const updated = (chance: number, { members }: Group): number => {
    const passes = (1 - flakeRate(model)) * (1 - model.failureRate) ** members.length
    return (chance * (1 - passes)) / (1 - chance * passes)
  }
  return onTop.reduce(updated, all) >= 0.3
}

/** E-189, E-190: what it is tested on; `nothing` if it waits for other groups. */
export function standsOn(model: Model, group: Group): 'predecessors' | 'the tip' | 'nothing' {
  if (!isAdaptive(model) || isLikely(model, group)) return 'predecessors'
  return group.isScreened || isOnTopOfStack(model, group) ? 'nothing' : 'the tip' // E-265.
}

/** E-286: whether what a bisection on this tip has proven was tested alone of late. */
export const isScreenedBy = (model: Model, tip: number): boolean =>
  isAdaptive(model) && model.branch.length - tip <= 4

/** E-307: whether the members of a failed batch are tested one by one. */
export function testsApart(model: Model, all: readonly PullRequest[]): boolean {
  const isStack = all.some((one) => missingOf(model, one).length > 0)
  const most = Math.min(4, model.settings.bisectionConcurrency ?? model.settings.concurrency)
  return isAdaptive(model) && all.length <= most && flakeRate(model) <= 0.05 && !isStack
}

/** E-188: it depends on a failure ahead that stepped aside and is not settled. */
export function isBehindAside(model: Model, group: Group): boolean {
  const ahead = model.line.slice(0, model.line.indexOf(group)).filter(isLeftOut)
  return ahead.some((each) => each.phase.is === 'failed' && isLinked(model, group, each))
}

type Longer = { others: number; failures: number }

/** E-200, E-203: whether these failures convict. `others`: members behind it in a longer failed prefix. */
export function isConvincing(model: Model, failures: number, least: number, longer?: Longer) {
  if (!isAdaptive(model) || failures >= 5) return true
  const [p, f] = [model.failureRate, flakeRate(model)]
  const flaked = (times: number): number => (times === 1 ? Math.max(f, least) : f ** times)
  const byFlakes = longer ? 1 - (1 - flaked(longer.failures)) * (1 - p) ** longer.others : 1
  return p / (1 - p) / (flaked(failures) * byFlakes) >= 10 - 1e-9
}
