/** What would have happened: a scenario out of a recording, and what it is a likeness of. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Command } from '../../engine/index.ts'
import { SimFolder } from '../command-line/testing/sim.ts'
import type { ResultDocument } from '../result/result-document.ts'
import { runScenario } from '../run-scenario.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { scenarioOf } from '../testing/played.ts'
import { entriesOf, record } from './testing/record.ts'

const home = new SimFolder()
afterAll(() => home.remove())
const sim = home.sim.bind(home)

/** Runs a scenario, and keeps everything that its queue was told as a recording. */
function recorded(name: string, scenario: Scenario): void {
  const commands: Command[] = []
  const reader = () => (moment: { readonly command: Command }) => void commands.push(moment.command)
  runScenario(scenario, { readers: [reader] })
  record(join(home.path, name), entriesOf({ set: scenario.queue ?? {} }, commands))
}

const day = scenarioOf({
  queue: { concurrency: 2 },
  suite: { minutes: 10 },
  pullRequests: [
    { number: 1 },
    { number: 2, at: 1, breaks: true, priority: 'high' },
    { number: 3, at: 2, targets: ['web'], noBatch: true },
    { number: 4, at: 3 },
    { number: 5, at: 4, flakyRuns: [1] },
  ],
  events: [
    { at: 5, do: 'cancel', number: 4 },
    { at: 8, do: 'updateQueue', set: { concurrency: 3, pendingFailureDepth: 1 } },
    { at: 9, do: 'setImpactedTargets', number: 5, targets: 'ALL' },
    { at: 90, do: 'submit', number: 2 },
  ],
})
recorded('day', day)

async function derived(...args: readonly string[]): Promise<Scenario> {
  const wish = ['--against', 'day', '--no-report', '--expand', 'derived.json']
  const { code, err } = await sim([...wish, ...args])
  expect([code, err]).toEqual([0, ''])
  const scenario: Scenario = JSON.parse(readFileSync(join(home.path, 'derived.json'), 'utf8'))
  return scenario
}

test('a scenario is made of the pull requests and verdicts that were recorded', async () => {
  const { pullRequests, events, suite, suiteFlakes, queue } = await derived()
  expect(queue).toMatchObject({ concurrency: 2, state: 'RUNNING' })
  expect(pullRequests).toEqual([
    { number: 1, at: 0 },
    { number: 2, at: 1, breaks: true, priority: 10 },
    { number: 3, at: 2, noBatch: true, targets: ['web'] },
    { number: 4, at: 3 },
    // Its flake was in a run that came to nothing.
    { number: 5, at: 4 },
    { number: 1002, at: 90, breaks: true },
  ])
  expect(events).toEqual([
    { at: 5, do: 'cancel', number: 4 },
    { at: 8, do: 'updateQueue', set: { concurrency: 3, pendingFailureDepth: 1 } },
    { at: 9, do: 'setImpactedTargets', number: 5, targets: 'ALL' },
  ])
  expect(suite).toEqual({ minutes: 10 })
  expect(suiteFlakes).toEqual({ perRun: 0 })
})

test('a setting that is tried is not undone by what was changed on the way', async () => {
  const { queue, events } = await derived('--set', 'queue.concurrency=9')
  expect(queue?.concurrency).toBe(9)
  expect(events?.[1]).toEqual({ at: 8, do: 'updateQueue', set: { pendingFailureDepth: 1 } })
})

test('it is told beside what was recorded, and how good a likeness it is', async () => {
  const wish = ['--against', 'day', '--no-report', '--set', 'queue.concurrency=1']
  const { code, out } = await sim(wish)
  expect(code).toBe(0)
  expect(out).toMatch(/^ +recorded +likeness +queue\.concurrency=1$/m)
  expect(out).toMatch(/^ {2}merged +3 +3 +3$/m)
  expect(out).toMatch(/^ {2}failed +1 +2 +2$/m)
  expect(out).toContain('likeness: the recorded pull requests')
  const json = await sim([...wish, '--json'])
  const tried: ResultDocument = JSON.parse(json.out)
  expect(tried.totals.peakMainRuns).toBe(1)
  const refused = await sim(['--against', 'day', '--set', 'queue.speed=1'])
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('/queue/speed')])
})

test('on a day of hundreds the likeness is close', async () => {
  const big = scenarioOf({
    queue: { concurrency: 4, batch: true },
    suite: { minutes: { median: 15, p95: 40 } },
    traffic: { count: 400, arrivals: { perHour: 12 }, breakRate: 0.05 },
    suiteFlakes: { perRun: 0.03 },
  })
  recorded('big', big)
  const wish = ['--against', 'big', '--no-report', '--json']
  const was: ResultDocument = JSON.parse((await sim(wish)).out)
  const set = ['--set', 'queue.concurrency=4']
  const likeness: ResultDocument = JSON.parse((await sim([...wish, ...set])).out)
  const close = (figure: (document: ResultDocument) => number): void => {
    expect(figure(likeness) / figure(was)).toBeGreaterThan(0.8)
    expect(figure(likeness) / figure(was)).toBeLessThan(1.25)
  }
  close(({ totals }) => totals.merged)
  close(({ totals }) => totals.failed)
  close(({ totals }) => totals.testRuns)
  close(({ totals }) => totals.testMinutes)
  close(({ timeInQueueMinutes }) => timeInQueueMinutes.p50 ?? 0)
})
