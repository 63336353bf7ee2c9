/** The summary of one run, for a quick overview. */

import type { Colors } from 'picocolors/types.js'
import type { PropertyResult } from '../../../../sim/observe/findings.ts'
import type { Expectation, Figures } from '../../../../sim/result/result-document.ts'
import { priceText } from '../../../../sim/result/price-text.ts'
import type { Scenario } from '../../../../sim/scenario/scenario.ts'
import { columns, count, duration, several, share } from '../../../../sim/terminal/text.ts'

export type SummarizedRun = {
  readonly scenario: Scenario
  readonly figures: Figures
  readonly properties: readonly PropertyResult[]
  readonly expectations: readonly Expectation[]
  readonly failures: number
  /** True if a second run had the same output. */
  readonly isCompared: boolean
}

/** Returns the summary as text of several lines. */
export function summaryOf(run: SummarizedRun, colors: Colors): string {
  const { scenario, figures } = run
  const { merged, failed, cancelled } = figures.totals
  const pullRequests = merged + failed + cancelled
  const head =
    `${colors.bold(scenario.name)}   seed ${figures.seed}   ` +
    `${several(pullRequests, 'pull request')} in ${duration(figures.endedAtMinutes)}\n`
  const about = scenario.description === undefined ? '' : `${scenario.description}\n`
  return `${head}${about}\n${figuresOf(figures, pullRequests)}\n${verdictOf(run, colors)}`
}

function figuresOf({ totals, ...figures }: Figures, pullRequests: number): string {
  const { merged, failed, cancelled, healthyEvicted, badMerged, brokenMainMinutes } = totals
  const of = (part: number): string[] => [count(part), share(part, pullRequests)]
  const outcomes = [
    ['  merged', ...of(merged), '    healthy PRs evicted', count(healthyEvicted)],
    ['  failed', ...of(failed), '    bad PRs merged', count(badMerged)],
    ['  cancelled', ...of(cancelled), '    main broken', duration(brokenMainMinutes)],
  ]
  const details = [
    ['  time in queue', spreadOf(figures.timeInQueueMinutes)],
    ...landingOf(totals, figures),
    ['  wait for first run', spreadOf(figures.waitMinutes)],
    ['  test runs', runsOf(totals, figures.runsPerMerge)],
    ['  CI time', `${duration(totals.testMinutes)}, wasted ${wasteOf(totals)}`],
    ['  unproven merges', unprovenOf(totals.unprovenMerges)],
    ...(figures.price ? [['  price', priceText(figures.price)]] : []),
  ]
  const clashes = clashesOf(figures.laneClashes)
  return `${columns(outcomes, [1, 2, 4])}\n${columns(details)}${clashes}`
}

/** The time to land, where it differs from the time in queue because pull requests came again. */
function landingOf(
  { cameAgain }: Figures['totals'],
  { timeToLandMinutes }: Pick<Figures, 'timeToLandMinutes'>,
): string[][] {
  if (cameAgain === 0) return []
  const again = `; ${several(cameAgain, 'pull request')} came again`
  return [['  time to land', `${spreadOf(timeToLandMinutes)}${again}`]]
}

const clashesShown = 3

/** Failures between pull requests without a common target, which no queue can foresee. */
function clashesOf(clashes: Figures['laneClashes']): string {
  if (clashes.length === 0) return ''
  const shown = clashes.slice(0, clashesShown).map(({ pullRequests: [first, second], how }) => {
    return `    ${first} and ${second} ${how}, and declared no common target\n`
  })
  const more = clashes.length - shown.length
  const rest = more > 0 ? `    ... and ${count(more)} more\n` : ''
  return `  lane clashes  ${count(clashes.length)}\n${shown.join('')}${rest}`
}

function spreadOf({ p50, p95, max }: Figures['timeInQueueMinutes']): string {
  if (p50 === null) return 'none'
  return `median ${duration(p50)}, 95 % below ${duration(p95)}, maximum ${duration(max)}`
}

function runsOf(totals: Figures['totals'], perMerge: number | null): string {
  const { testRuns, bisectionRuns, runsSaved } = totals
  const rate = perMerge === null ? '' : `, ${perMerge.toFixed(2)} per merge`
  const bisecting = bisectionRuns === 0 ? '' : `, ${count(bisectionRuns)} in bisections`
  const saved = runsSaved === 0 ? '' : `, ${count(runsSaved)} saved by the cache`
  return `${count(testRuns)}${rate}${bisecting}${saved}`
}

function wasteOf({ wastedMinutes, testMinutes }: Figures['totals']): string {
  const { restarted, cancelled, flakes, errored } = wastedMinutes
  const causes = Object.entries({ restarted, cancelled, flakes, errored })
    .filter(([, minutes]) => minutes > 0)
    .map(([cause, minutes]) => `${cause} ${duration(minutes)}`)
  const all = restarted + cancelled + flakes + errored
  return causes.length === 0 ? 'nothing' : `${share(all, testMinutes)}: ${causes.join(', ')}`
}

/** The number of commits whose exact tree no run has passed, by cause. */
function unprovenOf(unproven: Figures['totals']['unprovenMerges']): string {
  const { batchMiddle, optimistic, disjointTargets, direct } = unproven
  const causes = [
    ['inside a batch', batchMiddle],
    ['optimistic', optimistic],
    ['disjoint targets', disjointTargets],
    ['direct', direct],
  ] as const
  const some = causes.filter(([, merges]) => merges > 0)
  return some.length === 0
    ? 'none'
    : some.map(([cause, merges]) => `${count(merges)} ${cause}`).join(', ')
}

function verdictOf(run: SummarizedRun, colors: Colors): string {
  const { properties, expectations, failures, isCompared } = run
  const checks = properties.reduce((sum, { checked }) => sum + checked, 0)
  const expected =
    expectations.length === 0 ? '' : `, ${several(expectations.length, 'expectation')}`
  const compared = isCompared ? '; run twice with identical output' : ''
  const all = `${several(properties.length, 'property').replace('propertys', 'properties')}, ${several(checks, 'check')}${expected}`
  if (failures === 0) return `${colors.green('holds')}  ${all}${compared}\n`
  return `${colors.red('DOES NOT HOLD')}  ${several(failures, 'failure')} among ${all}\n`
}
