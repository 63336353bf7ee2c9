/** Rules E-187 to E-190, E-192 to E-195, E-200 to E-205, E-225, E-226, E-245, E-285, E-286: what the adaptive policy decides otherwise. */

import { isLeftOut, predecessors } from './groups.ts'
import { isOnTopOfStack } from './stacks.ts'
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

/** E-189: whether the predecessors will probably all pass. */
function isLikely(model: Model, group: Group): boolean {
  const chances = predecessors(model, group).map(({ phase: { is }, isScreened, members }) => {
    if (is === 'passed' || is === 'failed') return 1
    return isScreened ? 0.97 : (1 - model.failureRate) ** members.length
  })
  return chances.reduce((all, each) => all * each, 1) >= 0.3
}

/** E-189, E-190: what it is tested on; `nothing` if it waits for other groups. */
export function standsOn(model: Model, group: Group): 'predecessors' | 'the tip' | 'nothing' {
  if (!isAdaptive(model) || predecessors(model, group).length === 0) return 'predecessors'
  if (isLikely(model, group)) return 'predecessors'
  return group.isScreened || isOnTopOfStack(model, group) ? 'nothing' : 'the tip' // E-265.
}

/** E-286: whether what a bisection on this tip has proven was tested alone of late. */
export const isScreenedBy = (model: Model, tip: number): boolean =>
  isAdaptive(model) && model.branch.length - tip <= 4

/** E-188: a failure that stepped aside and is not settled is ahead. */
export const isBehindAside = (
  model: Model,
  group: Group,
  dependsOn: (ahead: Group) => boolean,
): boolean =>
  model.line
    .slice(0, model.line.indexOf(group))
    .some((ahead) => ahead.phase.is === 'failed' && isLeftOut(ahead) && dependsOn(ahead))

/** E-200, E-203: whether these failures convict. `others`: members behind it in a longer failed prefix. */
export function isConvincing(
  model: Model,
  failures: number,
  longer?: { others: number; failures: number },
) {
  if (!isAdaptive(model) || failures >= 5) return true
  const [p, f] = [model.failureRate, flakeRate(model)]
  const byFlakes = longer ? 1 - (1 - f ** longer.failures) * (1 - p) ** longer.others : 1
  return p / (1 - p) / (f ** failures * byFlakes) >= 10 - 1e-9
}
