/** The most important figures of a run. */

import { amount, priceNote } from '../../result/price-text.ts'
import { count, duration, several, share } from '../../terminal/text.ts'
import type { Figures } from '../../result/result-document.ts'
import type { Html } from '../page/html.ts'
import type { Origin } from '../page/origin.ts'
import { tiles, type Tile } from '../page/pieces.ts'

/**
 * Returns the figures as tiles. A recording does not say which pull requests really break, so its
 * report has no figures about that.
 */
export function figureTiles(figures: Figures, { kind }: Origin): Html {
  return tiles([
    ...outcomeTiles(figures),
    ...(kind === 'drawn' ? truthTiles(figures) : []),
    ...timeTiles(figures),
    ...costTiles(figures),
    ...priceTiles(figures),
  ])
}

function outcomeTiles({ totals: { merged, failed, cancelled } }: Figures): Tile[] {
  const all = merged + failed + cancelled
  return [
    { name: 'merged', value: count(merged), note: share(merged, all) },
    { name: 'failed', value: count(failed), note: share(failed, all) },
    { name: 'cancelled', value: count(cancelled), note: share(cancelled, all) },
  ]
}

function truthTiles({ totals }: Figures): Tile[] {
  const { healthyEvicted, badMerged, brokenMainMinutes } = totals
  const isBad = badMerged > 0 || brokenMainMinutes > 0
  return [
    {
      name: 'healthy PRs evicted',
      value: count(healthyEvicted),
      note: 'the price of flakes',
      tone: healthyEvicted > 0 ? 'warn' : null,
    },
    {
      name: 'bad PRs merged',
      value: count(badMerged),
      note: `main broken ${duration(brokenMainMinutes)}`,
      tone: isBad ? 'bad' : null,
    },
  ]
}

/** The time to land is shown where it differs from the time in queue (S-241). */
function timeTiles({ timeInQueueMinutes, ...figures }: Figures): Tile[] {
  const { timeToLandMinutes, waitMinutes, totals } = figures
  const tile = (name: string, { p50, p95, max }: Figures['waitMinutes'], more = ''): Tile => ({
    name,
    value: p50 === null ? 'none' : duration(p50),
    note:
      p50 === null ? '' : `median; 95 % below ${duration(p95)}, maximum ${duration(max)}${more}`,
  })
  const again = `; ${several(totals.cameAgain, 'pull request')} came again`
  return [
    tile('time in queue', timeInQueueMinutes),
    ...(totals.cameAgain > 0 ? [tile('time to land', timeToLandMinutes, again)] : []),
    tile('wait for first run', waitMinutes),
  ]
}

function priceTiles({ price }: Figures): Tile[] {
  if (!price) return []
  return [{ name: 'price', value: amount(price.total), note: priceNote(price) }]
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
      name: 'unproven merges',
      value: count(unproven),
      note: share(unproven, totals.merged),
    },
  ]
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
