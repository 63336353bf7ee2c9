import { describe, expect, test } from 'vitest'
import { engineParts } from '../../engine/index.ts'
import { defectNamed, defects } from '../defects/index.ts'
import { checkScenario } from '../scenario/check.ts'
import { kindOf, kinds, canaries, drawnCases, huntFrom, plantedBy, soakSeed } from './soak-seed.ts'
import { type SoakSummary, holds, missedMarks, runSoak, SoakTotals } from './run-soak.ts'
import { plantedDefect, setupWith } from './testing/planted.ts'

/** Soaks an engine that uses one slot too many with these seeds. */
function summaryOf(seeds: readonly number[]): SoakSummary {
  const totals = new SoakTotals()
  for (const seed of seeds) totals.add(soakSeed(seed, setupWith(plantedDefect)))
  return totals.summary()
}

const soundSummary = (): SoakSummary => new SoakTotals().summary()

describe('the kind of a seed', () => {
  test('given 20,000 seeds, each kind has its share', () => {
    const counts = new Map(kinds.map((kind) => [kind, 0]))
    for (let seed = 1; seed <= 20_000; seed++) {
      counts.set(kindOf(seed), (counts.get(kindOf(seed)) ?? 0) + 1)
    }
    const shares = [...counts].map(([kind, seeds]) => [kind, Math.round((100 * seeds) / 20_000)])
    expect(Object.fromEntries(shares)).toEqual({
      swarm: 70,
      relations: 15,
      exhaustive: 14,
      defects: 1,
    })
  })
})

test('given that its time is over, a soak only finishes the seeds that run', async () => {
  const started: unknown[] = []
  const enough = new AbortController()
  await runSoak({
    seeds: [51, 52, 53, 54],
    onRun: () => undefined,
    enough: enough.signal,
    spread: ({ tasks, isEnough }) => {
      for (const task of tasks) {
        if (isEnough?.() === true) break
        started.push(task)
        enough.abort()
      }
      return Promise.resolve()
    },
  })
  expect(started).toEqual([[51]])
})

describe('random small cases', () => {
  const casesOf = (seed: number) => [...drawnCases(seed)]

  test('given 10 seeds, the cases are valid, have four or five pull requests and differ', () => {
    const drawn = Array.from({ length: 10 }, (_, index) => casesOf(index + 1)).flat()
    const counts = drawn.map(({ pullRequests = [] }) => pullRequests.length % 8)
    expect(new Set(counts)).toEqual(new Set([4, 5]))
    expect(new Set(drawn.map((each) => JSON.stringify(each))).size).toBe(drawn.length)
    expect(() => drawn.map((each) => checkScenario(each, 'a case'))).not.toThrow()
  })
})

describe('a planted defect', () => {
  test('given a defect, new seeds detect it', () => {
    expect(huntFrom(1000, plantedDefect)).toMatchObject({
      defect: 'one-slot-too-many',
      isFound: true,
    })
  })

  test('given a defect without an effect, the search ends at its limit and does not detect it', () => {
    const sound = { name: 'none', parts: { ...engineParts } }
    expect(huntFrom(1000, sound, 3)).toEqual({ defect: 'none', runs: 3, isFound: false })
  })

  test('every defect that the first seeds show is planted', () => {
    expect(canaries.length).toBeGreaterThan(defects.length / 2)
    const planted = new Set(Array.from({ length: 2000 }, (_, seed) => plantedBy(seed).name))
    expect(planted.size).toBe(canaries.length)
  })
})

// S-343
describe('a fork', () => {
  const sound = soakSeed(4)

  test('given the engine as it is, agrees with the model from a quiet queue on, and from a bisection', () => {
    expect(sound).toMatchObject({ kind: 'swarm', failed: null, forked: { found: null } })
    expect(sound.forked?.forks).toBeGreaterThan(20)
    expect(sound.forked?.commands).toBeGreaterThan(20 * 30)
  })

  test('given a merge past what a pull request depends on, shows it where the run does not, with every command', () => {
    const run = soakSeed(5, setupWith(defectNamed('direct-merge-past-what-it-depends-on')))
    expect(run.failed).toBeNull()
    const finding = new SoakTotals().add(run)
    expect(finding).toMatchObject({
      seed: 5,
      name: 'agrees-with-the-model',
      replay: 'npm run soak -- --seed 5',
    })
    const [story, ...commands] = finding?.story.split('\n  ') ?? []
    expect(story).toMatch(/^In a fork of seed 5 after event \d+, the model expects .+:$/)
    expect(commands.map((line): unknown => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ greenOnTip: true }),
    )
  })
})

describe('the summary of a soak', () => {
  const whole = summaryOf([1, 2, 3, 4, 5, 6, 7, 51])

  test('given an engine with a defect, the findings are exactly the seeds in which a property fails', () => {
    expect(whole).toMatchObject({
      seeds: 8,
      ran: [
        { from: 1, to: 7 },
        { from: 51, to: 51 },
      ],
      kinds: {
        swarm: { seeds: 5, runs: 5, findings: 5 },
        relations: { seeds: 1, runs: 1, findings: 0 },
        exhaustive: { seeds: 1, runs: 6, findings: 1 },
        defects: { seeds: 1, runs: 3, findings: 0 },
      },
      planted: [{ defect: 'one-slot-too-many', planted: 1, found: 1 }],
    })
    expect(whole.findings.map(({ seed, kind, name }) => [seed, kind, name])).toEqual(
      [1, 2, 3, 4, 5, 6].map((seed) => [seed, kindOf(seed), 'agrees-with-the-model']),
    )
    expect(whole.findings[0]).toMatchObject({
      story: expect.stringContaining('BROKEN  agrees-with-the-model'),
      replay: 'npm run soak -- --seed 1',
    })
    expect(holds(whole)).toBe(false)
  })

  test('the checks by property and by kind have the same sum', () => {
    const byProperty = whole.properties.reduce((sum, { checked }) => sum + checked, 0)
    const byKind = kinds.reduce((sum, kind) => sum + whole.kinds[kind].checks, 0)
    expect(byProperty).toBe(byKind)
    expect(byKind).toBeGreaterThan(1000)
  })

  test('given unreached coverage marks, the soak fails from 1,000 swarm seeds on', () => {
    const { kinds: none, ...rest } = soundSummary()
    const after = (seeds: number): SoakSummary => {
      return { ...rest, kinds: { ...none, swarm: { ...none.swarm, seeds } } }
    }
    expect(missedMarks(after(999))).toEqual([])
    expect(holds(after(999))).toBe(true)
    expect(missedMarks(after(1000))).toHaveLength(rest.marks.length)
    expect(holds(after(1000))).toBe(false)
  })
})
