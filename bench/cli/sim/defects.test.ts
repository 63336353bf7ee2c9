import { PassThrough } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { engineParts } from '../../../engine/index.ts'
import { huntsDocument, runDefects } from '../../../sim/cli/checks.ts'
import { hunt } from '../../../sim/defects/hunt.ts'
import { defectNamed } from '../../../sim/defects/index.ts'
import { judges } from '../../../sim/judge/verdict.ts'

/** Runs `--defects` with some of the defects. */
async function runBoard(names: readonly string[], seedsAtMost: number, json: boolean) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const { signal } = new AbortController()
  const context = { stdout, stderr, signal, env: {} }
  const options = { json, report: null, writesFiles: false }
  const output = textOf(stdout)
  const code = await runDefects(options, context, names.map(defectNamed), seedsAtMost)
  stdout.end()
  return { code, out: await output }
}

describe('a hunt', () => {
  test('says in which seed the defect is noticed first, by whom, and what happened', () => {
    expect(hunt(defectNamed('one-slot-too-many'), 50)).toEqual({
      defect: 'one-slot-too-many',
      noticed: {
        seed: 1,
        by: ['agrees-with-the-model'],
        story: expect.stringMatching(/^After .* the engine says main run \d on/),
      },
    })
  })

  test('given an engine without a defect, notices nothing', () => {
    const sound = { name: 'sound', sentence: '', parts: { ...engineParts } }
    expect(hunt(sound, 8)).toEqual({ defect: 'sound', noticed: null })
  })
})

describe('--defects', () => {
  test('prints for each defect its first seed and who notices it: exit code 0', async () => {
    const { code, out } = await runBoard(
      ['first-in-order-skipped', 'wake-a-minute-late'],
      50,
      false,
    )
    expect(code).toBe(0)
    expect(out).toMatch(/defect +seed +noticed by\n/)
    expect(out).toMatch(/first-in-order-skipped +2 +agrees-with-the-model\n/)
    expect(out).toMatch(/wake-a-minute-late +1 +agrees-with-the-model\n/)
    expect(out).toContain('noticed  2 defects, each within 50 seeds')
  })

  test('given a defect that survives, names it: exit code 1', async () => {
    const { code, out } = await runBoard(['cancelled-during-its-merge'], 1, true)
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      defects: [{ defect: 'cancelled-during-its-merge', noticed: null }],
    })
  })

  test('says which judges notice none of the catalogue', () => {
    const noticed = { seed: 1, by: ['one-state-along-the-table', 'everything-ends'], story: '' }
    const hunts = [{ defect: 'one-slot-too-many', noticed }]
    const { idle } = huntsDocument([defectNamed('one-slot-too-many')], hunts, 10)
    expect(idle).toEqual(
      judges.map(({ name }) => name).filter((name) => !noticed.by.includes(name)),
    )
  })
})
