import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { backlog, inferred } from './backlog.ts'
import { batchTesting } from './batch-testing.ts'
import { mergeQueues } from './chain-simulators.ts'
import { publishedFigure } from './published-figure.ts'

const folder = mkdtempSync(join(tmpdir(), 'traces-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('the simulator of derrickstolee gives the same runs, merges and times on eight streams', () => {
  const { figures } = mergeQueues(false)
  expect(figures).toHaveLength(24)
  expect(figures.map(({ agreement }) => agreement)).toEqual(figures.map(() => 'equal'))
  expect(figures.slice(0, 2).map(({ here }) => here.mean)).toEqual([493, 379])
})

describe('given a published figure of 2', () => {
  const asked = { name: 'wait', unit: 'runs', published: 2, because: 'the same rules' }

  test.each([
    ['by chance', [1.9, 2, 2.3], 'within the interval'],
    ['by chance', [3.1, 3, 3.05], 'differs'],
    ['equal', [2], 'equal'],
    ['equal', [2.1], 'differs'],
    ['other rules', [7], 'not asked'],
  ] as const)('%s, our seeds give %j: %s', (expected, values, agreement) => {
    expect(publishedFigure({ ...asked, expected }, values).agreement).toBe(agreement)
  })

  test('half of its last digit is allowed for', () => {
    const rounded = publishedFigure({ ...asked, expected: 'equal', rounding: 0.05 }, [2.04])
    expect(rounded.agreement).toBe('equal')
  })
})

describe('given a history of eight builds of which the third failed', () => {
  writeHistory(join(folder, 'a.csv'), 8, [3])
  const saved = batchTesting(folder, false).figures.map(({ here }) => here.mean)

  test('halves are best in batches of four: 1 + 1 + 3 runs for the failed one, 1 for the other', () => {
    expect(saved[0]).toBe(25)
  })

  test('batches of four need 1 + 4 runs for the failed one and 1 for the other', () => {
    expect(saved[1]).toBe(25)
  })

  test('Mergeyard finds the culprit in five runs', () => {
    expect(saved[3]).toBe(100 * (1 - 5 / 8))
  })
})

describe('a backlog', () => {
  test.each([
    [[false, false, false, false], 1],
    [[false, false, true, false], 4],
    [[true, false, false, false], 5],
    [[false, false, false, true], 3],
    [[true, true, true, true], 7],
  ])('halves with inference need for %j: %d runs', (builds, runs) => {
    expect(inferred(builds)).toBe(runs)
  })

  test('given a batch that fails behind one that passed, nothing is tested on top of it if it steps aside', () => {
    const waiting = mkdtempSync(join(tmpdir(), 'backlog-'))
    writeHistory(join(waiting, 'b.csv'), 24, [1, 2, 3, 9])
    const { figures } = backlog(waiting, false)
    rmSync(waiting, { recursive: true })
    const runs = figures.slice(0, 4).map(({ here }) => Math.round(24 * (1 - here.mean / 100)))
    expect(runs).toEqual([20, 17, 17, 14])
  })

  test('without a folder of histories it is left out, and says so', () => {
    expect(backlog(null, false)).toMatchObject({ figures: [], leftOut: [/./] })
  })
})

function writeHistory(file: string, builds: number, failing: readonly number[]): void {
  const rows = Array.from({ length: builds }, (_, index) => {
    const status = failing.includes(index + 1) ? 'failed' : 'passed'
    return `2026-01-01T00:${String(index).padStart(2, '0')}:00Z,60,${status}`
  })
  writeFileSync(file, ['startedAt,durationSeconds,status', ...rows].join('\n'))
}

test('without a folder of histories the study is left out, and says so', () => {
  expect(batchTesting(null, false)).toMatchObject({
    figures: [],
    leftOut: ['Not replayed: --traces names no folder with histories of builds.'],
  })
})
