import { Ajv } from 'ajv'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { borsOwner } from './bors.ts'
import { githubOwner } from './github.ts'
import { gitlabOwner } from './gitlab.ts'
import { otherQueue, otherQueueNames } from './index.ts'
import { mergifyOwner } from './mergify.ts'
import { type Owner, type Values, usualValues } from './parameters.ts'
import type { ConfigurationPlace, OtherQueueName } from './queue.ts'
import { zuulOwner } from './zuul.ts'

const place: ConfigurationPlace = {
  repo: { host: 'github.com', owner: 'acme', name: 'shop' },
  branch: null,
}

type Read = (text: string) => unknown

const bodyOf = (text: string): unknown => JSON.parse(/-d '(.*)'/.exec(text)?.[1] ?? '')

const owners: Readonly<Record<OtherQueueName, { readonly owner: Owner; readonly read: Read }>> = {
  github: { owner: githubOwner, read: (text): unknown => JSON.parse(text) },
  gitlab: { owner: gitlabOwner, read: bodyOf },
  mergify: { owner: mergifyOwner, read: (text): unknown => parseYaml(text) },
  bors: { owner: borsOwner, read: (text): unknown => parseToml(text) },
  zuul: { owner: zuulOwner, read: (text): unknown => parseYaml(text) },
}

/** Numbers at and beyond each limit of any owner, and all words. */
const texts = [
  ...['0', '1', '2', '100', '101', '128', '129', '360', '361', '86400', '86401', '999999999'],
  ...['-1', '0.5', '1e2', '', 'none', 'on', 'off', '0..8', '1..8', '8..1', '1..128', '1..129'],
  ...['ALLGREEN', 'HEADGREEN', 'MERGE', 'SQUASH', 'REBASE', 'linear', 'exponential'],
]

const usualOf = (name: OtherQueueName): Values => usualValues(otherQueue(name))

/** The owner's defaults with each value that a command can name, and with each that is searched. */
function settingsOf(name: OtherQueueName): Values[] {
  const usual = usualOf(name)
  const changed = otherQueue(name).parameters.flatMap((parameter) =>
    [
      ...parameter.ladder(20),
      ...texts.flatMap((text) => {
        const read = parameter.read(text)
        return read ? [read.value] : []
      }),
    ].map((value) => ({ ...usual, [parameter.name]: value })),
  )
  return [usual, ...changed]
}

/** A setting of which the owner's file has every key. */
const withAllKeys: Partial<Record<OtherQueueName, Values>> = {
  mergify: { batch_size: '2..8' },
  bors: { max_batch_size: 8 },
  zuul: { 'window-ceiling': 40 },
}

/** Returns copies with one thing wrong: a key renamed, or a value of another type or out of range. */
function wrong(value: unknown): unknown[] {
  if (Array.isArray(value)) {
    const items: unknown[] = value
    return items.flatMap((item, index) => wrong(item).map((each) => items.with(index, each)))
  }
  if (typeof value === 'number') return [-1, value + 0.5, String(value), 1e9]
  if (typeof value !== 'object' || value === null)
    return [{}, typeof value === 'string' ? 7 : 'yes']
  const entries = Object.entries(value)
  return entries.flatMap(([key, inner], index) => [
    Object.fromEntries(entries.with(index, [`${key}_`, inner])),
    ...wrong(inner).map((each) => Object.fromEntries(entries.with(index, [key, each]))),
  ])
}

/** These have no greatest value. */
const unlimited: ReadonlySet<OtherQueueName> = new Set(['gitlab', 'bors', 'zuul'])

describe.each(otherQueueNames)('the configuration for %s', (name) => {
  const { owner, read } = owners[name]
  const accepts = new Ajv({ allErrors: true }).compile(owner.schema)
  const { configuration } = otherQueue(name)

  test('is what its owner accepts, for every value that a command can name', () => {
    for (const values of settingsOf(name)) {
      const { text } = configuration(values, place)
      accepts(read(text))
      expect(accepts.errors ?? [], text).toEqual([])
    }
  })

  test('would be refused with any name, type or number that its owner does not know', () => {
    const whole = { ...usualOf(name), ...withAllKeys[name] }
    const faults = wrong(read(configuration(whole, place).text))
    expect(faults.length).toBeGreaterThan(4)
    const isLarge = (fault: unknown): boolean => JSON.stringify(fault).includes('1000000000')
    const refusable = faults.filter((fault) => !(unlimited.has(name) && isLarge(fault)))
    expect(refusable.filter((fault) => accepts(fault))).toEqual([])
  })

  test('says what it was checked against, with its version and date', () => {
    const { checked } = configuration(usualOf(name), place)
    expect(checked).toBe(owner.source)
    expect(checked).toMatch(/20\d\d-\d\d-\d\d\)/)
  })
})

test.each([
  ['github', 'max_entries_to_build', '100', '101'],
  ['github', 'max_entries_to_build', '1', '0'],
  ['github', 'min_entries_to_merge_wait_minutes', '360', '361'],
  ['github', 'check_response_timeout_minutes', '1', '0'],
  ['github', 'merge_method', 'SQUASH', 'squash'],
  ['mergify', 'max_parallel_checks', '128', '129'],
  ['mergify', 'batch_size', '1..128', '1..129'],
  ['gitlab', 'max_pipelines_per_merge_train', '1', '0'],
  ['bors', 'max_batch_size', '1', '0'],
  ['zuul', 'window-floor', '1', '0'],
] as const)('%s: a command can set %s to %s, but not to %s', (name, parameter, taken, refused) => {
  const found = otherQueue(name).parameters.find((each) => each.name === parameter)
  expect(found?.read(taken)).not.toBeNull()
  expect(found?.read(refused)).toBeNull()
})
