/**
 * The swarm campaign for every commit: a fixed corpus of seeds, and some new seeds. The new seeds are
 * derived from the commit hash, so they can be repeated. `npm run soak` runs more seeds.
 */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { CampaignDocument } from '../../../sim/campaign/document.ts'
import { CampaignTotals, runCampaign } from '../../../sim/campaign/run-campaign.ts'
import { coverageMarkNames } from '../../../sim/coverage-marks/index.ts'
import { defects } from '../../../sim/defects/index.ts'
import { firstSeedOf, seedsIn, type SeedRange } from '../../../sim/random/seeds.ts'

const corpus: SeedRange = { from: 1, to: 240 }

/** With these, every defect of the catalogue would be noticed in the corpus. */
const seedsOfRareDefects = defects
  .map(({ firstSeed }) => firstSeed)
  .filter((seed) => seed > corpus.to)

const newSeeds = 40

/** Returns the hash of the commit, or the name and version of the package if git is not available. */
function commit(): string {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' })
  if (status === 0) return stdout.trim()
  const { name, version }: { name: string; version: string } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  )
  return `${name}@${version}`
}

async function campaignOf(seeds: Iterable<number>, once: boolean): Promise<CampaignDocument> {
  const totals = new CampaignTotals({
    scenario: 'swarm',
    marks: coverageMarkNames,
    replayOf: (seed) => `npm run sim -- --seed ${seed}`,
  })
  await runCampaign({
    source: { kind: 'swarm', settings: [], features: [] },
    seeds,
    once,
    onRun: (run) => totals.add(run),
  })
  return totals.document()
}

// E-115, E-116, E-186, E-210
test('given the corpus, every property holds and every coverage mark is reached', async () => {
  const all = [...seedsIn(corpus), ...seedsOfRareDefects]
  const { seeds, failures, marks = [] } = await campaignOf(all, true)
  expect(failures).toEqual([])
  expect(seeds).toBe(all.length)
  expect(marks.filter(({ runs }) => runs === 0)).toEqual([])
})

test(`given ${newSeeds} new scenarios, every property holds and a second run is the same`, async () => {
  const text = commit()
  process.stdout.write(`npm run sim -- --seeds ${newSeeds} --seeds-from ${text}\n`)
  const from = firstSeedOf(text)
  const { seeds, failures } = await campaignOf(seedsIn({ from, to: from + newSeeds - 1 }), false)
  expect(failures).toEqual([])
  expect(seeds).toBe(newSeeds)
})
