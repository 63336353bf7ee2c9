/** The options of a server and of a demo, and the values that are rejected. */

import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { requestTimeouts } from '../http/limits.ts'
import { BadInput } from '../terminal/bad-input.ts'
import { parseOptions } from '../terminal/options.ts'
import { warningOfPort } from './run-server.ts'
import { readStartOptions, usage, type StartOptions } from './start.ts'

const read = (args: readonly string[], env: NodeJS.ProcessEnv): StartOptions =>
  readStartOptions(parseOptions(usage, args, env), env)

const defaults = {
  port: 3000,
  host: '127.0.0.1',
  data: resolve('data'),
  token: null,
  stateCase: 'upper',
  keepDays: null,
  rememberDays: 90,
  timeouts: requestTimeouts,
  speed: null,
  page: {
    pages: { live: resolve('dist/page'), play: resolve('dist/site') },
    publicPage: false,
    publicUrl: '',
    watchers: 1000,
  },
}

test('given no options or empty variables, the defaults apply', () => {
  expect(read([], {})).toEqual({ server: defaults, demo: null, store: null })
  const names = Object.values(usage.table).flatMap((option) =>
    typeof option !== 'string' && 'variable' in option ? [option.variable] : [],
  )
  expect(names).toContain('MERGEYARD_HOST')
  const empty = Object.fromEntries(names.map((name) => [name, '']))
  expect(read([], empty)).toEqual({ server: defaults, demo: null, store: null })
})

test('an option overrides its variable, and the variable overrides the default', () => {
  const environment = { MERGEYARD_PORT: '81', MERGEYARD_STATE_CASE: 'Lower', MERGEYARD_TOKEN: 'a' }
  expect(read(['--port', '82', '--keep-days=0'], environment).server).toEqual({
    ...defaults,
    port: 82,
    stateCase: 'lower',
    keepDays: 0,
    rememberDays: 90,
    token: 'a',
  })
  expect(read(['--token='], environment).server).toMatchObject({ token: null })
})

test('a demo has a speed, and a temporary folder unless a data folder is set', () => {
  const { server, demo } = read(['--demo=a.json', '--port', '0'], { INIT_CWD: resolve('here') })
  expect(demo).toEqual({ scenario: resolve('here/a.json'), name: 'a.json', speed: 60, data: null })
  expect(server).toMatchObject({ port: 0, speed: null })
  const fromVariables = read(['--speed', '600'], {
    MERGEYARD_DEMO: 'b.json',
    MERGEYARD_DATA: 'data/kept',
  })
  expect(fromVariables.demo).toMatchObject({
    name: 'b.json',
    speed: 600,
    data: resolve('data/kept'),
  })
})

test.each([
  ['--port', '65536'],
  ['--port', 'http'],
  ['--port', ''],
  // An empty host would mean every address of the machine.
  ['--host', ''],
  ['--data', ''],
  ['--state-case', 'mixed'],
  ['--keep-days', '1.5'],
  ['--watchers', '0'],
  // The page is at the root of its host.
  ['--public-url', 'https://example.com/queue'],
  ['--public-url', 'https://example.com/?queue'],
  ['--speed', '0'],
  ['--speed', '60'],
])('rejects %s "%s", and names the source: the option or the variable', (option, value) => {
  const refused = (): unknown => read([`${option}=${value}`], {})
  expect(refused).toThrow(BadInput)
  expect(refused).toThrow(`start: command line: expected`)
  expect(refused).toThrow(`got ${option} ${value === '' ? '""' : value}`)
  if (value === '') return
  const variable = `MERGEYARD_${option.slice(2).toUpperCase().replaceAll('-', '_')}`
  const refusedVariable = (): unknown => read([], { [variable]: value })
  expect(refusedVariable).toThrow(`start: ${variable}: expected`)
  expect(refusedVariable).toThrow(`got ${value}`)
})

test.each(['has spaces', 'trailing\n', 'schlüssel'])(
  'rejects a token that no header can carry, without repeating it: %j',
  (token) => {
    for (const refused of [
      () => read([], { MERGEYARD_TOKEN: token }),
      () => read([`--token=${token}`], {}),
    ]) {
      expect(refused).toThrow('expected ASCII letters, digits')
      expect(refused).not.toThrow(token)
    }
  },
)

test('a port that browsers and commands refuse is told of', () => {
  expect([3000, 0, 4190].map((port) => warningOfPort(port).slice(0, 58))).toEqual([
    '',
    '',
    'browsers and the commands of Mergeyard reach no server on ',
  ])
})
