import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test, describe } from 'vitest'
import { checkScenario, parseScenario } from '../../../../sim/scenario/check.ts'
import { applySettings } from '../../../../sim/scenario/settings.ts'
import type { Scenario } from '../../../../sim/scenario/scenario.ts'
import { archetypeNames } from './archetype-names.ts'
import { allowed, changed, fieldNames, settingsOf, withChange, simCommand } from './changes.ts'
import type { Changes } from './changes.ts'
import { type FieldName, fields } from './fields.ts'
import { fragmentOf, longestPacked, packed, readFragment, unpacked } from './fragment.ts'

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

const anyChangeOf = (names: readonly FieldName[]) =>
  fc.constantFrom(...names).chain((name) => {
    const [min, , max] = fields[name].range
    return fc.tuple(fc.constant(name), fc.double({ min, max, noNaN: true }))
  })

const anyChanges = (today: Scenario): fc.Arbitrary<Changes> => {
  const settable = fieldNames.filter((name) => fields[name].read(today) !== null)
  return fc
    .array(anyChangeOf(settable), { maxLength: 8 })
    .map((all) => all.reduce<Changes>((so, each) => withChange(today, so, each), {}))
}

test.each([...scenarios, ...shapes])('any changes of $name are valid, as by --set', (today) => {
  fc.assert(
    fc.property(anyChanges(today), (changes) => {
      const scenario = changed(today, changes)
      expect(checkScenario(scenario, 'changed')).toEqual(scenario)
      expect(applySettings(today, settingsOf(today, changes))).toEqual(scenario)
    }),
    { numRuns: 60 },
  )
})

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

const anyLinkedChanges = fc.array(anyChangeOf(fieldNames), { maxLength: 6 }).map((all): Changes => {
  const changes: { -readonly [Name in keyof Changes]: Changes[Name] } = {}
  for (const [name, value] of all) changes[name] = allowed(name, value)
  return changes
})

describe('the fragment of an address', () => {
  test('given any archetype and changes, is read as it was written', () => {
    fc.assert(
      fc.property(fc.constantFrom(...archetypeNames), anyLinkedChanges, (name, changes) => {
        const address = { from: { kind: 'archetype', name }, changes } as const
        expect(readFragment(fragmentOf(address))).toEqual({ ...address, unknown: [] })
      }),
    )
  })

  test('names only what differs', () => {
    const from = { kind: 'archetype', name: 'small-team' } as const
    expect(fragmentOf({ from, changes: {} })).toBe('#from=small-team')
    expect(fragmentOf({ from, changes: { batch: 4, slots: 3 } })).toBe(
      '#from=small-team&slots=3&batch=4',
    )
  })

  test('given nothing, is the first archetype with the adaptive policy beside today’s', () => {
    const from = { kind: 'archetype', name: 'startup-monorepo' }
    expect(readFragment('')).toEqual({ from, changes: { adaptive: 1 }, unknown: [] })
  })

  test('given nonsense, leaves it out and says so', () => {
    const { changes, unknown } = readFragment(
      '#from=<b>&slots=1e9&batch=x&depth=&colour=red&__proto__=1',
    )
    expect(changes).toEqual({ slots: 500 })
    expect(unknown).toEqual(['<b>', 'batch', 'depth', 'colour', '__proto__'])
  })
})

describe('a packed scenario', () => {
  test('given any JSON that is short enough, is unpacked as it was', async () => {
    const unpackedAgain = async (document: unknown): Promise<string | null> => {
      const text = await packed(document)
      return text === null ? null : unpacked(text)
    }
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (document) => {
        expect([JSON.stringify(document), null]).toContain(await unpackedAgain(document))
      }),
    )
    expect(await unpackedAgain({ name: 'ä' })).toBe('{"name":"ä"}')
  })

  test('given one that is too long for a link, is null', async () => {
    const numbers = Array.from({ length: 4000 }, (_, index) => (index * 7919) % 10_007)
    expect(await packed(numbers)).toBeNull()
  })

  test('given a text that would unpack to far more, is refused', async () => {
    const text = await packed('a'.repeat(2_100_000))
    expect(text?.length).toBeLessThan(longestPacked)
    await expect(unpacked(text ?? '')).rejects.toThrow('longer than 2000000 bytes')
  })

  test.each(['', '%%%', 'AAAA', 'not a scenario'])('given %o, is refused', async (text) => {
    await expect(unpacked(text)).rejects.toBeInstanceOf(Error)
  })
})

test('given settings, the command quotes what a shell would read otherwise', () => {
  expect(simCommand('scenarios/small-team.json', [])).toBe(
    'npm run -s sim -- scenarios/small-team.json --json --no-report',
  )
  const settings = ['queue.concurrency=3', 'suite.minutes={"median":5,"p95":9}']
  expect(simCommand("my team's.json", settings)).toBe(
    `npm run -s sim -- "my team's.json" --set queue.concurrency=3 --set 'suite.minutes={"median":5,"p95":9}' --json --no-report`,
  )
})
