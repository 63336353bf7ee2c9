import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { batchTesting, survivorsOfBatches } from './batch-testing.ts'
import { mergeQueues } from './chain-simulators.ts'
import { publishedFigure } from './published-figure.ts'
import { temporaryFolder } from '../../server/terminal/testing/temporary-folder.ts'

const folder = temporaryFolder()

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
  const rows = ['passed', 'passed', 'failed', ...Array.from({ length: 5 }, () => 'passed')].map(
    (status, index) => `2026-01-01T00:0${index}:00Z,60,${status}`,
  )
  writeFileSync(join(folder, 'a.csv'), ['startedAt,durationSeconds,status', ...rows].join('\n'))
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

describe('given sixteen builds that wait at once, of which the third and the eighth failed', () => {
  const own = temporaryFolder()
  const rows = Array.from({ length: 16 }, (_, index) => {
    const status = index === 2 || index === 7 ? 'failed' : 'passed'
    return `2026-01-01T00:${10 + index}:00Z,60,${status}`
  })
  writeFileSync(join(own, 'b.csv'), ['startedAt,durationSeconds,status', ...rows].join('\n'))
  const [four, eight] = survivorsOfBatches(own, false).figures

  test('halving batches of four needs 4 and 3 runs for those that failed, and 1 for each other', () => {
    expect(four?.published).toBe(100 * (1 - 9 / 16))
  })

  test('halving batches of eight needs 8 runs for the one that failed, and 1 for the other', () => {
    expect(eight?.published).toBe(100 * (1 - 9 / 16))
  })

  test('Mergeyard saves no less than a batch that is tested one by one', () => {
    const singly = Number(/saves ([\d.]+) %/.exec(four?.because ?? '')?.[1])
    expect(singly).toBeGreaterThan(0)
    expect(four?.here.mean).toBeGreaterThanOrEqual(singly)
  })
})

test('without a folder of histories the study is left out, and says so', () => {
  expect(batchTesting(null, false)).toMatchObject({
    figures: [],
    leftOut: ['Not replayed: --traces names no folder with histories of builds.'],
  })
})
