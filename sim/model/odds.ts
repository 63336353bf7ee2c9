/** Chapter "Conviction by odds": how sure the queue is that a pull request breaks the tests. */

import type { Model, PullRequest, Result } from './state.ts'

/** E-201: a single pull request is not FAILED yet, and is looked at in a bisection of its own. */
export function isLookedAtAgain(model: Model, one: PullRequest, failure: Result): boolean {
  return one.priority !== 0 && areOddsLow(model, failure, [])
}

/**
 * E-200, E-203: the tests failed on its prefix, and it is not yet 10 times as probable that it breaks
 * them. `longer`: what is known of the prefixes behind, with one more member each.
 */
export function areOddsLow(model: Model, own: Result, longer: (Result | undefined)[]): boolean {
  const isAboutTests = own.reason === 'TEST_RUN_REQUIRED_STATUS_FAILED'
  if (!model.settings.convictionByOdds || !isAboutTests || own.failures >= 5) return false
  const breaks = model.failureRate
  const flakes = flakeRate(model)
  const others = longer.findIndex((each) => each !== undefined && each.reason !== null) + 1
  const failed = longer[others - 1]
  // How probable the failures are if it breaks nothing.
  const isFlake = flakes ** own.failures
  const failsAnyway = failed ? 1 - (1 - flakes ** failed.failures) * (1 - breaks) ** others : 1
  return breaks / ((1 - breaks) * isFlake * failsAnyway) < 10 - 1e-9
}

/** E-203: the share of flakes among the last runs that passed or should have. */
function flakeRate({ verdicts }: Model): number {
  const passed = verdicts.filter(({ reason }) => reason === null)
  const flakes = verdicts.filter(({ run }) => run.isContradicted)
  return (1 + flakes.length) / (10 + flakes.length + passed.length)
}
