/** What queues are read from mergeyard.json, and from options. */

import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseOptions } from '../../../server/terminal/options.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import { readConfiguration } from '../../../server/cli/configuration.ts'
import { configurationWith } from '../../../engine/index.ts'
import { creationOf } from '../../../server/hosting/hosts.ts'
import { hostingIn, usage } from '../../../server/cli/serve.ts'

const home = new CliFolder()
afterAll(() => home.remove())

//
test('paths of mergeyard.json begin in its folder, and no test sees its files with secrets', () => {
  for (const name of ['token', 'hook', 'key']) home.write(name, 'secret')
  const tests = { kind: 'command', run: 'make', bind: ['cache', '/run/docker.sock'] }
  const secrets = { tokenFile: 'token', webhookSecretFiles: ['hook'] }
  const app = { id: 1, keyFile: 'key' }
  const queues = [
    { github: { repo: 'acme/shop', app }, tests },
    { gitea: { repo: 'https://git.example.com/acme/shop', ...secrets }, tests },
    { url: 'shop.git', tests: { ...tests, bind: [], limits: { diskMiB: 5 } } },
  ]
  home.write('mergeyard.json', JSON.stringify({ queues }))
  const read = readConfiguration(join(home.path, 'mergeyard.json'), 'mergeyard.json', {})
  const inHome = (...names: string[]): string[] => names.map((name) => join(home.path, name))
  expect(read.map(({ secretFiles }) => secretFiles)).toEqual([
    inHome('key'),
    inHome('token', 'hook'),
    [],
  ])
  const bound = [...inHome('cache'), '/run/docker.sock']
  expect(read.map((queue) => queue.tests)).toMatchObject([
    { bind: bound },
    { bind: bound },
    { bind: [], limits: { diskMiB: 5 } },
  ])
})

//
test('the queue of a new repository is adaptive, unless the file says documented', () => {
  const queues = [{ url: 'shop.git' }, { url: 'mall.git', set: { policy: 'documented' } }]
  const tests = { kind: 'command', run: 'make' }
  home.write(
    'mergeyard.json',
    JSON.stringify({ queues: queues.map((each) => ({ ...each, tests })) }),
  )
  const read = readConfiguration(join(home.path, 'mergeyard.json'), 'mergeyard.json', {})
  const policies = read.map(({ set }) => configurationWith(creationOf(set).set).policy)
  expect(policies).toEqual(['adaptive', 'documented'])
})

test('the options name paths from where the command is called, and limits by name', () => {
  const more = [
    '--bind',
    'cache',
    '--bind',
    '/srv',
    '--limit',
    'processes=5',
    '--limit',
    'diskMiB=6',
  ]
  const env = { INIT_CWD: home.path }
  const parsed = parseOptions(usage, ['--repo', '.', '--test', 'make', ...more], env)
  expect(hostingIn('serve', parsed, env)).toMatchObject([
    {
      tests: {
        bind: [join(home.path, 'cache'), '/srv'],
        limits: { processes: 5, diskMiB: 6 },
      },
    },
  ])
})
