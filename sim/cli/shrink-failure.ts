/** Shrinks failed runs, writes the results to `reports/failures/` and describes them. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { scenarioDefaults, type Scenario } from '../scenario/scenario.ts'
import { breakageOf, firstFailure } from '../shrink/reproduce.ts'
import {
  isSameScenario,
  regressionOf,
  defaultTries,
  shrinkStepwise,
  type Shrunk,
} from '../shrink/shrink.ts'
import type { Options } from './options.ts'
import { jsonOf, reportFolder, withSafeCharacters, writeReport } from './report-files.ts'
import { startFolder, type CliContext } from '../../server/terminal/command.ts'
import { several } from '../../server/terminal/text.ts'
import type { Failure } from '../judge/verdict.ts'
import { simLine, scenarioOf, type Source } from '../judge/source.ts'
import { under, workBar } from './progress-bar.ts'

type FailedRun = { readonly scenario: Scenario; readonly failures: readonly Failure[] }

export const failuresFolder = 'reports/failures'

/**
 * Shrinks a failed run and writes the scenario. Returns a summary of one or two lines, or an empty
 * text if no files are written or the run does not fail again.
 */
export async function shrunkText(
  { scenario, failures }: FailedRun,
  { writesFiles }: Pick<Options, 'writesFiles'>,
  context: CliContext,
): Promise<string> {
  const failure = firstFailure(failures)
  if (!failure || !writesFiles) return ''
  const shrunk = await shrinkWithProgress(scenario, failure, context)
  if (!shrunk) return ''
  const { seed = scenarioDefaults.seed } = scenario
  const regression = regressionOf(shrunk, seed)
  if (isSameScenario(regression, scenario)) return 'shrunk to      itself: nothing can be removed\n'
  return shrunkSummary(shrunk, writeFailure(regression, context))
}

/** Writes the scenario of a failure. Returns its path relative to the current folder of the user. */
export function writeFailure(scenario: Scenario, { env }: Pick<CliContext, 'env'>): string {
  const name = `${withSafeCharacters(scenario.name)}.json`
  const texts = [jsonOf(scenario)]
  writeReport(reportFolder('', failuresFolder, startFolder(env)), { [name]: texts })
  return `${failuresFolder}/${name}`
}

type FailedSeed = { readonly seed: number; readonly failures: readonly Failure[] }

/** Shrinking takes long, so only this many of the failed seeds are shrunk. */
const shrunkAtMost = 5

/** Shrinks failed seeds like `shrunkText`: the first seed of each kind of failure. */
export async function shrunkSeedsText(
  source: Source,
  failing: readonly FailedSeed[],
  options: Pick<Options, 'writesFiles'>,
  context: CliContext,
): Promise<string> {
  const firsts = new Map<string, FailedSeed>()
  for (const each of failing) {
    const failure = firstFailure(each.failures)
    if (!failure) continue
    const breakage = JSON.stringify(breakageOf(failure))
    if (!firsts.has(breakage)) firsts.set(breakage, each)
  }
  const texts: string[] = []
  for (const { seed, failures } of [...firsts.values()].slice(0, shrunkAtMost)) {
    const failed = { scenario: scenarioOf(source, seed), failures }
    const text = await shrunkText(failed, options, context)
    if (text !== '') texts.push(`\nseed ${seed}\n${text}`)
  }
  return texts.join('')
}

/** Returns null if the failure does not recur, is far too large, or shrinking was interrupted. */
export async function shrinkWithProgress(
  scenario: Scenario,
  failure: Failure,
  { stderr, signal }: Pick<CliContext, 'stderr' | 'signal'>,
): Promise<Shrunk | null> {
  const ofTries = workBar(stderr, `shrinking ${failure.name}`, defaultTries, 'tries at most')
  return under(ofTries, async (bar) => {
    const shrinking = shrinkStepwise(scenario, failure)
    let step = shrinking.next()
    while (step.done !== true) {
      if (signal.aborted) return null
      const { tries, pullRequests } = step.value
      bar.update(tries, several(pullRequests, 'pull request'))
      await nextTurn()
      step = shrinking.next()
    }
    return step.value
  })
}

/** Describes the smallest scenario, and the command that reproduces the failure. */
export function shrunkSummary({ scenario, tries, isSmallest }: Shrunk, file: string): string {
  const { pullRequests = [], events = [] } = scenario
  const size = `${several(pullRequests.length, 'pull request')} and ${several(events.length, 'event')}`
  const work = `${several(tries, 'try').replace('trys', 'tries')}${isSmallest ? '' : ', the maximum'}`
  return `shrunk to      ${size}, in ${work}\nrun it with    ${simLine([file])}\n`
}
