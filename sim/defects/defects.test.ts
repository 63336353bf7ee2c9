import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { judgedOnce } from '../judge/run-scenario.ts'
import { swarmScenario } from '../swarm/swarm.ts'
import { hunt } from './hunt.ts'
import { defects } from './index.ts'

// Minutes of hunting.
test.runIf(process.env['WRITE_TABLES'])(
  'writes the first seeds anew',
  { timeout: 3_600_000 },
  () => {
    const hunts = defects.map((defect) => hunt(defect, 2000))
    expect(hunts.filter(({ noticed }) => noticed === null)).toEqual([])
    const seeds = new Map(hunts.map(({ defect, noticed }) => [defect, noticed?.seed]))
    for (const name of readdirSync('sim/defects').filter((each) => each.endsWith('.ts'))) {
      const file = `sim/defects/${name}`
      const source = readFileSync(file, 'utf8')
      const title = /^ {2}([\w-]+) \(\d+\): /gm
      const written = source.replaceAll(title, (_, of: string) => `  ${of} (${seeds.get(of)}): `)
      if (written !== source) writeFileSync(file, written)
    }
  },
)

test('every row of the catalogue has a name of its own, a sentence and a seed', () => {
  expect(new Set(defects.map(({ name }) => name)).size).toBe(defects.length)
  for (const { name, sentence, firstSeed } of defects) {
    expect([name, sentence]).toEqual([
      expect.stringMatching(/^[a-z-]+$/),
      expect.stringMatching(/^[A-Z].*\.$/),
    ])
    expect(firstSeed).toBeGreaterThan(0)
  }
})

// With the correct engine all of them hold: `bench/cli/sim/commit.test.ts`.
test.each(defects)('$name is noticed in its first seed', ({ firstSeed, parts }) => {
  expect(judgedOnce(swarmScenario(firstSeed), { parts }).failures).not.toEqual([])
})
