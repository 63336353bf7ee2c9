/** What the model expects the engine to do, as lines of text, and in which words both say it. */

import type { PullRequestState, Reason, TestName, TestRun } from '../../engine/index.ts'
import { without } from './state.ts'
import type { Content, Deed, Model, PullRequest, Run } from './state.ts'

export const deed = (topic: string, text: string, numbers: readonly number[] = []): Deed => {
  return { subject: topic, topic, text, numbers }
}

/** What happened to one pull request. Departures also have an order among themselves. */
export function lifeOf(number: number, to: string, text: string): Deed[] {
  const life = deed(to, `${number}: ${text}`, [number])
  const isEnd = to === 'MERGED' || to === 'FAILED' || to === 'CANCELLED'
  const departures = isEnd ? [{ ...life, subject: 'departures', text: `${number} ${to}` }] : []
  return [{ ...life, subject: `pull request ${number}` }, ...departures]
}

type Tested = Pick<TestRun, 'tip' | 'base' | 'tested'>

/** What a run tests: "7 commits 1 2 > 3" is 3 on top of 1, 2 and the seventh commit. */
export const textOfRun = (kind: 'main' | 'bisection', { tip, base, tested }: Tested): string =>
  `${kind} run on ${[tip, 'commits', ...base, '>', ...tested].join(' ')}`

/** Cancelled runs have no order among themselves. */
export function cancelled(run: string, cause: string, numbers: readonly number[]): Deed {
  const text = `cancel ${run} (${cause})`
  return { ...deed('cancelled runs', text, numbers), subject: text }
}

type Evidence = [failedIn: number | null, tests: readonly string[], passedWithout: number | null]

/** The evidence of a pull request that is FAILED (E-21). */
export function textOfEvidence(...[failedIn, tests, passedWithout]: Evidence): string {
  if (failedIn === null) return ', failed in no run'
  return `, failed in run ${failedIn} [${tests.join(', ')}], passed in run ${passedWithout ?? 'none'}`
}

export const nameOf = ({ name, file = '' }: TestName): string =>
  file === '' ? name : `${file} > ${name}`

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

type Plan = Pick<Run, 'of' | 'tip' | 'base' | 'tested' | 'attempt'>

/** E-13: a run tests the composition of the branch, the base and the tested ones. */
export function startRun(model: Model, branch: readonly Content[], plan: Plan): Run {
  const contents = [...branch, ...plan.base, ...plan.tested]
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
