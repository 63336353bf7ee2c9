/** What a demo can be told; all else goes to the server as it is. */

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BadInput } from '../scenario/bad-input.ts'

export type DemoOptions = {
  readonly scenario: string
  /** How the scenario is called in faults: as it was given. */
  readonly name: string
  /** How many times as fast as the clock on the wall. */
  readonly speed: number
  /** Null: a folder of its own, removed in the end. */
  readonly data: string | null
  readonly token: string | null
  /** For the server. */
  readonly rest: readonly string[]
}

const defaultSpeed = '60'
const mostSpeed = 100_000

/** Takes what is the demo's out of the arguments and the environment. Throws `BadInput`. */
export function readDemoOptions(args: readonly string[], env: NodeJS.ProcessEnv): DemoOptions {
  const { values, tokens } = parseArgs({
    args: [...args],
    options: {
      demo: { type: 'string' },
      speed: { type: 'string' },
      data: { type: 'string' },
      token: { type: 'string' },
    },
    strict: false,
    tokens: true,
  })
  const own = new Set<number>()
  for (const token of tokens) {
    if (token.kind !== 'option' || !['demo', 'speed', 'data', 'token'].includes(token.name))
      continue
    own.add(token.index)
    if (token.value !== undefined && !token.inlineValue) own.add(token.index + 1)
  }
  const rest = args.filter((_arg, index) => !own.has(index))
  const textOf = (name: 'demo' | 'speed' | 'data' | 'token'): string | null => {
    const value = values[name]
    const text = typeof value === 'string' ? value : env[`MERGEYARD_${name.toUpperCase()}`]
    return text === undefined || text === '' ? null : text
  }
  const name = textOf('demo')
  if (name === null) throw fault('--demo', 'a scenario file')
  const here = env['INIT_CWD'] ?? process.cwd()
  const data = textOf('data')
  return {
    scenario: resolve(here, name),
    name,
    speed: speedOf(textOf('speed') ?? defaultSpeed),
    data: data === null ? null : resolve(data),
    token: textOf('token'),
    rest,
  }
}

function speedOf(text: string): number {
  const speed = Number(text)
  if (/^\d+(?:\.\d+)?$/.test(text) && speed > 0 && speed <= mostSpeed) return speed
  throw fault(`--speed ${text}`, `a number above 0, up to ${mostSpeed}: 60 is an hour a minute`)
}

function fault(came: string, expected: string): BadInput {
  return new BadInput('demo', [{ where: 'command line', expected, came }])
}
