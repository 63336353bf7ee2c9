/** What the queue remembers of its verdicts: flakes (E-82) and the rate of failures (E-75). */

import type { Content, Model, Run, Verdict } from '../state/state.ts'

export const isSameContent = (some: readonly Content[], others: readonly Content[]): boolean =>
  some.join() === others.join()

/** E-82: one composition, two outcomes or other failed tests. */
export function record(model: Model, run: Run, passed: boolean, tests: readonly string[]): void {
  const before = model.verdicts.filter((each) => isSameContent(each.run.contents, run.contents))
  const verdict: Verdict = { run, passed, tests, isContradicted: false }
  model.verdicts = [...model.verdicts, verdict].slice(-100)
  for (const other of before) {
    if (other.passed !== passed) {
      const failed = passed ? other : verdict
      learnFlakes(model, failed.tests)
      failed.isContradicted = true
    } else {
      const both = [...other.tests, ...tests]
      learnFlakes(
        model,
        both.filter((test) => !other.tests.includes(test) || !tests.includes(test)),
      )
    }
  }
}

export function learnFlakes(model: Model, tests: readonly string[]): void {
  for (const test of tests) model.flakyTests.add(test)
}

/** E-82: the failure of this run was a flake. */
export function contradict(model: Model, run: Run): void {
  const verdict = model.verdicts.find((each) => each.run === run)
  if (verdict) verdict.isContradicted = true
}

/** E-21: the latest run that passed on exactly this. */
export function passedOn(model: Model, contents: readonly Content[]): Run | null {
  const verdict = model.verdicts.findLast(
    (each) => each.passed && isSameContent(each.run.contents, contents),
  )
  return verdict?.run ?? null
}
