/**
 * Simulated runs, repeated by a real server with real git and real test processes. By default some
 * scenario files and 2 seeds; MERGEYARD_REHEARSALS=all takes every file of a size and 200 seeds.
 */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { SchemaInput } from '../../sim/scenario/check.ts'
import { loadScenario } from '../../sim/scenario/load.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { swarmScenario } from '../../sim/swarm/swarm.ts'
import { readReports } from '../cli/junit-reports.ts'
import { faultsIn } from './testing/judge-rehearsal.ts'
import { recordRun, rehearse } from './testing/rehearse.ts'
import { temporaryFolder } from '../../server/terminal/testing/temporary-folder.ts'

const isAll = process.env['MERGEYARD_REHEARSALS'] === 'all'

/** Each of them shows something else that git, a test process or the order of answers could get wrong. */
const chosen = [
  'a-bisection-stays-pinned',
  'a-text-clash-between-lanes',
  'optimistic-merging-past-a-bisection',
  'split-keeps-the-order',
  'urgent-interrupts',
]
const first = 'a-text-clash-between-lanes'

function scenarioFiles(): string[] {
  const names = readdirSync('scenarios').filter((name) => name.endsWith('.json'))
  return names.map((name) => name.slice(0, -'.json'.length))
}

const mostPullRequests = 20

function files(): [string, Scenario][] {
  const names = isAll ? scenarioFiles() : chosen
  return names.flatMap((name): [string, Scenario][] => {
    try {
      const scenario = loadScenario(join('scenarios', `${name}.json`))
      const { pullRequests = [], traffic } = scenario
      return traffic || pullRequests.length > mostPullRequests ? [] : [[name, scenario]]
    } catch (error) {
      if (error instanceof SchemaInput) return []
      throw error
    }
  })
}

/** By default the first 2 seeds with few pull requests and commands, because each process takes time. */
function seeds(): number[] {
  if (isAll) return Array.from({ length: 200 }, (_, index) => index + 1)
  const few: number[] = []
  for (let seed = 1; few.length < 2; seed++) {
    const { entries, steps } = recordRun(swarmScenario(seed))
    if (entries.length <= 6 && steps.length <= 30) few.push(seed)
  }
  return few
}

async function faultsOf(scenario: Scenario): Promise<string[]> {
  return faultsIn(await rehearse(temporaryFolder(), scenario, readReports))
}

for (const [name, scenario] of files()) {
  const tags = name === first ? [] : ['matrix']
  test(`real git and real tests go the way of the scenario ${name}`, { tags }, async () => {
    expect(await faultsOf(scenario)).toEqual([])
  })
}

for (const seed of seeds()) {
  test(`real git and real tests go the way of swarm seed ${seed}`, matrix, async () => {
    expect(await faultsOf(swarmScenario(seed))).toEqual([])
  })
}
