/** What the model expects the engine to do, as lines of text, and in which words both say it. */

import type { PullRequestState, Reason, TestName, TestRun } from '../../engine/index.ts'
import { without } from './state.ts'
import type { Content, Deed, Model, PullRequest, Run } from './state.ts'

/** The rules by which the model expects something, by its topic or by the new state. */
const rulesOf: Readonly<Record<string, string>> = {
  NOT_READY: 'E-17 to E-19',
  PENDING: 'E-17, E-18, E-27, E-36, E-55, E-61, E-70, E-89, E-95, E-105, E-107, E-109',
  TESTING: 'E-12, E-66, E-70, E-90',
  TESTS_PASSED: 'E-43, E-50, E-73',
  PENDING_FAILURE: 'E-54, E-67',
  MERGED: 'E-40, E-43, E-45, E-110',
  FAILED: 'E-21, E-44, E-60, E-61, E-64, E-66, E-68, E-73, E-74',
  CANCELLED: 'E-46, E-105',
  'main runs': 'E-12, E-22 to E-26',
  'bisection runs': 'E-71 to E-81, E-141',
  'cancelled runs': 'E-36, E-50, E-55, E-64, E-84, E-90, E-95, E-105, E-107, E-109',
  'saved runs': 'E-78',
  'merge requests': 'E-10, E-43',
  branch: 'E-43, E-114',
  queue: 'E-102, E-103',
}

export const deed = (topic: string, text: string, numbers: readonly number[] = []): Deed => {
  return { subject: topic, text, numbers, rules: rulesOf[topic] ?? '' }
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
