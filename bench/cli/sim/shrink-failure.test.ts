import { PassThrough } from 'node:stream'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Steps } from '../../../sim/run/simulate.ts'
import { writeAll } from '../../../server/terminal/output.ts'
import { captured } from '../../../server/terminal/testing/captured.ts'
import { untilInterrupted } from '../../../sim/cli/run-files.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import { engineParts } from '../../../engine/index.ts'
import { huntsDocument, runDefects } from '../../../sim/cli/checks.ts'
import { hunt } from '../../../sim/defects/hunt.ts'
import { defectNamed } from '../../../sim/defects/index.ts'
import { judges } from '../../../sim/judge/verdict.ts'

const home = new CliFolder()

function* endless(onStep: () => void): Steps<never> {
  for (;;) {
    onStep()
    yield
  }
}

describe('Ctrl-C', () => {
  test('ends a run of any length', async () => {
    const interrupt = new AbortController()
    setImmediate(() => interrupt.abort())
    let steps = 0
    const work = endless(() => void steps++)
    expect(await untilInterrupted(work, interrupt.signal)).toBeNull()
    expect(steps).toBeGreaterThan(0)
  })

  test('is reported after the finished results: exit code 130', async () => {
    const lone = home.scenario('lone', { pullRequests: [{ number: 1 }] })
    const interrupted = (files: string) =>
      home.run(`sim ${files} --no-report`, { signal: AbortSignal.abort() })
    const err = 'mergeyard: interrupted before the end of lone\n'
    expect(await interrupted(lone)).toEqual({ code: 130, out: '', err })
    const both = await interrupted(`${lone} ${lone} --json`)
    expect([both.code, JSON.parse(both.out)]).toEqual([130, { results: [] }])
  })
})

test('a reader that closes the pipe ends the output without an error', async () => {
  const pipe = new PassThrough({ highWaterMark: 10 })
  pipe.on('error', () => undefined)
  setImmediate(() => pipe.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })))
  await writeAll(pipe, ['longer than the pipe', 'never read'])
  expect(pipe.destroyed).toBe(true)
})

const crowd = home.scenario('crowd', {
  queue: { concurrency: 4, batch: true, batchingMinSize: 2 },
  suite: { minutes: { uniform: [5, 15] } },
  traffic: { count: 30, breakRate: 0.2, cancelRate: 0.1 },
  expect: { failed: [] },
})

/** Returns the arguments of the command that was printed behind this label. */
function commandBehind(label: string, out: string): string {
  const line = out.split('\n').find((each) => each.startsWith(label)) ?? ''
  return line.slice(line.indexOf(' -- ') + 4)
}

describe('a run that fails', () => {
  test('is shrunk to a file, and the printed command reproduces the failure', async () => {
    const { code, out } = await home.run(`sim ${crowd}`)
    expect(code).toBe(1)
    expect(out).toMatch(/shrunk to +1 pull request and 0 events, in \d+ tries\n/)
    const replay = commandBehind('run it with', out)
    expect(replay).toBe('reports/failures/crowd-1-failed.json')
    const again = await home.run(`sim ${replay}`)
    expect(again.code).toBe(1)
    expect(again.out).toContain('MISSED  failed\n  expected [], got [1]')
    expect(again.out).toContain('shrunk to      itself')
    expect(await home.documentIn(replay)).toEqual({
      $schema: '../../scenarios/scenario.schema.json',
      name: 'crowd-1-failed',
      description: 'Misses failed: expected [], got [1].',
      expect: { failed: [] },
      pullRequests: [{ number: 1, breaks: true }],
    })
  })

  test('is reproduced by the command printed with the failure', async () => {
    const asked = `${crowd} --seed 5 --set queue.concurrency=3`
    const { out } = await home.run(`sim ${asked} --no-report`)
    expect(commandBehind('reproduce with', out)).toBe(asked)
    expect((await home.run(`sim ${asked} --no-report`)).out).toBe(out)
  })

  test('given several failed seeds, the first of each kind of failure is shrunk', async () => {
    const { code, out } = await home.run(`sim ${crowd} --seeds 3..4 --json`)
    expect([code, JSON.parse(out)]).toMatchObject([1, { seeds: 2 }])
    expect(existsSync(join(home.path, 'reports/failures/crowd-3-failed.json'))).toBe(true)
    expect(existsSync(join(home.path, 'reports/failures/crowd-4-failed.json'))).toBe(false)
  })

  test('with --no-report is not shrunk, and no file is written', async () => {
    const { out } = await home.run(`sim ${crowd} --seed 9 --no-report`)
    expect(out).not.toContain('shrunk')
    expect(existsSync(join(home.path, 'reports/failures/crowd-9-failed.json'))).toBe(false)
  })
})

/** Runs `--defects` with some of the defects. */
function runBoard(names: readonly string[], seedsAtMost: number, json: boolean) {
  const options = { json, report: null, writesFiles: false }
  return captured((context) => runDefects(options, context, names.map(defectNamed), seedsAtMost))
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
    const hunted = ['first-in-order-skipped', 'wake-a-minute-late']
    const { code, out } = await runBoard(hunted, 50, false)
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
