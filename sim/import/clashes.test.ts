import { describe, expect, test } from 'vitest'
import type { CiRun } from './ci-runs.ts'
import { imported } from './imported.ts'
import { landedOf } from './landed.ts'
import { classify } from './landings/classify.ts'
import { commitAt } from './testing/recorded-logs.ts'

const hashOf = (kind: string, number: number): string =>
  `${kind}${String(number).padStart(7, '0')}`.padEnd(40, '0')

const merges = Array.from({ length: 40 }, (_, index) => index + 1)

/** One merge every ten minutes. Its own run began 25 minutes before, so two landed since. */
const landings = merges.map((number) =>
  commitAt(10 * number, {
    hash: hashOf('a', number),
    parents: [hashOf('a', number - 1), hashOf('b', number)],
    subject: `Merge pull request #${number} from shop/till-${number}`,
  }),
)

const run = (commit: string, minute: number, outcome: CiRun['outcome']): CiRun => {
  return { startedAtMs: minute * 60_000, minutes: 5, outcome, commit }
}

/** `red` after their own run has failed, `breaking` after the branch has. */
function scenarioWith({ red = [0], breaking = [0], hashes = 40 } = {}) {
  const options = { last: 100, withReleases: false, withoutBots: false }
  const classified = classify(landings, options)
  const landed = landedOf(classified.landings, () => ({ size: 1, files: ['till.ts'] }))
  const runs = merges.flatMap((number) => [
    run(hashOf('b', number), 10 * number - 25, red.includes(number) ? 'failed' : 'passed'),
    run(
      hashOf('a', number).slice(0, hashes),
      10 * number + 1,
      breaking.includes(number) ? 'failed' : 'passed',
    ),
  ])
  const log = { branch: 'main', landed, classified, sizesIn: 'lines', baseAges: [] } as const
  return imported({ name: 'x', log, runs, junit: null, busier: 1, minutes: 10 })
}

// S-276
describe('given a log, and runs of the commits of pull requests and of the branch', () => {
  test('one that passed by itself and broke the branch clashed with one of those in between', () => {
    const { traffic, measured, assumed, pullRequests } = scenarioWith({ breaking: [20] })
    // The first has no tested commit before it, and 21 comes after a failure. 2 landed after one.
    expect(measured).toContainEqual({
      what: 'clashes',
      value:
        '2.6 % broke the branch although their own run had passed, 0.01333 for each that landed in between',
      samples: '38 merges, 75 pairs',
    })
    expect(traffic).toEqual({
      count: 0,
      clashRate: { rate: 0.01333, across: 0.01333 },
      baseAge: { median: 25, p95: 25 },
    })
    expect(assumed?.map(({ what }) => what)).not.toContain('clashes')
    expect(pullRequests?.some(({ breaks }) => breaks)).toBe(false)
  })

  test('one whose own run had failed breaks alone', () => {
    const { traffic, pullRequests } = scenarioWith({ red: [20], breaking: [20] })
    expect(traffic).toBeUndefined()
    expect(pullRequests?.filter(({ breaks }) => breaks).map(({ number }) => number)).toEqual([20])
  })

  // S-208
  test('one that landed on a branch that was broken before does not break', () => {
    const { pullRequests } = scenarioWith({ red: [20, 21, 22], breaking: [20, 21, 22] })
    expect(pullRequests?.filter(({ breaks }) => breaks).map(({ number }) => number)).toEqual([20])
  })

  test('hashes may be short, and with too few of them nothing is told', () => {
    expect(scenarioWith({ breaking: [20], hashes: 10 }).traffic).toBeDefined()
    const { traffic, assumed } = scenarioWith({ breaking: [20], hashes: 5 })
    expect(traffic).toBeUndefined()
    expect(assumed?.find(({ what }) => what === 'clashes')?.replace).toBe(
      `--set 'traffic={"count":0,"clashRate":<rate>}'`,
    )
  })
})
