import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { TuneFolder } from '../sim/testing/sim.ts'
import type { TuneDocument } from '../../tune/document.ts'

const home = new TuneFolder()
afterAll(() => home.remove())

const { flood } = home

const tune = (args: readonly string[], env: NodeJS.ProcessEnv = {}) => home.tune(args, env)

// S-70, S-71
describe('invalid input', () => {
  test.each([
    [['nowhere.json'], 'a file that can be read'],
    [[], 'expected <scenario file>, got nothing'],
    [[flood, flood], 'expected only <scenario file>, got also "flood.json"'],
    [[flood, '--batch', 'many'], 'sizes from 1 on'],
    [[flood, '--set', 'queue.nothing=1,2'], 'queue'],
    [[flood, '--prefer', 'luck'], 'balance, time, cost, price or safety'],
    [[flood, '--prefer', 'price'], '--ci-price or --wait-price'],
    [[flood, '--budget', 'a while'], 'a time like 90s, 2m or 1h'],
    [[flood, '--allow-unproven', 'some'], 'mid-batch,cleared-by-successor,disjoint-targets,direct'],
    [[flood, '--least-effect', '95'], 'a percentage from 0 to 90'],
    [[flood, '--resubmit-after', 'soon'], 'minutes, at least 1; or never'],
    [[flood, '--repo', 'shop'], 'host/owner/name'],
  ])('%j: exit code 2, and nothing is run', async (args, output) => {
    const { code, out, err } = await tune(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(output)
  })

  test('given a report folder in which nothing can be written, it fails before the run', async () => {
    const { code, out, err } = await tune([flood, '--report', 'flood.json'])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('a folder that can be written')
  })
})

const tuneLine = (line: string) => home.run(`tune ${line}`.split(' '))

describe('the settings of another queue', () => {
  const args = `${flood} --budget 0.2s --seeds 12`

  test('given --for mergify, prints its file, and Mergeyard beside it', async () => {
    const { code, out, err } = await tuneLine(`${args} --for mergify --no-report`)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^flood, Mergify's merge queue: Set batch size /)
    expect(out).toMatch(/\n\.mergify\.yml\nmerge_queue:\n {2}max_parallel_checks: \d+\n/)
    expect(out).toContain('checked against the JSON Schema')
    expect(out).toMatch(/\n {2}Mergeyard with .*: another queue, after a search of the same/)
    expect(out).toContain("Mergify's merge queue is a model, after docs.mergify.com")
    expect(out).toContain('max_parallel_checks 5, batch_size 1')
    expect(out).not.toContain('curl')
  })

  test('given --set, searches these values; given --today, these are what it has', async () => {
    const axis = '--set max_batch_size=1,8 --today max_batch_size=1 --no-report'
    const { out } = await tuneLine(`${args} --for bors ${axis} --json`)
    const document: TuneDocument = JSON.parse(out)
    expect(document).toMatchObject({
      asked: { queue: 'bors' },
      axes: [{ name: 'max_batch_size', values: ['1', '8'], today: '1', choice: '8' }],
      verdict: { kind: 'change', choice: 'batch at most 8', curl: null },
      configuration: { target: 'bors.toml', language: 'toml' },
      beside: { setting: { seeds: 12, againstToday: null } },
    })
    expect(document.configuration?.text).toContain('max_batch_size = 8')
    expect(document.beside?.againstChoice.p95?.measure).toBe('ratio')
  })

  test('given one value, it holds for every setting, and the page shows the request', async () => {
    const set = '--set max_entries_to_merge=3 --set grouping_strategy=HEADGREEN'
    const branch = '--repo github.com/acme/shop --branch next --json'
    const { out } = await tuneLine(`${args} --for github ${set} ${branch}`)
    const { axes, configuration, verdict }: TuneDocument = JSON.parse(out)
    expect(axes.map(({ name }) => name)).toEqual([
      'max_entries_to_build',
      'min_entries_to_merge',
      'min_entries_to_merge_wait_minutes',
    ])
    expect(verdict.kind === 'change').toBe(configuration !== null)
    const page = readFileSync(join(home.path, 'reports/flood/tune.html'), 'utf8')
    expect(page).toContain('GitHub&#39;s merge queue')
    expect(page).toContain('Beside it: Mergeyard')
  })

  test('given parts that no other queue has, says that they are left out', async () => {
    const urgent = home.scenario('urgent', {
      traffic: { count: 10, arrivals: { perHour: 30 }, urgentRate: 0.2 },
    })
    const { out } = await tuneLine(`${urgent} --for gitlab --seeds 2 --budget 0.2s`)
    expect(out).toContain('Left out, as no other queue has it: traffic.urgentRate.')
  })
})

test.each([
  [`${flood} --for kodiak`, 'mergeyard, github, gitlab, mergify, bors, zuul'],
  [`${flood} --for github --batch 2,4`, '--set max_entries_to_build'],
  [`${flood} --for github --set batch=2,4`, 'path.of.the.scenario=value'],
  [`${flood} --for zuul --set traffic.count=2,4`, 'path.of.the.scenario=value'],
  [`${flood} --for mergify --set batch_size=0,4`, 'sizes from 1 to 128'],
  [`${flood} --for bors --today max_batch_size=2,4`, 'one value'],
  [`${flood} --today max_batch_size=2`, '--for another queue as well'],
])('invalid input: %j: exit code 2, and nothing is run', async (args, output) => {
  const { code, out, err } = await tuneLine(args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(output)
})
