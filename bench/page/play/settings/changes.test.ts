import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkScenario, parseScenario } from '../../../../sim/scenario/check.ts'
import { applySettings } from '../../../../sim/scenario/settings.ts'
import type { Scenario } from '../../../../sim/scenario/scenario.ts'
import { archetypeNames } from './archetype-names.ts'
import { allowed, changed, fieldNames, settingsOf, withChange, type Changes } from './changes.ts'
import { fields } from './fields.ts'

const scenarios = archetypeNames.map((name) => {
  const file = new URL(`../../../../../scenarios/${name}.json`, import.meta.url)
  return parseScenario(readFileSync(file), name)
})

const shapes: readonly Scenario[] = [
  { name: 'listed', pullRequests: [{ number: 1 }], suite: { minutes: { uniform: [5, 15] } } },
  { name: 'by-hour', traffic: { arrivals: { perHour: Array<number>(24).fill(3) } } },
  { name: 'regular', traffic: { arrivals: { everyMinutes: 4 } } },
  { name: 'exponential', traffic: {}, suite: { minutes: { exponential: 12 } } },
]

const anyChanges = (today: Scenario): fc.Arbitrary<Changes> => {
  const settable = fieldNames.filter((name) => fields[name].read(today) !== null)
  const change = fc.constantFrom(...settable).chain((name) => {
    const { min, limit } = fields[name]
    return fc.tuple(fc.constant(name), fc.double({ min, max: limit, noNaN: true }))
  })
  return fc
    .array(change, { maxLength: 8 })
    .map((all) => all.reduce<Changes>((so, each) => withChange(today, so, each), {}))
}

test.each([...scenarios, ...shapes])(
  'given any changes of $name, the scenario is valid, and --set gives the same',
  (today) => {
    fc.assert(
      fc.property(anyChanges(today), (changes) => {
        const scenario = changed(today, changes)
        expect(checkScenario(scenario, 'changed')).toEqual(scenario)
        expect(applySettings(today, settingsOf(today, changes))).toEqual(scenario)
      }),
      { numRuns: 60 },
    )
  },
)

test.each(scenarios)('given no changes, $name is the file itself', (today) => {
  expect(changed(today, {})).toBe(today)
  expect(settingsOf(today, {})).toEqual([])
})

test('given a value that is today’s again, it is no change', () => {
  const [today] = scenarios
  if (!today) throw new Error('no scenario')
  const more = withChange(today, {}, ['slots', 7])
  expect(more).toEqual({ slots: 7 })
  expect(withChange(today, more, ['slots', fields.slots.read(today) ?? 0])).toEqual({})
})

test('given runs whose median is moved past their 95th percentile, the latter goes along', () => {
  const today: Scenario = { name: 'team', suite: { minutes: { median: 10, p95: 20 } } }
  const move = (from: Changes, ...change: Parameters<typeof withChange>[2]): Changes =>
    withChange(today, from, change)
  const short = move({}, 'p95', 5)
  expect(changed(today, short).suite?.minutes).toEqual({ median: 5, p95: 5 })
  const long = move(short, 'median', 30)
  expect(changed(today, long).suite?.minutes).toEqual({ median: 30, p95: 30 })
  expect(changed(today, move(long, 'median', 10)).suite?.minutes).toEqual({ median: 10, p95: 30 })
  expect(changed(today, move(short, 'median', 10)).suite?.minutes).toEqual({ median: 10, p95: 10 })
})

test('given a value that no field allows, the nearest one is taken', () => {
  expect(allowed('slots', -3)).toBe(1)
  expect(allowed('slots', 1e9)).toBe(500)
  expect(allowed('slots', 2.4)).toBe(2)
  expect(allowed('traffic', 1.2000000001)).toBe(1.2)
})
