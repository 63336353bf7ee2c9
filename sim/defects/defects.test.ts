import { PassThrough } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { runDefects } from '../command-line/run-defects.ts'
import { parts } from '../../engine/index.ts'
import { properties } from '../properties/index.ts'
import { swarmScenario } from '../swarm/swarm.ts'
import { breakages, hunt } from './hunt.ts'
import { defects } from './index.ts'
import { scoreboardOf, survivors, unproven } from './scoreboard.ts'

const defect = (name: string) => {
  const found = defects.find((each) => each.name === name)
  if (!found) throw new Error(`no defect is called ${name}`)
  return found
}

/** Runs `--defects` with a few of them. */
async function board(names: readonly string[], seedsAtMost: number, json: boolean) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const { signal } = new AbortController()
  const around = { stdout, stderr, signal, env: {} }
  const wish = { json, report: null, writesFiles: false }
  const said = textOf(stdout)
  const hunts = { seedsAtMost, seedsForOthers: 1 }
  const code = await runDefects(wish, around, names.map(defect), hunts)
  stdout.end()
  return { code, out: await said }
}

describe('the catalogue', () => {
  test('has at least 36 defects, no two of one name, each with something wrong in it', () => {
    expect(defects.length).toBeGreaterThanOrEqual(36)
    expect(new Set(defects.map(({ name }) => name)).size).toBe(defects.length)
    const sound = ['decide', 'evolve'] as const
    for (const { parts: wrong } of defects) {
      const isSound =
        sound.every((part) => wrong[part] === parts[part]) &&
        wrong.rules.every((rule, index) => rule === parts.rules[index])
      expect(isSound).toBe(false)
    }
  })
})

describe('a hunt', () => {
  test('tells who saw the defect first, how soon, and the smallest scenario that shows it', () => {
    const { caught, sightings } = hunt(defect('one-slot-too-many'), {
      seedsAtMost: 50,
      seedsForOthers: 5,
    })
    expect(caught?.property).toBe('slots-respected')
    expect(caught?.scenario.pullRequests).toHaveLength(2)
    expect(caught?.scenario.events ?? []).toEqual([])
    expect(new Set(sightings.flat())).toEqual(new Set(['slots-respected']))
    const names = (wrong = defect('one-slot-too-many').parts): string[] =>
      breakages(caught?.scenario ?? swarmScenario(1), wrong).map(({ name }) => name)
    expect(names()).toContain('slots-respected')
    expect(names(parts)).toEqual([])
  })

  test('of an engine with nothing wrong in it comes to nothing, whatever the sound one breaks', () => {
    const sound = { name: 'sound', sentence: '', parts: { ...parts } }
    expect(hunt(sound, { seedsAtMost: 8, seedsForOthers: 1 })).toEqual({
      defect: 'sound',
      caught: null,
      sightings: [],
    })
  })
})

describe('--defects', () => {
  test('prints for each who caught it, after how many seeds, and how small: exit 0', async () => {
    const { code, out } = await board(['first-in-order-skipped', 'wake-a-minute-late'], 50, false)
    expect(code).toBe(0)
    expect(out).toMatch(/defect +caught by +seeds +pull requests +events +seen by\n/)
    expect(out).toMatch(/first-in-order-skipped +starts-in-order +\d+ +2 +0 /)
    expect(out).toMatch(/wake-a-minute-late +wake-is-armed +\d+ +1 +0 /)
    expect(out).toContain('caught  all 2 defects, each within 50 seeds')
  })

  test('fails when one survives, and says which: exit 1', async () => {
    const { code, out } = await board(['cancelled-during-its-merge'], 1, true)
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      defects: [{ defect: 'cancelled-during-its-merge', caught: null }],
    })
  })
})

describe('the scoreboard', () => {
  const hunted = [defect('one-slot-too-many'), defect('wake-not-armed')]
  const scenario = { name: 'small', pullRequests: [{ number: 1 }] }
  const caught = { property: 'slots-respected', seeds: 3, scenario, story: 'Too many.' }
  const hunts = [
    { defect: 'one-slot-too-many', caught, sightings: [['slots-respected']] },
    { defect: 'wake-not-armed', caught: null, sightings: [] },
  ]

  test('counts who survived, unless it is listed as making no difference', () => {
    expect(survivors(scoreboardOf(10, hunted, hunts, {}))).toEqual(['wake-not-armed'])
    const listed = scoreboardOf(10, hunted, hunts, { 'wake-not-armed': 'nothing sleeps' })
    expect(survivors(listed)).toEqual([])
  })

  test('tells which properties were alone, which were implied by others, and which did nothing', () => {
    const both = [
      ['trunk-stays-green', 'hold-respected'],
      ['trunk-stays-green', 'nobody-lost'],
    ]
    const all = [...hunts, { defect: 'other', caught: null, sightings: both }]
    const scored = scoreboardOf(10, hunted, all, {})
    const worthOf = (name: string) => scored.properties.find(({ property }) => property === name)
    expect(worthOf('slots-respected')).toMatchObject({ alone: ['one-slot-too-many'], runs: 1 })
    expect(worthOf('trunk-stays-green')).toMatchObject({
      alone: [],
      impliedBy: ['hold-respected', 'nobody-lost'],
    })
    expect(worthOf('nobody-lost')).toMatchObject({ impliedBy: ['trunk-stays-green'] })
    expect(unproven(scored)).toHaveLength(properties.length + 3 - 4)
  })
})
