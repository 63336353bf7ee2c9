import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkScenario } from '../scenario/check.ts'
import { breakages } from './hunt.ts'
import { defects, equivalents } from './index.ts'
import { survivors, type Scoreboard } from './scoreboard.ts'

// To update it: npm run sim -- --defects --report sim/defects && npm run format
const scoreboard: Scoreboard = JSON.parse(readFileSync('sim/defects/scoreboard.json', 'utf8'))

describe('the committed scoreboard', () => {
  test('lists the defects of the catalogue, and all of them were detected', () => {
    expect(scoreboard.defects.map(({ defect }) => defect)).toEqual(defects.map(({ name }) => name))
    expect(survivors(scoreboard)).toEqual([])
    const names = new Set(defects.map(({ name }) => name))
    expect(Object.keys(equivalents).filter((name) => !names.has(name))).toEqual([])
  })

  test.each(scoreboard.defects)('$defect is still detected', ({ defect: name, caught }) => {
    if (!caught) throw new Error(`${name} is listed as having no effect`)
    const scenario = checkScenario(caught.scenario, name)
    const wrong = defects.find((each) => each.name === name)?.parts
    expect(breakages(scenario, wrong).map((failure) => failure.name)).toContain(caught.property)
    expect(breakages(scenario).map((failure) => failure.name)).not.toContain(caught.property)
  })
})
