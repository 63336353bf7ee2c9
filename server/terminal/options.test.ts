import { describe, expect, test } from 'vitest'
import {
  helpOf,
  type OptionTable,
  type ParsedOptions,
  parseOptions,
  type Usage,
} from './options.ts'

const table = {
  'size <n>': { help: 'a size', default: '3', variable: 'SIZE' },
  'key <text>': { help: 'a secret', variable: 'KEY', isSecret: true },
  'tag <text>...': 'a tag',
  loud: 'print more',
} as const satisfies OptionTable

const usage: Usage<typeof table> = {
  command: 'try',
  npm: 'npm run try --',
  about: '',
  operands: ['<file>'],
  table,
}

const parse = (args: readonly string[], env: NodeJS.ProcessEnv = {}): ParsedOptions<typeof table> =>
  parseOptions(usage, args, env)

test('an option overrides its variable, and the variable overrides the default', () => {
  expect(parse(['a', '--size=5'], { SIZE: '4' }).value('size')).toBe('5')
  expect(parse(['a'], { SIZE: '4' }).value('size')).toBe('4')
  expect(parse(['a'], { SIZE: '' }).value('size')).toBe('3')
  expect(parse(['a', '--key='], { KEY: 'k' }).text('key')).toBeNull()
  const parsed = parse(['a', '--tag', 'x', '--loud', '--tag=y'])
  expect([parsed.list('tag'), parsed.flag('loud'), parsed.operands]).toEqual([
    ['x', 'y'],
    true,
    ['a'],
  ])
  expect([parsed.isGiven('tag'), parsed.isGiven('size'), parsed.text('key')]).toEqual([
    true,
    false,
    null,
  ])
})

test('--no-loud is an option of its own, and refused before and after --loud', () => {
  const both = { ...table, 'no-loud': 'print nothing' } as const
  const of = (...args: readonly string[]) => parseOptions({ ...usage, table: both }, args, {})
  const { flag } = of('a', '--no-loud')
  expect([flag('loud'), flag('no-loud')]).toEqual([false, true])
  const words = 'only one of them, got --loud and --no-loud'
  expect(() => of('a', '--loud', '--no-loud')).toThrow(words)
  expect(() => of('a', '--no-loud', '--loud')).toThrow(words)
})

test('the help says where a value comes from, and what can be given more than once', () => {
  const help = helpOf(usage, null)
  expect(help).toMatch(/--size <n> +a size \(SIZE; default 3\)$/m)
  expect(help).toMatch(/--tag <text> +a tag \(repeatable\)$/m)
})

test('given --help, the other options are not checked', () => {
  expect(parse(['--help', '--size='], { npm_config_loud: 'true' }).isHelp).toBe(true)
})

describe('an error', () => {
  test.each([
    [['a', '--quiet=secret'], 'expected an option that --help lists, got --quiet'],
    [['a', '--constructor'], 'expected an option that --help lists, got --constructor'],
    [['a', '--size'], 'expected --size <n>, got --size without a value'],
    [['a', '--size', '--loud'], 'expected --size <n>, got --size without a value'],
    [['a', '--loud=secret'], 'expected --loud without a value, got --loud with a value'],
    [['a', '--size='], 'expected --size <n>, or no --size, got --size ""'],
    [['a', '--tag', 'x', '--tag='], 'expected --tag <text>, or no --tag, got --tag ""'],
    // What an unset variable of a shell leaves.
    [[''], 'expected <file>, got ""'],
    [[' '], 'expected <file>, got " "'],
    [[], 'expected <file>, got nothing'],
    [['a', 'b', 'c'], 'expected only <file>, got also "b c"'],
  ])('for %j is one line', (args, fault) => {
    expect(() => parse(args)).toThrow(`try: command line: ${fault}`)
  })

  test('names the source of the value: the option or the variable', () => {
    const { fault } = parse(['a', '--size', 'x\ny'])
    expect(fault('size', 'a number').lines).toEqual([
      String.raw`try: command line: expected a number, got --size "x\ny"`,
    ])
    expect(parse(['a'], { SIZE: 'x' }).fault('size', 'a number').lines).toEqual([
      'try: SIZE: expected a number, got x',
    ])
  })

  test('never repeats a secret', () => {
    const parsed = [parse(['a', '--key', 'let-me-in']), parse(['a'], { KEY: 'let-me-in' })]
    for (const { fault } of parsed) expect(fault('key', 'a key').message).not.toContain('let-me-in')
    const swallowed = (): unknown => parse(['a', '--key', 'let-me-in'], { npm_config_loud: 'true' })
    expect(swallowed).toThrow('npm run try -- ... --loud')
    expect(swallowed).not.toThrow('let-me-in')
  })
})
