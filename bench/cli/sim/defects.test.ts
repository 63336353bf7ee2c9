import { PassThrough } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { runDefects } from './checks/run-defects.ts'
import { engineParts } from '../../../engine/index.ts'
import { properties } from '../../../sim/properties/index.ts'
import { swarmScenario } from '../../../sim/swarm/swarm.ts'
import { breakages, hunt } from '../../../sim/defects/hunt.ts'
import { defects } from '../../../sim/defects/index.ts'
import { scoreboardOf, survivors, unproven } from '../../../sim/defects/scoreboard.ts'

const defect = (name: string) => {
  const found = defects.find((each) => each.name === name)
  if (!found) throw new Error(`there is no defect ${name}`)
  return found
}

/** Runs `--defects` with some of the defects. */
async function runBoard(names: readonly string[], seedsAtMost: number, json: boolean) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const { signal } = new AbortController()
  const context = { stdout, stderr, signal, env: {} }
  const options = { json, report: null, writesFiles: false }
  const output = textOf(stdout)
  const hunts = { seedsAtMost, seedsForOthers: 1 }
  const code = await runDefects(options, context, names.map(defect), hunts)
  stdout.end()
  return { code, out: await output }
}

describe('the catalogue', () => {
  test('has at least 36 defects with different names, each of which changes the engine', () => {
    expect(defects.length).toBeGreaterThanOrEqual(36)
    expect(new Set(defects.map(({ name }) => name)).size).toBe(defects.length)
    const sound = ['decide', 'evolve'] as const
    for (const { parts: wrong } of defects) {
      const isSound =
        sound.every((part) => wrong[part] === engineParts[part]) &&
        wrong.rules.every((rule, index) => rule === engineParts.rules[index])
      expect(isSound).toBe(false)
    }
  })
})

describe('a hunt', () => {
  test('reports the first property that detects the defect, and a small scenario', () => {
    const { caught, detections } = hunt(defect('one-slot-too-many'), {
      seedsAtMost: 50,
      seedsForOthers: 5,
    })
    expect(caught?.property).toBe('slots-respected')
    expect(caught?.scenario.pullRequests).toHaveLength(2)
    expect(caught?.scenario.events ?? []).toEqual([])
    expect(new Set(detections.flat())).toEqual(new Set(['slots-respected']))
    const names = (wrong = defect('one-slot-too-many').parts): string[] =>
      breakages(caught?.scenario ?? swarmScenario(1), wrong).map(({ name }) => name)
    expect(names()).toContain('slots-respected')
    expect(names(engineParts)).toEqual([])
  })

  test('given an engine without a defect, detects nothing', () => {
    const sound = { name: 'sound', sentence: '', parts: { ...engineParts } }
    expect(hunt(sound, { seedsAtMost: 8, seedsForOthers: 1 })).toEqual({
      defect: 'sound',
      caught: null,
      detections: [],
    })
  })
})

describe('--defects', () => {
  test('prints the property, the seeds and the scenario size for each defect: exit code 0', async () => {
    const { code, out } = await runBoard(
      ['first-in-order-skipped', 'wake-a-minute-late'],
      50,
      false,
    )
    expect(code).toBe(0)
    expect(out).toMatch(/defect +caught by +seeds +pull requests +events +also detected by\n/)
    expect(out).toMatch(/first-in-order-skipped +starts-in-order +\d+ +2 +0 /)
    expect(out).toMatch(/wake-a-minute-late +wake-is-armed +\d+ +1 +0 /)
    expect(out).toContain('caught  all 2 defects, each within 50 seeds')
  })

  test('given a defect that survives, names it: exit code 1', async () => {
    const { code, out } = await runBoard(['cancelled-during-its-merge'], 1, true)
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
    { defect: 'one-slot-too-many', caught, detections: [['slots-respected']] },
    { defect: 'wake-not-armed', caught: null, detections: [] },
  ]

  test('lists the defects that survived, except known equivalents', () => {
    expect(survivors(scoreboardOf(10, hunted, hunts, {}))).toEqual(['wake-not-armed'])
    const listed = scoreboardOf(10, hunted, hunts, { 'wake-not-armed': 'nothing sleeps' })
    expect(survivors(listed)).toEqual([])
  })

  test('reports which properties were the only ones, implied by others, or without a detection', () => {
    const both = [
      ['trunk-stays-green', 'hold-respected'],
      ['trunk-stays-green', 'nobody-lost'],
    ]
    const all = [...hunts, { defect: 'other', caught: null, detections: both }]
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
