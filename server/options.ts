/** What a server can be told at its start: by option, else by environment, else the default. */

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { stateCases, type StateCase } from './views/state-case.ts'

export type ServerOptions = {
  readonly port: number
  readonly host: string
  readonly data: string
  /** An admin token of this process alone; null: none. */
  readonly token: string | null
  readonly stateCase: StateCase
  /** How long segments of the command log are kept; null: for ever. */
  readonly keepDays: number | null
  /** How many times as fast the clock runs, for a demo; null: none, and the time of day. */
  readonly speed: number | null
}

type Option = {
  readonly name: string
  readonly value: string
  readonly default: string
  readonly meaning: string
}

const table: readonly Option[] = [
  {
    name: 'port',
    value: 'number',
    default: '3000',
    meaning: 'Port to listen on; 0 takes any free one',
  },
  { name: 'host', value: 'address', default: '127.0.0.1', meaning: 'Address to listen on' },
  {
    name: 'data',
    value: 'folder',
    default: './data',
    meaning: 'Where everything is kept; made if missing',
  },
  {
    name: 'token',
    value: 'text',
    default: '',
    meaning: 'An admin token for this process only; others see it in ps, so prefer the environment',
  },
  {
    name: 'state-case',
    value: 'upper|lower',
    default: 'upper',
    meaning: 'Letter case of states in answers',
  },
  {
    name: 'keep-days',
    value: 'days',
    default: '',
    meaning: 'Remove segments of the command log that are older; empty keeps them for ever',
  },
  {
    name: 'demo',
    value: 'scenario',
    default: '',
    meaning: "A scenario's world plays developers and CI; the data goes to a folder of its own",
  },
  {
    name: 'speed',
    value: 'times',
    default: '',
    meaning: 'How many times as fast time goes by in a demo: 60 is an hour a minute',
  },
]

const columnOfMeaning = 30

export const helpText = [
  'Usage: npm start -- [options]',
  '',
  'Serves the merge queue over HTTP.',
  '',
  ...table.map(({ name, value, default: byDefault, meaning }) => {
    const usual = byDefault === '' ? 'none' : byDefault
    const left = `  --${name} <${value}>`.padEnd(columnOfMeaning)
    return `${left}${meaning} (${variableOf(name)}; default ${usual})`
  }),
  `${'  --help'.padEnd(columnOfMeaning)}Show this`,
  '',
].join('\n')

/** Said in a way that helps: which option, what was expected, what came. */
export class BadOption extends Error {}

/** Null when help is asked for. Throws `BadOption`. */
export function readOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ServerOptions | null {
  const given = parsed(args)
  if (given['help'] === true) return null
  const valueOf = (name: string): string => {
    const fallback = table.find((option) => option.name === name)?.default ?? ''
    const value = given[name]
    const variable = environment[variableOf(name)] ?? ''
    // An empty variable is how many tools leave one out; an empty address would be all of them.
    if (typeof value !== 'string') return variable === '' ? fallback : variable
    if (value === '' && fallback !== '') throw bad(name, 'given or left out', value)
    return value
  }
  const stateCase = stateCases.find((each) => each === valueOf('state-case').toLowerCase())
  if (!stateCase) throw bad('state-case', stateCases.join(' or '), valueOf('state-case'))
  const token = tokenOf(valueOf('token'))
  if (valueOf('demo') !== '')
    throw new BadOption('--demo is for npm start; this is the server alone')
  return {
    port: wholeNumber('port', valueOf('port'), 65_535),
    host: valueOf('host'),
    data: resolve(valueOf('data')),
    token,
    stateCase,
    keepDays: daysOf(valueOf('keep-days')),
    speed: speedOf(valueOf('speed')),
  }
}

function parsed(args: readonly string[]): Readonly<Record<string, unknown>> {
  const options = Object.fromEntries(table.map(({ name }) => [name, { type: 'string' } as const]))
  try {
    const help = { type: 'boolean', short: 'h' } as const
    return parseArgs({ args: [...args], options: { ...options, help } }).values
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new BadOption(`${why}. --help lists the options`)
  }
}

/** Of the characters that every header can carry. What came is not said again: it is a secret. */
function tokenOf(text: string): string | null {
  if (text === '') return null
  if (/^[!-~]+$/.test(text)) return text
  const expected = 'letters, digits and punctuation of ASCII, without spaces'
  throw new BadOption(`--token (${variableOf('token')}) must be ${expected}`)
}

function daysOf(text: string): number | null {
  return text === '' ? null : wholeNumber('keep-days', text, 36_500)
}

function speedOf(text: string): number | null {
  if (text === '') return null
  const speed = Number(text)
  if (/^\d+(?:\.\d+)?$/.test(text) && speed > 0) return speed
  throw bad('speed', 'a number above 0', text)
}

function wholeNumber(name: string, text: string, largest: number): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number <= largest) return number
  throw bad(name, `a whole number up to ${largest}`, text)
}

function bad(name: string, expected: string, came: string): BadOption {
  return new BadOption(`--${name} (${variableOf(name)}) must be ${expected}, got "${came}"`)
}

function variableOf(name: string): string {
  return `MERGEYARD_${name.toUpperCase().replaceAll('-', '_')}`
}
