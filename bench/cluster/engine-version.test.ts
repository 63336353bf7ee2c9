/**
 * Servers of two versions may append to one log in turns only if both decide the same. `engineVersion` says
 * so, and is raised by hand. This test notices if that was forgotten: the decisions of the engine in all small
 * scenarios are known by their hash.
 */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { engineVersion } from '../../server/replica/engine-version.ts'
import { simulate } from '../../sim/run/simulate.ts'
import { loadScenario } from '../../sim/scenario/load.ts'
import { generatedCount, type Scenario } from '../../sim/scenario/scenario.ts'

const file = 'bench/cluster/decisions.json'
const mostGenerated = 100

/** What went into an engine, and what it decided. */
type Hashes = { readonly commands: string; readonly events: string }

type Known = {
  readonly engineVersion: number
  readonly scenarios: Readonly<Record<string, Hashes>>
}

const hashOf = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 12)

function hashesOf(scenario: Scenario): Hashes {
  const lines: string[] = []
  simulate(scenario, { isUnhashed: true, onTrace: (each) => lines.push(...each.split('\n')) })
  const isCommand = (line: string): boolean => line.startsWith('{"command"')
  return {
    commands: hashOf(lines.filter(isCommand)),
    events: hashOf(lines.filter((line) => !isCommand(line))),
  }
}

function decisions(): Record<string, Hashes> {
  const names = readdirSync('scenarios').filter((name) => /^[^.]+\.json$/u.test(name))
  const small = names
    .map((name) => ({ name, scenario: loadScenario(`scenarios/${name}`) }))
    .filter(({ scenario }) => generatedCount(scenario) <= mostGenerated)
  return Object.fromEntries(small.map(({ name, scenario }) => [name, hashesOf(scenario)]))
}

/** Scenarios in which the same commands were decided otherwise. */
const decidedOtherwise = (known: Known, now: Readonly<Record<string, Hashes>>): string[] =>
  Object.entries(known.scenarios)
    .filter(([name, { commands }]) => now[name]?.commands === commands)
    .filter(([name, { events }]) => now[name]?.events !== events)
    .map(([name]) => name)

function readKnown(): Known {
  const known: Known = JSON.parse(readFileSync(file, 'utf8'))
  return known
}

test('given an engine that decides otherwise, its version is raised', () => {
  const known = readKnown()
  const now = { engineVersion, scenarios: decisions() }
  const otherwise =
    known.engineVersion === engineVersion ? decidedOtherwise(known, now.scenarios) : []
  expect(otherwise, 'raise server/replica/engine-version.ts').toEqual([])
  // To take over new scenarios: WRITE_TABLES=1 npx vitest run engine-version
  if (process.env['WRITE_TABLES'] === '1') writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`)
  expect(readKnown(), 'run WRITE_TABLES=1 npx vitest run engine-version').toEqual(now)
})

test('given the same commands with other events, says in which scenario', () => {
  const hashes = { commands: 'a', events: 'b' }
  const known = { engineVersion, scenarios: { 'one.json': hashes, 'two.json': hashes } }
  const now = { 'one.json': { ...hashes, events: 'c' }, 'two.json': { commands: 'd', events: 'e' } }
  expect(decidedOtherwise(known, now)).toEqual(['one.json'])
})
