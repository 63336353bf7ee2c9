/** What serve and doctor say about input that cannot work: a line, exit code 2, and nothing has changed. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeRepository } from '../../stage/repository.ts'
import { CliFolder } from '../testing/cli-folder.ts'

const home = new CliFolder()
const shop = join(home.path, 'shop.git')
const data = join(home.path, 'data')

beforeAll(() => makeRepository(shop, [{ number: 1 }]))
afterAll(() => home.remove())

const tests = ['--test', 'node test.mjs', '--data', data, '--port', '0']

describe('serve refuses', () => {
  test.each([
    [['--test', 'true'], '--repo: expected the repository, as a path or an address, got nothing'],
    [['--repo', shop], '--test: expected the test command, got nothing'],
    [
      ['--repo', 'nowhere', ...tests],
      'expected a path that exists, or an address, got --repo nowhere',
    ],
    [['--repo', home.path, ...tests], 'does not appear to be a git repository'],
    [['--repo', shop, '--branch', 'release', ...tests], 'has no branch release: it has main'],
    [
      ['--repo', shop, '--test', 'frobnicate --all', '--data', data],
      '--test: expected a command of which this machine has the program frobnicate',
    ],
    [
      ['--repo', shop, ...tests, '--batch', '0'],
      'expected a whole number from 1 to 1000, got --batch 0',
    ],
    [
      ['--repo', shop, '--config', 'x.json'],
      'expected either --config or --repo, got --config x.json',
    ],
    [
      ['--repo', shop, ...tests, '--store', 'postgres://db/mergeyard', '--keep-days', '3'],
      'no --keep-days: it is about a data folder',
    ],
    [
      ['--repo', shop, ...tests, '--store', 'db/mergeyard'],
      'expected an address such as postgres://user@host/database',
    ],
  ])('%j', async (args, words) => {
    const { code, out, err } = await home.run(['serve', ...args])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(words)
    expect(
      err
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('{')),
    ).toHaveLength(1)
  })

  test('a configuration with faults, each with its JSON pointer', async () => {
    const file = join(home.path, 'mergeyard.json')
    const queue = { url: 'shop.git', tests: { kind: 'command' }, set: { batch: 1 } }
    writeFileSync(file, JSON.stringify({ queues: [queue] }))
    const { code, err } = await home.run(['serve', '--config', file])
    expect(code).toBe(2)
    expect(err).toContain('/queues/0/tests')
    expect(err).toContain('/queues/0/set/batch')
  })

  test('a command for targets that this machine does not have', async () => {
    const targets = { command: 'frobnicate' }
    const queue = { url: 'shop.git', tests: { kind: 'external' }, targets }
    writeFileSync(join(home.path, 'mergeyard.json'), JSON.stringify({ queues: [queue] }))
    const args = ['--config', join(home.path, 'mergeyard.json'), '--data', data]
    const { code, err } = await home.run(['serve', ...args])
    expect(code).toBe(2)
    expect(err).toContain('targets: expected a command of which this machine has the program')
    expect(existsSync(data)).toBe(false)
  })

  test('and leaves no server behind that commands could find', async () => {
    const args = ['--repo', shop, '--branch', 'release', ...tests]
    await home.run(['serve', ...args])
    expect(existsSync(data)).toBe(false)
    const { code, err } = await home.run(['queue', '--data', data])
    expect(code).toBe(2)
    expect(err).toContain('no server runs on')
  })
})

describe('doctor', () => {
  test('finds nothing wrong with a repository that can be pushed to', async () => {
    const { code, out } = await home.run(['doctor', '--repo', shop, '--test', 'node test.mjs'])
    expect(code).toBe(0)
    expect(out).toMatch(/^ok +repository +can be read: 1 pull request, 0 below queue\/$/m)
    expect(out).toMatch(/^ok +push +is allowed/m)
  })

  test('names each fault, and exits with 1', async () => {
    const empty = join(home.path, 'empty')
    mkdirSync(empty, { recursive: true })
    const args = ['doctor', '--repo', empty, '--test', 'frobnicate', '--json']
    const { code, out } = await home.run(args)
    expect(code).toBe(1)
    const checks: { what: string; isOk: boolean }[] = JSON.parse(out)
    const faults = checks.filter(({ isOk }) => !isOk).map(({ what }) => what)
    expect(faults).toEqual(['repository', 'test command'])
  })
})
