/** What a server can be told at its start, and what it refuses to be told. */

import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { BadOption, helpText, readOptions } from './options.ts'

const defaults = {
  port: 3000,
  host: '127.0.0.1',
  data: resolve('data'),
  token: null,
  stateCase: 'upper',
  keepDays: null,
  speed: null,
}

test('told nothing, it takes the defaults; empty variables are nothing', () => {
  expect(readOptions([], {})).toEqual(defaults)
  const names = helpText.match(/MERGEYARD_\w+/g) ?? []
  expect(names).toContain('MERGEYARD_HOST')
  expect(readOptions([], Object.fromEntries(names.map((name) => [name, ''])))).toEqual(defaults)
})

test('an option counts more than its variable, and that more than the default', () => {
  const environment = { MERGEYARD_PORT: '81', MERGEYARD_STATE_CASE: 'Lower', MERGEYARD_TOKEN: 'a' }
  expect(readOptions(['--port', '82', '--keep-days=0'], environment)).toEqual({
    ...defaults,
    port: 82,
    stateCase: 'lower',
    keepDays: 0,
    token: 'a',
  })
  expect(readOptions(['--token='], environment)).toMatchObject({ token: null })
})

test.each([
  ['--port', '65536'],
  ['--port', 'http'],
  ['--port', ''],
  // An empty address would be every address of the machine.
  ['--host', ''],
  ['--data', ''],
  ['--state-case', 'mixed'],
  ['--keep-days', '1.5'],
  ['--speed', '0'],
])('refuses %s "%s", and says which option and variable that was', (option, value) => {
  const variable = `MERGEYARD_${option.slice(2).toUpperCase().replace('-', '_')}`
  const refused = (): unknown => readOptions([`${option}=${value}`], {})
  expect(refused).toThrow(BadOption)
  expect(refused).toThrow(`${option} (${variable}) must be`)
  expect(refused).toThrow(`got "${value}"`)
})

test.each(['has spaces', 'trailing\n', 'schlüssel'])(
  'a token that no header can carry is refused, and not said again: %j',
  (token) => {
    const refused = (): unknown => readOptions([], { MERGEYARD_TOKEN: token })
    expect(refused).toThrow('--token (MERGEYARD_TOKEN) must be letters, digits')
    expect(refused).not.toThrow(token)
  },
)
