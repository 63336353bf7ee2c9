import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { swarmScenario } from '../swarm/swarm.ts'
import { firstSeeds } from './first-seeds.ts'
import { hunt, noticedIn } from './hunt.ts'
import { defects } from './index.ts'

test.runIf(process.env['WRITE_TABLES'])('writes the first seeds anew', () => {
  const [head = ''] = readFileSync('sim/defects/first-seeds.ts', 'utf8').split('{\n', 1)
  const hunts = defects.map((defect) => hunt(defect, 2000))
  expect(hunts.filter(({ noticed }) => noticed === null)).toEqual([])
  const rows = hunts.map(({ defect, noticed }) => `  '${defect}': ${noticed?.seed ?? 0},\n`)
  writeFileSync('sim/defects/first-seeds.ts', `${head}{\n${rows.join('')}}\n`)
})

describe('the first seeds', () => {
  test('are those of the catalogue', () => {
    expect(Object.keys(firstSeeds)).toEqual(defects.map(({ name }) => name))
  })

  test.each(defects)('$name is noticed', ({ name, parts }) => {
    expect(noticedIn(swarmScenario(firstSeeds[name] ?? 0), parts)).not.toEqual([])
  })
})
