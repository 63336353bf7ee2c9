/** The figures that one looks for first. */

import { count, duration, share } from '../../command-line/text.ts'
import type { Figures } from '../../result/result-document.ts'
import { tiles, type Tile } from '../pieces.ts'
import type { Html } from '../html.ts'

export function figureTiles(figures: Figures): Html {
  return tiles([...outcomeTiles(figures), ...timeTiles(figures), ...costTiles(figures)])
}

function outcomeTiles({ totals }: Figures): Tile[] {
  const { merged, failed, cancelled, healthyEvicted, badMerged, brokenMainMinutes } = totals
  const all = merged + failed + cancelled
  const isBad = badMerged > 0 || brokenMainMinutes > 0
  return [
    { name: 'merged', value: count(merged), note: share(merged, all) },
    { name: 'failed', value: count(failed), note: share(failed, all) },
    { name: 'cancelled', value: count(cancelled), note: share(cancelled, all) },
    {
      name: 'healthy ones evicted',
      value: count(healthyEvicted),
      note: 'the price of flakes',
      tone: healthyEvicted > 0 ? 'warn' : null,
    },
    {
      name: 'bad ones merged',
      value: count(badMerged),
      note: `main broken ${duration(brokenMainMinutes)}`,
      tone: isBad ? 'bad' : null,
    },
  ]
}

function timeTiles({ timeInQueueMinutes, waitMinutes }: Figures): Tile[] {
  const one = (name: string, { p50, p95, max }: Figures['waitMinutes']): Tile => ({
    name,
    value: p50 === null ? 'nobody' : duration(p50),
    note: p50 === null ? '' : `half; 95 % below ${duration(p95)}, at most ${duration(max)}`,
  })
  return [one('time in queue', timeInQueueMinutes), one('until a test run', waitMinutes)]
}

function costTiles({ totals, runsPerMerge }: Figures): Tile[] {
  const { testRuns, bisectionRuns, runsSaved, testMinutes, wastedMinutes, unprovenMerges } = totals
  const wasted = sum(Object.values(wastedMinutes))
  const unproven = sum(Object.values(unprovenMerges))
  const perMerge = runsPerMerge === null ? '' : `${runsPerMerge.toFixed(2)} per merge, `
  return [
    {
      name: 'test runs',
      value: count(testRuns),
      note: `${perMerge}${count(bisectionRuns)} in bisections, ${count(runsSaved)} saved by the cache`,
    },
    {
      name: 'CI time',
      value: duration(testMinutes),
      note: `${share(wasted, testMinutes) || '0 %'} wasted`,
    },
    {
      name: 'merged unproven',
      value: count(unproven),
      note: share(unproven, totals.merged),
    },
  ]
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
