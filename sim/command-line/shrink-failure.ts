/** A run that failed, shrunk, written to `reports/failures/` and told. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { scenarioDefaults, type Scenario } from '../scenario/scenario.ts'
import { breakageOf, firstFailure } from '../shrink/breakage.ts'
import { isAlike, regressionOf, sizeOf } from '../shrink/regression.ts'
import { defaultTries, shrinkStepwise, type Shrunk } from '../shrink/shrink.ts'
import type { Options } from './options.ts'
import { reportFolder, writeReport } from './report-files.ts'
import { startFolder, type Surroundings } from './surroundings.ts'
import { several } from './text.ts'
import type { Failure } from './verdict.ts'
import { scenarioOf, type Source } from './source.ts'
import { workBar } from './work-bar.ts'

type FailedRun = { readonly scenario: Scenario; readonly failures: readonly Failure[] }

const folder = 'reports/failures'

/**
 * What shrinking a failed run came to, in a line or two for a person; nothing where no files are
 * wanted, or it does not fail again.
 */
export async function shrunkText(
  { scenario, failures }: FailedRun,
  { writesFiles }: Pick<Options, 'writesFiles'>,
  around: Surroundings,
): Promise<string> {
  const failure = firstFailure(failures)
  if (!failure || !writesFiles) return ''
  const shrunk = await withProgress(scenario, failure, around)
  if (!shrunk) return ''
  const { seed = scenarioDefaults.seed } = scenario
  const regression = regressionOf(shrunk, seed)
  if (isAlike(regression, scenario)) return 'shrunk to      itself: nothing more can be left out\n'
  const name = `${fileName(regression.name)}.json`
  const texts = [`${JSON.stringify(regression, null, 2)}\n`]
  writeReport(reportFolder('', folder, startFolder(around.env)), { [name]: texts })
  return telling(shrunk, `${folder}/${name}`)
}

type FailedSeed = { readonly seed: number; readonly failures: readonly Failure[] }

/** Of many seeds that fail, so many are shrunk. */
const shrunkAtMost = 5

/** The same for the seeds that failed: the first of each way in which one broke. */
export async function shrunkSeedsText(
  source: Source,
  failing: readonly FailedSeed[],
  options: Pick<Options, 'writesFiles'>,
  around: Surroundings,
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
    const text = await shrunkText(failed, options, around)
    if (text !== '') texts.push(`\nseed ${seed}\n${text}`)
  }
  return texts.join('')
}

async function withProgress(
  scenario: Scenario,
  failure: Failure,
  { stderr, signal }: Surroundings,
): Promise<Shrunk | null> {
  const bar = workBar(stderr, `shrinking ${failure.name}`, defaultTries, 'tries at most')
  const shrinking = shrinkStepwise(scenario, failure)
  try {
    let step = shrinking.next()
    while (step.done !== true) {
      if (signal.aborted) return null
      const { tries, pullRequests } = step.value
      bar.update(tries, several(pullRequests, 'pull request'))
      await nextTurn()
      step = shrinking.next()
    }
    return step.value
  } finally {
    bar.stop()
  }
}

function telling({ scenario, tries, isSmallest }: Shrunk, file: string): string {
  const { pullRequests, events } = sizeOf(scenario)
  const size = `${several(pullRequests, 'pull request')} and ${several(events, 'event')}`
  const work = `${several(tries, 'try').replace('trys', 'tries')}${isSmallest ? '' : ', which were all there may be'}`
  return `shrunk to      ${size}, in ${work}\nshow that      npm run sim -- ${file}\n`
}

const fileName = (scenario: string): string => scenario.replaceAll(/[^A-Za-z0-9._-]/g, '_')
