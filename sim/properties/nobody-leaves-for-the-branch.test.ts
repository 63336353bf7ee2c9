import { expect, test } from 'vitest'
import { rules } from '../../engine/index.ts'
import { engineWithRules, withMisreadSettings } from '../run/altered-engines.ts'
import { simulate } from '../run/simulate.ts'
import { loadScenario } from '../scenario/load.ts'
import { nobodyLeavesForTheBranch } from './nobody-leaves-for-the-branch.ts'

const scenario = loadScenario('scenarios/main-fails-by-itself.json')

function findingsOf(parts = engineWithRules({})) {
  const properties = [nobodyLeavesForTheBranch]
  const found = simulate(scenario, { properties, parts }).properties.find(
    ({ name }) => name === nobodyLeavesForTheBranch.name,
  )
  return { checked: found?.checked ?? 0, stories: found?.violations.map(({ story }) => story) }
}

// E-230
test('holds while the branch is tested before anybody is FAILED', () => {
  expect(findingsOf()).toMatchObject({ stories: [] })
})

// E-230
test('is violated when somebody is FAILED for what a push broke', () => {
  const off = () => ({ tipTestMode: 'off' }) as const
  const wrong = engineWithRules({
    advanceBisection: withMisreadSettings(rules.advanceBisection, off),
  })
  const { checked, stories } = findingsOf(wrong)
  expect(checked).toBeGreaterThan(0)
  expect(stories?.[0]).toMatch(
    /^Pull request \d+ FAILED at minute \d+ for run \d+, although a push has broken what it was tested on\.$/,
  )
})
