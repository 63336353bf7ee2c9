/** Chapter "Bisection": what verdicts say, and what comes next. */

import { isConvincing } from './policy.ts'
import { isSame, without } from './state.ts'
import type { Bisection, Content, Model, PullRequest, Result, Run } from './state.ts'

/** E-82: one composition, two outcomes or other failed tests. */
export function record(model: Model, result: Result): void {
  for (const other of model.verdicts.filter((each) => isSame(each.contents, result.contents))) {
    const failure = [other, result].find(({ reason }) => reason !== null)
    const passed = [other, result].find(({ reason }) => reason === null)
    if (failure && passed && shows(passed.run, failure)) failure.run.isContradicted = true
    for (const test of without(result.tests, ...other.tests)) model.flakyTests.add(test)
    for (const test of without(other.tests, ...result.tests)) model.flakyTests.add(test)
  }
  model.verdicts = [...model.verdicts, result].slice(-100)
}

/** E-274: a test failed, and did not fail in the run that passed. */
export const shows = ({ despite }: Run, { tests }: Result): boolean =>
  despite.length === 0 || without(tests, ...despite).length > 0

/** E-270: whether these tests are in quarantine now. */
export const areIn = ({ quarantine, at }: Model, tests: readonly string[]): boolean =>
  tests.every((test) => at < (quarantine.get(test) ?? 0))

/** E-273: people say so as well. */
export const isKnownToFlake = ({ flakyTests, quarantine }: Model, test: string): boolean =>
  flakyTests.has(test) || quarantine.has(test)

/** E-72: the pinned tip, the proven members that have not merged, and these. */
export const compositionOf = (of: Bisection, tested: readonly PullRequest[]): Content[] => {
  return [...of.branch, ...of.inLine, ...of.proven, ...tested]
}

/** E-78: the result of this composition within this bisection. */
export const findingOn = (of: Bisection, contents: readonly Content[]): Result | undefined =>
  of.findings.find((each) => isSame(each.contents, contents))

/** E-182: that nothing fails on the pinned tip and the members proven so far. */
export const passOnBase = (of: Bisection): Result | undefined =>
  [findingOn(of, compositionOf(of, []))].find((each) => each?.reason === null)

const prefixesOf = (of: Bisection): Content[][] =>
  of.open.map((_, at) => compositionOf(of, of.open.slice(0, at + 1)))

/** E-73: the longest prefix that passes, and the shortest failing one beyond it; 0 for none. */
export function knownOf(bisection: Bisection) {
  const findings = prefixesOf(bisection).map((contents) => findingOn(bisection, contents))
  const passing = findings.findLastIndex((each) => each?.reason === null) + 1
  const failing = findings.findIndex((each, at) => at >= passing && each !== undefined) + 1
  return { passing, pass: findings[passing - 1], failing, fail: findings[failing - 1] }
}

/** E-81, E-85: a run matters while it tests a prefix of the open members. */
export const matters = (bisection: Bisection, { contents }: Run): boolean =>
  prefixesOf(bisection).some((each) => isSame(each, contents))

/** E-73, E-83: the search waits for retries, and for runs under way that matter. */
function isWaiting(model: Model, bisection: Bisection): boolean {
  const { fail, failing } = knownOf(bisection)
  // E-141: it goes on beside a second look until its verdict decides.
  const awaited = fail && (failing === 1 || isOnlyFlakes(model, fail)) ? [fail] : []
  const beside = without(bisection.findings, ...awaited)
  const underWay = model.runs.filter((run) => run.of === bisection && matters(bisection, run))
  const isBeside = ({ contents }: Run) => beside.some((each) => isSame(each.contents, contents))
  return bisection.retries.length > 0 || !underWay.every(isBeside)
}

/** E-80: only tests known to flake failed. */
export const isOnlyFlakes = (model: Model, { tests, isConfirmed }: Result): boolean =>
  !isConfirmed && tests.length > 0 && tests.every((test) => isKnownToFlake(model, test))

/** E-80, E-81: whether one more run comes before the conviction. */
export function isDoubtful(model: Model, of: Bisection, failure: Result): boolean {
  const [first] = prefixesOf(of)
  return (
    needsConfirmation(model, failure) ||
    (findingOn(of, first ?? []) === failure && isUnsure(model, of))
  )
}

function needsConfirmation(model: Model, failure: Result): boolean {
  const { reason, isConfirmed, run, tests } = failure
  if (isConfirmed) return false
  if (isOnlyFlakes(model, failure) || reason !== 'TEST_RUN_REQUIRED_STATUS_FAILED') return true
  const contradicted = model.verdicts.filter((verdict) => verdict.run.isContradicted)
  if (contradicted.some((verdict) => verdict.run === run)) return true
  const isFlaky = tests.some((test) => isKnownToFlake(model, test))
  // The failed run of the batch.
  return run.of === null && (isFlaky || contradicted.length * 100 > model.verdicts.length)
}

/** E-201, E-202: whether the failure of the first open member has to be seen once more. */
function isUnsure(model: Model, of: Bisection): boolean {
  const [own, ...longer] = prefixesOf(of).map((contents) => findingOn(of, contents))
  if (own?.reason !== 'TEST_RUN_REQUIRED_STATUS_FAILED') return false
  if (of.others === undefined && of.size === 1 && !own.isConfirmed) return true
  const at = longer.findIndex((each) => each !== undefined && each.reason !== null)
  const { others = at + 1 } = of
  const next = of.others === undefined ? longer[at] : { failures: 1 } // E-306, E-307.
  const least = next && of.others === undefined ? 0 : 0.075 // E-203.
  return !isConvincing(model, own.failures, least, next && { others, failures: next.failures })
}

/** E-141: with the adaptive policy, where only the run of the batch speaks, and was made once. */
export function isWorthALook(
  { settings }: Model,
  { findings }: Bisection,
  { run, isConfirmed }: Result,
): boolean {
  const failures = findings.filter(({ reason }) => reason !== null)
  return settings.policy === 'adaptive' && run.of === null && !isConfirmed && failures.length === 1
}

/** What comes next in a bisection; to look again needs a slot that is left over (E-141). */
export function nextOf(model: Model, of: Bisection) {
  const { pass, fail, failing } = knownOf(of)
  if (pass) return 'prove'
  if (isWaiting(model, of)) return 'wait'
  if (of.open.length === 0) return 'end'
  if (!fail || failing > 1 || isDoubtful(model, of, fail)) return 'test'
  return isWorthALook(model, of, fail) ? 'look' : 'convict'
}
