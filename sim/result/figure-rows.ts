/** The figures of a run in words, each once: the summary prints them, and the report has a tile for each. */

import { count, duration, several, share } from '../../server/terminal/text.ts'
import { amount, priceNote } from './price.ts'
import { everyone, type Figures, type Totals } from './result-document.ts'

export type FigureRow = {
  readonly name: string
  readonly value: string
  /** What the value is, or its parts; may be empty. */
  readonly note: string
  /** The causes, where there is room for them. */
  readonly causes?: string
  readonly tone?: 'warn' | 'bad' | null
}

/** A recording does not say which pull requests really break, so nothing is said about that. */
export function figureRows(figures: Figures, isTruthKnown: boolean): FigureRow[] {
  const { totals, price } = figures
  return [
    ...outcomes(totals),
    ...(isTruthKnown ? truth(totals) : []),
    ...times(figures),
    testRuns(figures),
    ciTime(totals),
    unproven(totals),
    ...(price ? [{ name: 'price', value: amount(price.total), note: priceNote(price) }] : []),
  ]
}

function outcomes(totals: Totals): FigureRow[] {
  const all = everyone(totals)
  const { waiting = 0 } = totals
  const row = (name: string, number: number): FigureRow => ({
    name,
    value: count(number),
    note: share(number, all),
  })
  const ended = (['merged', 'failed', 'cancelled'] as const).map((name) => row(name, totals[name]))
  return waiting > 0 ? [...ended, row('still waiting', waiting)] : ended
}

function truth({ healthyEvicted, clashed, badMerged, ...totals }: Totals): FigureRow[] {
  const { brokenMainMinutes, quarantine } = totals
  return [
    {
      name: 'healthy PRs evicted',
      value: count(healthyEvicted),
      note: 'by flakes, lost runs or timeouts',
      tone: healthyEvicted > 0 ? 'warn' : null,
    },
    ...(clashed > 0
      ? [{ name: 'clashed', value: count(clashed), note: 'broke with one that came first' }]
      : []),
    {
      name: 'bad PRs merged',
      value: count(badMerged),
      note: `main broken ${duration(brokenMainMinutes)}`,
      tone: badMerged > 0 || brokenMainMinutes > 0 ? 'bad' : null,
    },
    ...(quarantine
      ? [
          {
            name: 'merged by quarantine',
            value: count(quarantine.merges),
            note: `${count(quarantine.breaks)} of all merged break what is in quarantine`,
          },
        ]
      : []),
  ]
}

/** The time to land is shown where it differs from the time in queue (S-241). */
function times({ timeInQueueMinutes, timeToLandMinutes, waitMinutes, totals }: Figures) {
  const row = (name: string, { p50, p95, max }: Figures['waitMinutes'], more = '') => ({
    name,
    value: duration(p50),
    note:
      p50 === null ? '' : `median; 95 % below ${duration(p95)}, maximum ${duration(max)}${more}`,
  })
  const again = `; ${several(totals.cameAgain, 'pull request')} came again`
  return [
    row('time in queue', timeInQueueMinutes),
    ...(totals.cameAgain > 0 ? [row('time to land', timeToLandMinutes, again)] : []),
    row('wait for first run', waitMinutes),
  ]
}

function testRuns({ totals, runsPerMerge }: Figures): FigureRow {
  const perMerge = runsPerMerge === null ? '' : `${runsPerMerge.toFixed(2)} per merge, `
  return {
    name: 'test runs',
    value: count(totals.testRuns),
    note: `${perMerge}${count(totals.bisectionRuns)} in bisections, ${count(totals.runsSaved)} saved by the cache`,
  }
}

function ciTime({ testMinutes, wastedMinutes }: Totals): FigureRow {
  const { restarted, cancelled, flakes, errored } = wastedMinutes
  const wasted = restarted + cancelled + flakes + errored
  return {
    name: 'CI time',
    value: duration(testMinutes),
    note: `${share(wasted, testMinutes) || '0 %'} wasted`,
    causes: causesOf({ restarted, cancelled, flakes, errored }, (cause, minutes) => {
      return `${cause} ${duration(minutes)}`
    }),
  }
}

/** Commits whose exact tree no run has passed. */
function unproven({ unprovenMerges, merged }: Totals): FigureRow {
  const { batchMiddle, optimistic, disjointTargets: disjoint, direct } = unprovenMerges
  const all = batchMiddle + optimistic + disjoint + direct
  const causes = { 'inside a batch': batchMiddle, optimistic, 'disjoint targets': disjoint, direct }
  return {
    name: 'unproven merges',
    value: count(all),
    note: share(all, merged),
    causes: causesOf(causes, (cause, merges) => `${count(merges)} ${cause}`),
  }
}

function causesOf(
  causes: Readonly<Record<string, number>>,
  text: (cause: string, amount: number) => string,
): string {
  const some = Object.entries(causes).filter(([, much]) => much > 0)
  return some.map(([cause, much]) => text(cause, much)).join(', ')
}
