/**
 * Tests the package as users install it: packs it, checks the tarball and installs it without
 * development dependencies into an empty folder. There it runs every subcommand, a TypeScript and a
 * JavaScript consumer, and the library example of the guide.
 *
 * Run it after a build: node .ci/package.mjs. On an error it prints the cause and exits with 1.
 */

import { spawn, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'mergeyard-package-'))
const consumer = join(work, 'consumer')

const fail = (message) => {
  throw new Error(message)
}

/** Runs a program and returns its standard output. If it fails, throws an error with all output. */
function run(program, args, cwd = consumer) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (status !== 0) fail(`${program} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`)
  return stdout
}

const tool = (name) => join(root, 'node_modules', '.bin', name)

function pack() {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', work]
  const [{ filename, files, size }] = JSON.parse(run('npm', args, root))
  return { tarball: join(work, filename), files: files.map(({ path }) => path), size }
}

/** Checks that the tarball contains the needed files and no files of tests or tools. */
function checkFiles(files) {
  const needed = [
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    'dist/engine/index.d.ts',
    'dist/sim/index.d.ts',
    'dist/server/index.d.ts',
    'dist/docs/swagger-ui-bundle.js',
    'dist/page/index.html',
    'dist/site/index.html',
    'scenarios/scenario.schema.json',
    'scenarios/try.json',
    'server/mergeyard.schema.json',
    'server/openapi.json',
  ]
  const missing = needed.filter((path) => !files.includes(path))
  if (missing.length > 0) fail(`the tarball lacks ${missing.join(', ')}`)
  const stray = files.filter((path) =>
    /\.test\.|\.contract\.|\/testing\/|(^|\/)\.|tsbuildinfo|\.map$|vitest/.test(path),
  )
  if (stray.length > 0)
    fail(`the tarball contains files that users do not need: ${stray.join(', ')}`)
}

function lintTarball(tarball) {
  run(tool('publint'), [tarball, '--strict'], root)
  run(tool('attw'), [tarball, '--profile', 'esm-only'], root)
}

const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)

function install(...packages) {
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages])
}

/** Lets the consumer import development dependencies of this repository: to install them again costs seconds. */
function borrow(...names) {
  for (const name of names) {
    const path = join(consumer, 'node_modules', name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), path, 'junction')
  }
}

/**
 * Checks that each subcommand prints its help, or names in one line the package that it needs. This process runs
 * them: to start one for each costs more than all of their modules.
 */
async function checkCommands() {
  const bin = join(consumer, 'node_modules', '.bin', 'mergeyard')
  const text = run(bin, ['--help'])
  const commands = [...text.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name)
  if (commands.length < 6) fail(`mergeyard --help lists ${commands.length} commands:\n${text}`)
  const modules = join(consumer, 'node_modules', 'mergeyard', 'dist', 'bench', 'cli')
  const { runCommand } = await import(pathToFileURL(join(modules, 'commands.js')).href)
  for (const command of commands) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    const context = { stdout, stderr, env: process.env, signal: new AbortController().signal }
    const status = await runCommand([command, '--help'], context)
    const [out, error] = [stdout, stderr].map((stream) => String(stream.read() ?? ''))
    const lines = error.trim().split('\n')
    const isHelp = status === 0 && out.length > 0
    const isOneLine = status === 2 && lines.length === 1 && lines[0].length > 0
    if (!isHelp && !isOneLine) fail(`mergeyard ${command} --help: status ${status}\n${out}${error}`)
  }
  const scenario = join('node_modules', 'mergeyard', 'scenarios', 'small-team.json')
  const result = JSON.parse(run(bin, ['sim', scenario, '--json', '--no-report']))
  if (result.scenario !== 'small-team') fail('mergeyard sim printed the wrong document')
  return commands
}

/** Checks that nothing that a user gets with the package runs a script when it is installed. */
function checkInstallScripts() {
  const { packages } = JSON.parse(readFileSync(join(consumer, 'package-lock.json'), 'utf8'))
  const running = Object.keys(packages).filter((name) => packages[name].hasInstallScript)
  if (running.length > 0)
    fail(`a user of the package runs install scripts of ${running.join(', ')}`)
}

/** Starts a server of the package, lets it be used at its address, and ends it. */
async function withServer(args, use) {
  const bin = join(consumer, 'node_modules', '.bin', 'mergeyard')
  const all = [...args, '--port', '0']
  const server = spawn(bin, all, { cwd: consumer, stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  server.stderr.on('data', (chunk) => (errors += chunk))
  try {
    let output = ''
    for await (const chunk of server.stdout) {
      output += chunk
      if (/http:\S+:\d+/.test(output)) break
    }
    const [url] = /http:\/\/[\d.]+:\d+/.exec(output) ?? fail(`no address in: ${output}${errors}`)
    await use(url)
  } finally {
    server.kill()
    await once(server, 'exit')
  }
}

/**
 * Works on a repository as a user does: with a configuration file, from a look at it to a merge, and then
 * with the commands for the data folder.
 */
async function checkServe() {
  const bin = join(consumer, 'node_modules', '.bin', 'mergeyard')
  const [shop, data] = [join(work, 'shop'), join(work, 'served')]
  const git = (...args) =>
    run('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-C', shop, ...args])
  mkdirSync(shop)
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'receive.denyCurrentBranch', 'ignore')
  git('commit', '--quiet', '--allow-empty', '--message=first')
  git('branch', 'feature')
  git('worktree', 'add', '--quiet', join(work, 'feature'), 'feature')
  writeFileSync(join(work, 'feature', 'a.txt'), 'a\n')
  git('-C', join(work, 'feature'), 'add', 'a.txt')
  git('-C', join(work, 'feature'), 'commit', '--quiet', '--message=second')
  git('update-ref', 'refs/pull/1/head', 'feature')
  git('checkout', '--quiet', '--detach')
  const config = join(consumer, 'mergeyard.json')
  const $schema = 'node_modules/mergeyard/server/mergeyard.schema.json'
  const tests = { kind: 'command', run: 'true' }
  writeJson(config, { $schema, queues: [{ url: shop, targetBranch: 'main', tests }] })
  run(bin, ['doctor', '--config', config, '--data', data])
  await withServer(['serve', '--config', config, '--data', data], async () => {
    run(bin, ['submit', '1', '--data', data])
    while (!/^#1 +MERGED/m.test(run(bin, ['queue', '--data', data]))) await pause(100)
    run(bin, ['webhook', 'add', 'https://example.com/hook', '--data', data])
    run(bin, ['backup', data, join(work, 'backup.tar')])
  })
  if (!git('log', '--format=%s', 'main').includes('second')) fail('mergeyard serve merged nothing')
  run(bin, ['verify', data])
  run(bin, ['token', 'create', '--scope', 'read', '--data', data])
  if (!run(bin, ['token', 'list', '--data', data]).includes('read')) fail('no token is listed')
  if (!run(bin, ['webhook', 'list', '--data', data]).includes('example.com'))
    fail('no webhook is listed')
  // All that it needs but its scenario, which is long.
  const scenario = { name: 'one', queue: { concurrency: 1 }, pullRequests: [{ number: 1 }] }
  writeJson(join(consumer, 'one.json'), { ...scenario, expect: { merged: [1] } })
  run(bin, ['try', 'one.json'])
  // As `try` advises.
  run(bin, ['sim', 'scenarios/try.json', '--once', '--no-report'])
}

/** Checks that a server of the package shows its pages, with all files that they link to. */
async function checkPages() {
  await withServer(['start', '--token', 'of-a-test', '--data', join(work, 'data')], async (url) => {
    for (const path of ['/', '/play/', '/docs']) await checkPage(new URL(path, url))
  })
}

async function checkPage(url) {
  const page = await fetchText(url)
  const links = [...page.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, link]) => link)
  if (links.length < 2) fail(`${url.pathname} links to ${links.length} files: ${page}`)
  for (const link of links) await fetchText(new URL(link, url))
}

async function fetchText(url) {
  const response = await fetch(url)
  if (!response.ok) fail(`${url.pathname} of the package answers ${response.status}`)
  return response.text()
}

const compilerOptions = {
  target: 'es2023',
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  allowJs: true,
  checkJs: true,
  outDir: 'out',
  rootDir: '.',
  types: ['node'],
}

/** Compiles a TypeScript and a JavaScript consumer, also checks the types of the package, and runs them. */
function checkConsumers() {
  for (const file of ['consumer.ts', 'plain.js']) {
    copyFileSync(join(root, '.ci', 'package', file), join(consumer, file))
  }
  writeJson(join(consumer, 'tsconfig.json'), {
    compilerOptions,
    files: ['consumer.ts', 'plain.js'],
  })
  run(tool('tsc'), ['-p', '.'])
  run(process.execPath, ['--import', './out/consumer.js', join('out', 'plain.js')])
}

/** Newest that need TypeScript 5, which people have as well. */
const generators = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3']

/** Generates a client from the OpenAPI document of the package, and compiles a use of it. */
function checkGeneratedClient() {
  const client = join(consumer, 'client')
  const bin = (name) => join(consumer, 'node_modules', '.bin', name)
  mkdirSync(client)
  const document = join(consumer, 'node_modules', 'mergeyard', 'server', 'openapi.json')
  run(bin('openapi-typescript'), [document, '--output', 'api.ts'], client)
  copyFileSync(join(root, '.ci', 'package', 'client.ts'), join(client, 'client.ts'))
  const { types: _types, allowJs: _js, checkJs: _check, ...options } = compilerOptions
  const paths = { 'generated-api': ['./api.ts'] }
  const compiler = { ...options, types: [], noEmit: true, paths, skipLibCheck: true }
  writeJson(join(client, 'tsconfig.json'), { compilerOptions: compiler, files: ['client.ts'] })
  run(bin('tsc'), ['-p', '.'], client)
}

/** Runs the code blocks of the guide of the simulator that import the package as tests of another project. */
function checkLibraryExample() {
  const guide = readFileSync(join(root, 'sim', 'README.md'), 'utf8')
  const blocks = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code)
  const examples = blocks.filter((code) => code.includes("from 'mergeyard/"))
  if (examples.length === 0) fail('sim/README.md contains no code that imports the package')
  for (const [index, code] of examples.entries()) {
    writeFileSync(join(consumer, `guide-${index}.test.ts`), code)
  }
  const alone = ['--testTimeout', '60000', '--maxWorkers', '1', '--no-isolate']
  run(tool('vitest'), ['run', '--root', consumer, ...alone])
}

try {
  const { tarball, files, size } = pack()
  checkFiles(files)
  lintTarball(tarball)
  mkdirSync(consumer)
  writeJson(join(consumer, 'package.json'), { name: 'consumer', private: true, type: 'module' })
  install(tarball, ...generators)
  checkInstallScripts()
  const commands = await checkCommands()
  await checkServe()
  await checkPages()
  borrow('@types/node', 'fast-check', 'vitest')
  checkConsumers()
  checkLibraryExample()
  checkGeneratedClient()
  console.log(
    `package: ${files.length} files, ${Math.round(size / 1000)} kB, ${commands.length} commands; serving, pages, consumers, library example and generated client work`,
  )
} catch (error) {
  console.error(`package: ${error.message}`)
  process.exitCode = 1
} finally {
  rmSync(work, { recursive: true, force: true })
}
