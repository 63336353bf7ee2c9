import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { groupOf } from '../../server/terminal/command.ts'
import { BadLines } from '../../server/terminal/bad-input.ts'
import { captured } from '../../server/terminal/testing/captured.ts'
import { listening } from '../../server/testing/listening.ts'
import { CliFolder, widest } from './testing/cli-folder.ts'

const home = new CliFolder()

const commands = [
  ...'start try serve init doctor submit cancel retry priority pause resume quarantine'.split(' '),
  ...'queue why log token webhook backup restore copy verify sim soak worker tune capacity'.split(
    ' ',
  ),
  ...'worst compare bench completion'.split(' '),
]

describe('mergeyard', () => {
  test('--help lists every command; without arguments the same text is an error', async () => {
    const out = await home.printed('--help')
    for (const command of commands) expect(out).toMatch(new RegExp(`^  ${command} +\\w`, 'm'))
    expect(await home.run([])).toEqual({ code: 2, out: '', err: out })
  })

  test('--version prints the version of the package', async () => {
    const { version }: { readonly version: string } = JSON.parse(
      readFileSync('package.json', 'utf8'),
    )
    for (const asked of ['--version', '-v']) expect(await home.printed(asked)).toBe(`${version}\n`)
  })

  test.each(['frob', 'constructor', '--frob'])('%s is not a command', (name) =>
    home.refuses(
      name,
      `mergeyard: command line: expected one of ${commands.join(', ')}, got "${name}"\n`,
    ),
  )

  test.each(commands)('%s has a help text, and rejects unknown options', async (command) => {
    for (const option of ['--help', '-h']) {
      const out = await home.printed(`${command} ${option}`)
      expect(out).toContain(`Usage: mergeyard ${command} `)
      const [, inGroup = ''] = /^Commands:\n([^]+?)\n\n/m.exec(out) ?? []
      const names = [...inGroup.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => [name])
      for (const name of names.length === 0 ? [[]] : names)
        expect(await home.printed([command, ...name, option])).toMatch(/Exit codes?: 0 /)
    }
    const words = new RegExp(`^${command}: command line: .*--frob"?( \\(did you mean .+\\))?\\n$`)
    await home.refuses(`${command} --frob`, words)
  })
})

test('help before a command is --help after it, also in a group', async () => {
  const asked = await home.printed('help token create')
  expect(asked).toContain('Usage: mergeyard token create ')
  expect(asked).toBe(await home.printed('token create --help'))
  expect(await home.printed('help')).toBe(await home.printed('--help'))
})

test.each([
  ['tokn', /^mergeyard: command line: .*, got "tokn" \(did you mean token\?\)\n$/],
  ['token lst', /^token: command line: .*, got "lst" \(did you mean list\?\)\n$/],
  ['sim --sedes 3', /^sim: command line: .*, got --sedes \(did you mean --seeds\?\)\n$/],
  ['token steal', 'expected one of create, list, revoke, got "steal"'],
  ['completion csh', /^completion: expected one of bash, zsh, fish, got "csh"\n$/],
])('%s is answered with what may be meant', (line, words) => home.refuses(line, words))

test('given a command that the package does not have, one line says so', async () => {
  const load = (): Promise<never> => Promise.reject(new Error('the command must not be loaded'))
  const needs = new URL('no-such-module.js', import.meta.url)
  const main = groupOf({ name: '', about: '', commands: { bench: { summary: '', needs, load } } })
  const refused = captured((context) => main(['bench'], context))
  await expect(refused).rejects.toThrow(BadLines)
  await expect(refused).rejects.toThrow(
    'bench: the installed package has no bench; run it in a checkout of the repository',
  )
})

/** What bash proposes for the last word of a command line. */
function proposals(script: string, ...line: string[]): string[] {
  const ask = `${script}\nCOMP_WORDS=(mergeyard "$@"); COMP_CWORD=$#; _mergeyard; printf '%s\\n' "\${COMPREPLY[@]}"`
  const said = execFileSync('bash', ['-c', ask, 'bash', ...line], { encoding: 'utf8' })
  return said.trim().split('\n')
}

describe('completion', () => {
  test('bash proposes commands, those of a group, and the options of a command', async () => {
    const out = await home.printed('completion bash')
    expect(proposals(out, 'pr')).toEqual(['priority'])
    expect(proposals(out, 'token', 'c')).toEqual(['create'])
    expect([proposals(out, 'he'), proposals(out, 'help', 'pr')]).toEqual([['help'], ['priority']])
    expect(proposals(out, 'token', 'create', '--sc')).toEqual(['--scope'])
    expect(proposals(out, 'submit', '7', '--')).toContain('--urgent')
    expect(proposals(out, 'submit', 'some-fi')).toEqual([''])
  })

  test('every shell gets every command', async () => {
    for (const shell of ['zsh', 'fish']) {
      const out = await home.printed(`completion ${shell}`)
      for (const command of commands) expect(out).toMatch(new RegExp(`[ "']${command}[ "']`))
      expect(out).toContain('--setup-when')
    }
  })
})

//
test('Ctrl-C ends a command with one line, also one that waits for a server', async () => {
  const silent = createServer(() => undefined)
  const port = await listening(silent)
  const interrupt = new AbortController()
  const line = `cancel 7 --url http://127.0.0.1:${port} --token secret --queue a/b/c:main`
  const running = home.run(line, { signal: interrupt.signal })
  await once(silent, 'request')
  interrupt.abort()
  expect(await running).toEqual({ code: 130, out: '', err: 'mergeyard: interrupted\n' })
})

//
test('Ctrl-C ends try, which leaves nothing behind', async () => {
  const { code, out, err } = await home.run('try', {
    onPrinted: (piece, _all, interrupt) => {
      if (piece.includes('testing')) interrupt()
    },
  })
  expect({ code, err }).toEqual({ code: 130, err: 'mergeyard: interrupted\n' })
  const [, folder = ''] = /real tests in (.+)/.exec(out) ?? []
  expect([folder === '', existsSync(folder)]).toEqual([false, false])
})

// Ctrl-C ends every long command, whatever it is at.

const busyDay = home.scenario('busy-day', { traffic: { count: 200 } })

const begun = / \d+ (?:of|seeds)/
const partDone = / [1-9]\d* (?:of|seeds)/

//
test.each([
  [partDone, 'sim --seeds 1000000'],
  [partDone, 'sim --defects'],
  [partDone, 'sim --exhaustive'],
  [begun, 'soak --for 10h'],
  [partDone, `compare ${busyDay} --seeds 1000`],
  [partDone, `tune ${busyDay} --budget 10h`],
  [begun, `capacity ${busyDay} --budget 10h`],
  [begun, `worst ${busyDay} --events 1000000000`],
])('at %s, %s ends with one line and 130', async (progress, line) => {
  const { code, err } = await home.run(line, {
    isTerminal: 'stderr',
    onPrinted: (_piece, all, interrupt) => {
      if (progress.test(all.err)) interrupt()
    },
  })
  expect(code).toBe(130)
  expect(err.match(/mergeyard: .*\n/g)).toHaveLength(1)
  expect(err).toMatch(/mergeyard: interrupted.*\n$/)
})

// Help and results fit a terminal of 80 columns, and use the room of one of 200.

/** A command stays in a line, so that it can be copied, and a word stays whole. */
const isCopied = (line: string): boolean => line.startsWith('curl ') || !line.trim().includes(' ')

const day = home.scenario('day', {
  queue: { concurrency: 1, policy: 'documented' },
  suite: { minutes: 30 },
  traffic: { count: 6, arrivals: { everyMinutes: 40 } },
})

//
describe.each([80, 200])('in a terminal of %i columns', (width) => {
  test('the help of every command fits, also of those within another', async () => {
    const pending = [[], ['compare', 'everywhere'], ['compare', 'climates'], ['sim', 'import']]
    const tooWide: string[] = []
    for (const command of pending) {
      const lines = await home.shownIn(width, [...command, '--help'])
      tooWide.push(...lines.filter((line) => line.length > width && !isCopied(line)))
      const [, listed = ''] = lines.join('\n').split('\nCommands:\n')
      for (const [, name = ''] of listed.matchAll(/^ {2}([a-z]+) {2,}/gm))
        pending.push([...command, name])
    }
    expect(tooWide).toEqual([])
    expect(pending.map((words) => words.join(' '))).toContain('token create')
    expect(pending.length).toBeGreaterThan(35)
  })

  test.each([
    `sim ${day}`,
    `sim ${day} --why 1003`,
    `sim ${day} --seeds 10 --set queue.concurrency=1`,
    `compare ${day} --seeds 2 --best 0.1s`,
    `tune ${day} --seeds 3 --budget 0.2s`,
  ])('%s fits', async (line) => {
    const lines = (await home.shownIn(width, `${line} --report reports`)).filter(
      (each) => !isCopied(each) && !/^report {2}|reproduce with/.test(each),
    )
    expect(lines.length).toBeGreaterThan(5)
    expect(widest(lines)).toBeLessThanOrEqual(width)
    const least = line.startsWith('sim') ? 40 : 0.75 * width
    expect(widest(lines)).toBeGreaterThan(least)
  })
})

// A command loads what it runs, and not all that there is: people and scripts start it often.

/** Prints the packages that are loaded with modules. */
const program = `
  import { createRequire } from 'node:module'
  for (const path of process.argv.slice(1)) await import(path)
  const files = Object.keys(createRequire(process.cwd() + '/').cache)
  const names = files.map((file) => /node_modules\\/(?:@[^/]+\\/)?[^/]+/.exec(file)?.[0] ?? file)
  console.log(JSON.stringify([...new Set(names)]))`

function packagesOf(...names: readonly string[]): string[] {
  const modules = names.map((name) => new URL(`../../server/cli/${name}.js`, import.meta.url).href)
  const args = ['--input-type=module', '--eval', program, ...modules]
  const loaded: string[] = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  return loaded
}

test('given only its options are read, a command has loaded no server and no driver of a database', () => {
  const packages = ['commander', 'fastest-levenshtein', 'picocolors'].map(
    (name) => `node_modules/${name}`,
  )
  expect(packagesOf('start', 'token', 'steer', 'queue', 'why').toSorted()).toEqual(packages)
})

test('given a server with a data folder and no repository, it loads nothing for the others', () => {
  const packages = packagesOf('run-server')
  expect(packages).toContain('node_modules/express')
  // A driver of a database, and the patterns of impacted targets.
  for (const name of ['pg', 'picomatch']) expect(packages).not.toContain(`node_modules/${name}`)
})
