/** Simulations of a recording with other settings, with a scenario derived from the recording. */

import { join, resolve } from 'node:path'
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { CliFolder } from '../testing/cli-folder.ts'
import type { ResultDocument } from '../../../sim/result/result-document.ts'
import type { Scenario } from '../../../sim/scenario/scenario.ts'
import { scenarioOf } from '../../../sim/testing/simulated.ts'
import { commandsOf, entriesOf, record } from './testing/record.ts'
import { executable } from '../../benchmarks/served.ts'

const home = new CliFolder()

/** Runs a scenario, and writes all commands of its queue as a recording. Returns its name. */
function recordingOf(name: string, body: Partial<Scenario>): string {
  const scenario = scenarioOf(body)
  const entries = entriesOf({ set: scenario.queue ?? {} }, commandsOf(scenario))
  record(join(home.path, name), entries)
  return name
}

const day = recordingOf('day', {
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

async function derivedFrom(recording: string, more = ''): Promise<Scenario> {
  await home.printed(`sim --against ${recording} --no-report --expand derived.json${more}`)
  return home.documentIn('derived.json')
}

test('the scenario has the recorded pull requests and verdicts', async () => {
  const { pullRequests, events, suite, suiteFlakes, queue } = await derivedFrom(day)
  expect(queue).toMatchObject({ concurrency: 2, state: 'RUNNING' })
  expect(pullRequests).toEqual([
    { number: 1, at: 0 },
    { number: 2, at: 1, breaks: true, priority: 10 },
    { number: 3, at: 2, noBatch: true, targets: ['web'] },
    { number: 4, at: 3 },
    // Its flake was in a run that was cancelled.
    { number: 5, at: 4 },
    { number: 1002, at: 90, breaks: true },
  ])
  expect(events).toEqual([
    { at: 5, do: 'cancel', number: 4 },
    { at: 8, do: 'updateQueue', set: { concurrency: 3, pendingFailureDepth: 1 } },
    { at: 9, do: 'setImpactedTargets', number: 5, targets: 'ALL' },
  ])
  expect(suite).toEqual({ minutes: { median: 10, p95: 10 } })
  expect(suiteFlakes).toEqual({ perRun: 0 })
})

// S-401
test('runs that were cancelled would have lasted longer, and failed if they held one that breaks', async () => {
  const fifteen = Array.from({ length: 15 }, (_, index) => index * 10)
  const cut = recordingOf('cut', {
    queue: { mode: 'parallel', concurrency: 100 },
    pullRequests: fifteen.flatMap((from) => [
      { number: from + 1, breaks: true, testMinutes: 20, targets: [`${from}`] },
      // Its first run ends when that of the one below it fails.
      { number: from + 2, testMinutes: 40, targets: [`${from}`] },
      { number: from + 3, breaks: true, testMinutes: 60, targets: [`${from + 3}`] },
      { number: from + 4, testMinutes: 10, targets: [`${from + 4}`] },
      { number: from + 5, testMinutes: 40, targets: [`${from + 5}`] },
    ]),
    events: fifteen.map((from) => ({ at: 15, do: 'cancel', number: from + 5 })),
  })
  const { suite } = await derivedFrom(cut)
  // Of those that ended, half passed in 10 minutes, and half failed in 20.
  expect(suite).toEqual({ minutes: { median: 40, p95: 40 }, minutesFailing: 1.5 })
})

// S-52
test('stacks and text conflicts are in the scenario, of the submissions that they were about', async () => {
  const stacked = recordingOf('stacked', {
    queue: { concurrency: 4 },
    suite: { minutes: 10 },
    codeHost: { conflictsFoundByBuild: true },
    pullRequests: [
      { number: 1, breaks: true },
      { number: 2, at: 1, dependsOn: [1] },
      { number: 3, at: 2 },
      { number: 4, at: 3, conflictsWith: [3] },
    ],
    events: [
      { at: 60, do: 'submit', number: 2, dependsOn: [1] },
      { at: 70, do: 'submit', number: 1 },
    ],
  })
  const { pullRequests, codeHost } = await derivedFrom(stacked)
  expect(codeHost).toEqual({ conflictsFoundByBuild: true })
  expect(pullRequests).toEqual([
    { number: 1, at: 0, breaks: true },
    { number: 2, at: 1, dependsOn: [1] },
    { number: 3, at: 2 },
    { number: 4, at: 3, conflictsWith: [3] },
    // The first submission of 1 had left, so this one waits for the next.
    { number: 1002, at: 60, dependsOn: [1001] },
    { number: 1001, at: 70, breaks: true },
  ])
  const line = 'sim --against stacked --no-report --set queue.concurrency=1'
  const out = await home.printed(line)
  expect(out).toMatch(/^ {2}merged +1 +1 +1$/m)
  expect(out).toMatch(/^ {2}failed +3 +3 +3$/m)
  expect(out).toMatch(/^ {2}cancelled +2 +2 +2$/m)
})

// E-227, E-260
test('what was submitted with another commit, or to depend on others, has left before', async () => {
  recordingOf('changed', {
    queue: { concurrency: 1 },
    suite: { minutes: 10 },
    pullRequests: [{ number: 1 }, { number: 2, at: 1 }, { number: 3, at: 1 }],
    events: [
      { at: 5, do: 'submit', number: 2, sha: 'b' },
      { at: 6, do: 'submit', number: 3, dependsOn: [2] },
    ],
  })
  const line = 'sim --against changed --no-report --expand derived.json --set queue.concurrency=2'
  const out = await home.printed(line)
  expect(out).toMatch(/^ {2}merged +3 +3 +3$/m)
  expect(out).toMatch(/^ {2}cancelled +2 +2 +2$/m)
  const { events } = await home.documentIn<Scenario>('derived.json')
  expect(events).toEqual([
    { at: 5, do: 'push', number: 2 },
    { at: 6, do: 'cancel', number: 3 },
  ])
})

test('given a pull request that waited for one that never came, leaves it out', async () => {
  const waiting = recordingOf('waiting', {
    suite: { minutes: 10 },
    pullRequests: [{ number: 1 }, { number: 2, at: 1 }],
    events: [
      { at: 5, do: 'cancel', number: 2 },
      { at: 20, do: 'submit', number: 1, dependsOn: [2] },
      { at: 30, do: 'cancel', number: 1 },
    ],
  })
  const { pullRequests, events } = await derivedFrom(waiting)
  expect(pullRequests).toEqual([
    { number: 1, at: 0 },
    { number: 2, at: 1 },
  ])
  expect(events).toEqual([{ at: 5, do: 'cancel', number: 2 }])
})

test('given a tried setting, recorded changes do not undo it', async () => {
  const { queue, events } = await derivedFrom(day, ' --set queue.concurrency=9')
  expect(queue?.concurrency).toBe(9)
  expect(events?.[1]).toEqual({ at: 8, do: 'updateQueue', set: { pendingFailureDepth: 1 } })
})

test('the table shows the recording, its likeness and the tried setting', async () => {
  const line = 'sim --against day --no-report --set queue.concurrency=1'
  const out = await home.printed(line)
  expect(out).toMatch(/^ +recorded +likeness +queue\.concurrency=1$/m)
  expect(out).toMatch(/^ {2}merged +3 +3 +3$/m)
  // Number 2 failed, was submitted again and failed again.
  expect(out).toMatch(/^ {2}failed +2 +2 +2$/m)
  expect(out).toContain('likeness: a simulation of')
  const tried = await home.document<ResultDocument>(`${line} --json`)
  expect(tried.totals.peakMainRuns).toBe(1)
  await home.refuses('sim --against day --set queue.speed=1', '/queue/speed')
})

// S-52, S-275
test('failing runs take the recorded share of the time of passing ones', async () => {
  const failFast = recordingOf('fails-fast', {
    queue: { concurrency: 4 },
    suite: { minutes: { median: 15, p95: 40 }, minutesFailing: 0.3 },
    traffic: { count: 150, arrivals: { perHour: 12 }, breakRate: 0.3 },
  })
  const { suite } = await derivedFrom(failFast)
  expect(suite).toMatchObject({
    minutes: { median: expect.closeTo(15, -1) },
    minutesFailing: expect.closeTo(0.3, 1),
  })
})

// S-400
test('who was evicted by a flake that the recording shows does not break', async () => {
  const flaky = recordingOf('flaky', {
    queue: { concurrency: 2 },
    suite: { minutes: 10 },
    pullRequests: [{ number: 1, flakyRuns: [1], testMinutes: 20 }, { number: 2 }, { number: 3 }],
  })
  const { pullRequests, suiteFlakes } = await derivedFrom(flaky)
  expect(pullRequests?.filter(({ breaks }) => breaks)).toEqual([])
  expect(suiteFlakes).toEqual({ perRun: 1 / 4 })
})

// S-52
test('runs hang in the scenario as often as recorded, and do not flake', async () => {
  const hanging = recordingOf('hanging', {
    queue: { concurrency: 4, testingTimeoutMinutes: 30 },
    suite: { minutes: 10 },
    traffic: { count: 60, arrivals: { perHour: 12 } },
    faults: { hangRate: 0.1 },
  })
  const { suiteFlakes, faults } = await derivedFrom(hanging)
  expect(suiteFlakes).toEqual({ perRun: 0 })
  expect(faults).toEqual({ lostRunRate: 0, hangRate: expect.closeTo(0.1, 1) })
})

test('given hundreds of pull requests, the likeness is close to the recording', async () => {
  recordingOf('big', {
    seed: 5,
    queue: { concurrency: 4, batch: true },
    suite: { minutes: { median: 15, p95: 40 } },
    traffic: { count: 200, arrivals: { perHour: 12 }, breakRate: 0.05 },
    suiteFlakes: { perRun: 0.03 },
  })
  const line = 'sim --against big --no-report --json'
  const recorded = await home.document<ResultDocument>(line)
  const likeness = await home.document<ResultDocument>(`${line} --set queue.concurrency=4`)
  const close = (figure: (document: ResultDocument) => number): void => {
    expect(figure(likeness) / figure(recorded)).toBeGreaterThan(0.8)
    expect(figure(likeness) / figure(recorded)).toBeLessThan(1.25)
  }
  close(({ totals }) => totals.merged)
  close(({ totals }) => totals.failed)
  close(({ totals }) => totals.testRuns)
  close(({ totals }) => totals.testMinutes)
  close(({ timeInQueueMinutes }) => timeInQueueMinutes.p50 ?? 0)
})

// The GitHub Action that says what a pull request with other settings would do: its script, with real git.

const checkout = new CliFolder()

const git = (...args: readonly string[]): string => {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
  return execFileSync('git', [...who, ...args], { cwd: checkout.path, encoding: 'utf8' })
}

/** What the Action would comment on the work tree. */
function comment(scenario = ''): string {
  const script = resolve('.ci/what-if.mjs')
  const given = { BASE: 'HEAD', MERGEYARD: executable, SEEDS: '10', SCENARIO: scenario }
  const env = { ...process.env, ...given }
  return execFileSync(process.execPath, [script], { cwd: checkout.path, encoding: 'utf8', env })
}

const writeJson = (name: string, value: object): void => checkout.write(name, JSON.stringify(value))

const team = { name: 'team', traffic: { count: 15, breakRate: 0.2 }, queue: { concurrency: 2 } }
const config = { queues: [{ url: 'shop.git', set: { concurrency: 1 } }] }

test('given other settings, the comment shows the difference and its interval', () => {
  git('init', '--quiet')
  writeJson('team.json', team)
  writeJson('mergeyard.json', config)
  git('add', '.')
  git('commit', '--quiet', '--message=first')
  expect(comment('team.json')).toBe('')

  writeJson('mergeyard.json', { queues: [{ url: 'shop.git', set: { concurrency: 4 } }] })
  expect(comment()).toContain('With the input `scenario` this says what that does.')
  const ofConfig = comment('team.json')
  expect(ofConfig).toMatch(/^<!-- mergeyard what-if -->\n/)
  expect(ofConfig).toContain('**mergeyard.json, queue of main**, 10 days')
  expect(ofConfig).toContain('with queue.concurrency=4\n')
  expect(ofConfig).toMatch(/^time in queue, median +-\d.* to -\d/m)
  expect(ofConfig).not.toContain('minimum')

  writeJson('mergeyard.json', config)
  writeJson('team.json', { ...team, queue: { batch: true, batchingMinSize: 4 } })
  const ofScenario = comment()
  expect(ofScenario).toContain('with queue.batch=true, queue.batchingMinSize=4\n')
  expect(ofScenario).toContain('`queue.concurrency` is gone; that is not simulated.')

  writeJson('team.json', { ...team, queue: { concurrency: -1 } })
  expect(comment()).toContain('queue/concurrency')
})
