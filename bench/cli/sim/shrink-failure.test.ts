import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { SimFolder } from './testing/sim.ts'

const home = new SimFolder()
afterAll(() => home.remove())
const sim = home.sim.bind(home)

const crowd = home.scenario('crowd', {
  queue: { concurrency: 4, batch: true, batchingMinSize: 2 },
  suite: { minutes: { uniform: [5, 15] } },
  traffic: { count: 30, breakRate: 0.2, cancelRate: 0.1 },
  expect: { failed: [] },
})

/** Returns the arguments of the command that was printed behind this label. */
function printed(out: string, label: string): string[] {
  const line = out.split('\n').find((each) => each.startsWith(label)) ?? ''
  return line.slice(line.indexOf(' -- ') + 4).split(' ')
}

describe('a run that fails', () => {
  test('is shrunk to a file, and the printed command reproduces the failure', async () => {
    const { code, out } = await sim([crowd])
    expect(code).toBe(1)
    expect(out).toMatch(/shrunk to +1 pull request and 0 events, in \d+ tries\n/)
    const replay = printed(out, 'run it with')
    expect(replay).toEqual(['reports/failures/crowd-1-failed.json'])
    const again = await sim(replay)
    expect(again.code).toBe(1)
    expect(again.out).toContain('MISSED  failed\n  expected [], got [1]')
    expect(again.out).toContain('shrunk to      itself')
    expect(JSON.parse(readFileSync(join(home.path, replay[0] ?? ''), 'utf8'))).toEqual({
      $schema: '../../scenarios/scenario.schema.json',
      name: 'crowd-1-failed',
      description: 'Misses failed: expected [], got [1].',
      expect: { failed: [] },
      pullRequests: [{ number: 1, breaks: true }],
    })
  })

  test('is reproduced by the command printed with the failure', async () => {
    const { out } = await sim([crowd, '--seed', '5', '--set', 'queue.concurrency=3'])
    const replay = printed(out, 'reproduce with')
    expect(replay).toEqual(['crowd.json', '--seed', '5', '--set', 'queue.concurrency=3'])
    expect((await sim(replay)).out).toBe(out)
  })

  test('given several failed seeds, the first of each kind of failure is shrunk', async () => {
    const { code, out } = await sim([crowd, '--seeds', '3..4', '--json'])
    expect([code, JSON.parse(out)]).toMatchObject([1, { seeds: 2 }])
    expect(existsSync(join(home.path, 'reports/failures/crowd-3-failed.json'))).toBe(true)
    expect(existsSync(join(home.path, 'reports/failures/crowd-4-failed.json'))).toBe(false)
  })

  test('with --no-report is not shrunk, and no file is written', async () => {
    const { out } = await sim([crowd, '--seed', '9', '--no-report'])
    expect(out).not.toContain('shrunk')
    expect(existsSync(join(home.path, 'reports/failures/crowd-9-failed.json'))).toBe(false)
  })
})
