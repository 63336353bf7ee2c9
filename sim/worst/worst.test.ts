import { describe, expect, test } from 'vitest'
import { overCores } from '../campaign/over-cores.ts'
import { allJudges } from '../judge/verdict.ts'
import { runAndJudge } from '../judge/run-scenario.ts'
import { checkScenario } from '../scenario/check.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { choicesOf, dayOf, genomeOf, scenarioOf, stepFrom } from './day.ts'
import { searched, worstDayOf } from './worst.ts'

const team: Scenario = {
  name: 'team',
  queue: { concurrency: 2, policy: 'documented' },
  suite: { minutes: { median: 10, p95: 20 } },
  traffic: { count: 20, arrivals: { perHour: 4 }, breakRate: 0.2 },
  suiteFlakes: { perRun: 0.1 },
  faults: { lostRunRate: 0.05 },
}

const whole = genomeOf(dayOf(team, 3))
const entriesOf = (day: Scenario) => day.pullRequests ?? []

// S-336
describe('a step to another day', () => {
  const next = choicesOf(1)
  let genome = whole
  for (let step = 0; step < 200; step++) genome = stepFrom(genome, next)

  test('changes who breaks and who comes when, and not how many and how often', () => {
    const facts = (day: Scenario) => ({
      numbers: entriesOf(day).map(({ number }) => number),
      breaking: entriesOf(day).filter(({ breaks }) => breaks).length,
      flaky: entriesOf(day).flatMap(({ flakyRuns = [] }) => flakyRuns).length,
      gaps: entriesOf(day)
        .map(({ at = 0 }, index) => Math.round(1e3 * (at - (entriesOf(day)[index - 1]?.at ?? 0))))
        .toSorted((a, b) => a - b),
    })
    expect(genome.day).not.toEqual(whole.day)
    expect(facts(genome.day)).toEqual(facts(whole.day))
    expect(facts(whole.day).breaking).toBeGreaterThan(0)
  })

  test('given all named events, has each of them once', () => {
    const named = { ciDown: 0.5, push: 0.25, storm: 0.1, flaky: 0.9 }
    const day = checkScenario(scenarioOf({ ...whole, named }), 'the day')
    const at = (index: number): number => Math.floor(entriesOf(whole.day)[index]?.at ?? 0)
    expect(day.faults).toEqual({ ...team.faults, outages: [{ from: at(10), minutes: 60 }] })
    expect(day.events).toEqual([
      { at: at(5), do: 'pushToBranch', breaks: ['a push past the queue'] },
    ])
    expect(day.mend).toEqual({ afterMinutes: 60 })
    const urgent = entriesOf(day).filter(({ priority }) => priority === 'urgent')
    expect(urgent.map(({ at: when }) => when)).toEqual(Array.from({ length: 8 }, () => at(2)))
    expect(
      entriesOf(day)
        .slice(-2)
        .map(({ flakyRuns }) => flakyRuns?.[0]),
    ).toEqual([1, 1])
  })

  test('of a history of weeks is one of its days, from its first pull request on, without its relations to others', () => {
    const pullRequests = Array.from({ length: 80 }, (_, index) => ({
      number: index + 1,
      at: 1440 * Math.floor(index / 4) + 600 + (index % 4),
      // With one of the day before.
      ...(index < 4 ? {} : { conflictsWith: [index - 3] }),
    }))
    const day = dayOf({ name: 'weeks', pullRequests }, 7)
    expect(day.pullRequests).toEqual([29, 30, 31, 32].map((number, at) => ({ number, at })))
  })
})

// S-337
test('the worst day found is worse than any random one, and says with fewer pull requests why', async () => {
  const request = { scenario: team, of: 'starvation' as const, seeds: 20, events: 5000 }
  const { signal } = new AbortController()
  const bench = { spread: overCores, signal, onProgress: () => undefined }
  const found = await searched(request, bench)
  if (!found) throw new Error('interrupted')
  expect(found.value).toBeGreaterThan(1.5 * found.random)
  // The same on any machine.
  expect(await searched(request, bench)).toEqual(found)

  const { scenario, sentence, value } = worstDayOf(found, request)
  expect(value).toBeGreaterThanOrEqual(Math.floor(0.9 * found.value))
  expect(sentence).toMatch(
    /^\d+ pull requests?, .+: longest wait for a first test run [\d.]+ min\.$/,
  )
  expect(scenario.queue).toEqual(team.queue)
  expect(scenario.suite).toEqual(team.suite)
  expect([team.faults?.lostRunRate, undefined]).toContain(scenario.faults?.lostRunRate)
  const { failures } = runAndJudge(checkScenario(scenario, 'the worst day'), {
    properties: allJudges,
    once: false,
  })
  expect(failures).toEqual([])
})
