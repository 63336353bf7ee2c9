import { afterAll, describe, expect, test } from 'vitest'
import { TuneFolder } from './testing/tune-folder.ts'

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
