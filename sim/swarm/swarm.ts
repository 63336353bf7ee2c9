/**
 * The swarm: one random scenario per seed, derived from the seed alone. Each has some features of
 * the table in features.ts and lacks the others. All are small, so that thousands of them run in a
 * minute and a failure is easy to read.
 */

import { drawsOf } from '../random/draw.ts'
import type { Faults, Outage, Scenario, SuiteFlakes } from '../scenario/scenario.ts'
import { diceOf, instant, type ScenarioDraft, typicalMinutes } from './scenario-draft.ts'
import { eventsOf } from './events.ts'
import { type Feature, featuresOf } from './features.ts'
import { pullRequestsOf } from './pull-requests.ts'
import { flakyTestNames, quarantinable, situationOf } from './situations.ts'
import { queueOf, suiteOf } from './queue.ts'

export const swarmName = 'swarm'

/** Returns the scenario of this seed. It has the drawn features and those in `wanted`. */
export function swarmScenario(seed: number, wanted: readonly Feature[] = []): Scenario {
  const draw = drawsOf(seed)
  const features = featuresOf(draw, wanted)
  const draft: ScenarioDraft = {
    dice: diceOf(draw),
    has: (feature: Feature) => features.has(feature),
  }
  const pullRequests = pullRequestsOf(draft)
  const scenario: Scenario = {
    name: swarmName,
    description: `Scenario ${seed} of the swarm: ${[...features].join(', ')}.`,
    seed,
    queue: queueOf(draft),
    suite: suiteOf(draft),
    pullRequests,
    ...trafficOf(draft),
    suiteFlakes: suiteFlakesOf(draft),
    ...quarantineOf(draft),
    events: eventsOf(draft, pullRequests),
    ...resubmitOf(draft),
    ...mendOf(draft),
    ...codeHostOf(draft),
    faults: faultsOf(draft),
    tieOrder: draft.has('shuffled ties') ? 'shuffled' : 'submission',
  }
  return { ...scenario, ...situationOf(draft)?.rest(scenario, draft.dice) }
}

/** Authors come again soon, among the others, or when the queue is quiet. */
function resubmitOf({ dice, has }: ScenarioDraft): Pick<Scenario, 'resubmit'> {
  if (!has('authors come again')) return {}
  return { resubmit: { afterMinutes: dice.pick('authors come again after', [1, 7, 25, 90]) } }
}

function mendOf({ dice, has }: ScenarioDraft): Pick<Scenario, 'mend'> {
  return has('mends') ? { mend: { afterMinutes: dice.pick('mends after', [0, 5, 25, 90]) } } : {}
}

/** By the hour and by the weekday, with nights and a day without anybody. */
const paces = [
  { everyMinutes: 0 },
  { everyMinutes: 4 },
  { everyMinutes: 15 },
  { perHour: Array.from({ length: 24 }, (_, hour) => (hour % 2 === 0 ? 0 : 12)), doublings: 1 },
  { perHour: 12, perWeekday: [0, 1, 1, 1, 1, 0, 0], doublings: 2 },
] as const

/** Some of what flakes, or of what a pull request may break, from the beginning and with or without an end. */
function quarantineOf({ dice, has }: ScenarioDraft): Pick<Scenario, 'quarantine'> {
  if (!has('quarantine')) return {}
  const quarantine = quarantinable
    .filter((test) => dice.chance(`in quarantine ${test}`, 0.6))
    .map((test) => {
      const isLimited = has('quarantine changes') && dice.chance(`ends ${test}`, 0.5)
      return { test, ...(isLimited ? { until: dice.between(`end of ${test}`, 5, 120) } : {}) }
    })
  return { quarantine }
}

/** A few more pull requests, which clash often. With a lone flake nothing else fails. */
function trafficOf({ dice, has }: ScenarioDraft): Pick<Scenario, 'traffic'> {
  if (!has('generated clashes') || has('lone flakes')) return {}
  return {
    traffic: {
      count: dice.between('generated', 2, 8),
      arrivals: dice.pick('generated every', paces),
      clashRate: { rate: 0.4, across: dice.pick('across', [0, 0.2]) },
      baseAge: dice.pick('age of the base', [0, 20, { uniform: [0, 60] }] as const),
      targets: { names: ['core', 'web', 'api'], perPullRequest: [0, 2], allRate: 0.1 },
    },
  }
}

// The faults and flaky tests of a swarm scenario.

function faultsOf(draft: ScenarioDraft): Faults {
  const { dice, has } = draft
  const outages = (): NonNullable<Faults['outages']> =>
    Array.from({ length: dice.between('outages', 1, 2) }, (_, nth) => ({
      from: instant(draft, `outage ${nth}`, { from: 0, to: 150 }),
      minutes: dice.between(`outage ${nth} minutes`, 1, 40),
    }))
  return {
    ...(has('lost runs') ? { lostRunRate: dice.pick('lost runs', [0.05, 0.2, 0.6]) } : {}),
    ...(has('hung runs') ? { hangRate: dice.pick('hung runs', [0.03, 0.15]) } : {}),
    ...(has('outages') ? { outages: outages() } : {}),
    ...(has('server outages') ? { serverOutages: serverOutages(draft) } : {}),
    ...(has('late results') ? { lateResultMinutes: dice.pick('lateness', [1, 5, 30]) } : {}),
    ...(has('doubled results') ? { duplicateResultRate: 0.3 } : {}),
    ...(has('contradicted results') ? { contradictoryResultRate: 0.3 } : {}),
    ...faultsOfMerges(draft),
    ...(has('lost commands') ? { lostCommandRate: dice.pick('lost commands', [0.05, 0.3]) } : {}),
    ...(has('crashes') ? { crashRate: dice.pick('crash rate', [0.02, 0.1, 0.3]) } : {}),
  }
}

/** From a moment to a night: shorter and longer than a run may take. */
function serverOutages(draft: ScenarioDraft): readonly Outage[] {
  const { dice } = draft
  return Array.from({ length: dice.between('server outages', 1, 2) }, (_, nth) => ({
    from: instant(draft, `server outage ${nth}`, { from: 0, to: 150 }),
    minutes: dice.pick(`server outage ${nth} minutes`, [1, 12, 40, 480]),
  }))
}

function faultsOfMerges({ dice, has }: ScenarioDraft): Faults {
  return {
    ...(has('slow merges') ? { mergeMinutes: dice.pick('merge minutes', [0.1, 1, 5]) } : {}),
    ...(has('very slow merges') ? { mergeMinutes: 2 * typicalMinutes } : {}),
    ...(has('refused merges') ? { mergeRefusedRate: dice.pick('refusals', [0.05, 0.3]) } : {}),
    ...(has('refused below a stack') ? { mergeRefusedRate: 0.6 } : {}),
    ...(has('conflicting merges') ? { mergeConflictRate: 0.1 } : {}),
    ...(has('pushes at merge time') ? { mergePushedRate: 0.1 } : {}),
    ...(has('pushes during a merge') ? { branchMovedRate: 0.15 } : {}),
    ...(has('groups land') && has('partial pushes') ? { partialPushRate: 0.3 } : {}),
  }
}

/** Only a host that lands groups can land a part of one. */
function codeHostOf({ has }: ScenarioDraft): Pick<Scenario, 'codeHost'> {
  const codeHost = {
    ...(has('groups land') ? { landsGroups: true } : {}),
    ...(has('conflicts at the build') ? { conflictsFoundByBuild: true } : {}),
  }
  return Object.keys(codeHost).length > 0 ? { codeHost } : {}
}

function suiteFlakesOf({ dice, has }: ScenarioDraft): SuiteFlakes {
  if (has('lone flakes')) return {}
  const rate = dice.pick('test flake rate', [0.05, 0.15, 0.4])
  const retries = has('retried tests') ? { retryPassRate: 0.5 } : {}
  const tests = flakyTestNames.map((name) => {
    return { name, rate, ...retries }
  })
  return {
    ...(has('flaky runs') ? { perRun: dice.pick('run flake rate', [0.03, 0.1, 0.35]) } : {}),
    ...(has('flaky tests') ? { tests } : {}),
    ...(has('flakes by pull request') ? { per: 'pullRequest' } : {}),
  }
}
