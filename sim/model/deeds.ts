/** What the model expects the engine to do: moves of pull requests, and runs. */

import type { PullRequestState, Reason } from '../../engine/index.ts'
import { without, type Model, type PullRequest, type Run } from './state.ts'
import { cancelled, deed, lifeOf, textOfRun } from './words.ts'

const numbersOf = (all: readonly PullRequest[]): number[] => all.map(({ number }) => number)

/** Moves pull requests that are not in that state already. */
export function move(
  model: Model,
  all: readonly PullRequest[],
  to: PullRequestState,
  reason: Reason | null = null,
  evidence = '',
): void {
  for (const one of all.filter(({ state }) => state !== to)) {
    const text = `${one.state} to ${to} (${reason ?? 'no reason'})${evidence}`
    model.deeds.push(...lifeOf(one.number, to, text))
    one.state = to
    if (to === 'PENDING') one.pendingSince = model.at
  }
}

const textOf = ({ of, tip, base, tested }: Run): string =>
  textOfRun(of ? 'bisection' : 'main', { tip, base: numbersOf(base), tested: numbersOf(tested) })

type Plan = Pick<Run, 'of' | 'tip' | 'branch' | 'base' | 'tested' | 'attempt'>

/** E-13: a run tests the composition of the branch, the base and the tested ones. */
export function startRun(model: Model, plan: Plan): Run {
  const contents = [...plan.branch, ...plan.base, ...plan.tested]
  const deadline = model.at + model.settings.testingTimeoutMinutes * 60_000
  const run: Run = { ...plan, contents, deadline, id: 0, isContradicted: false }
  const topic = plan.of ? 'bisection runs' : 'main runs'
  model.deeds.push({ ...deed(topic, textOf(run), numbersOf(plan.tested)), run })
  model.runs = [...model.runs, run]
  return run
}

/** E-2: cancels a run under way. */
export function cancelRun(model: Model, run: Run, cause: Reason): void {
  model.runs = without(model.runs, run)
  model.deeds.push(cancelled(textOf(run), cause, numbersOf(run.tested)))
}
