/** What a queue needs of its repository and of this machine. Nothing is changed. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { adapterFor } from '../../../server/forges.ts'
import { git, runGit } from '../../../server/git/git.ts'
import { commitTree } from '../../../server/git/objects.ts'
import type { CommandTests, HostOptions } from '../../../server/hosting/options.ts'
import { refuseCheckedOut, refuseShallow } from '../../../server/hosting/workable.ts'
import { count, several } from '../../../terminal/text.ts'
import { programOf, isThere } from '../serve/check-commands.ts'
import { checked, type Check } from './check.ts'
import { forgeChecks } from './forge.ts'
import { checksOfMachine } from './machine.ts'

/** Checks the machine, then each queue. `data` is where the data folder is or will be. */
export async function checksOf(hosting: readonly HostOptions[], data: string): Promise<Check[]> {
  const checks = await checksOfMachine(hosting, data)
  for (const options of hosting) checks.push(...(await checksOfQueue(options)))
  return checks
}

async function checksOfQueue(options: HostOptions): Promise<Check[]> {
  const { forge, url } = options
  if (!forge) return checksOfRepository(options, {})
  const logger = pino({ enabled: false })
  const adapter = await adapterFor(forge.kind)
  const api = adapter.open(forge, logger, undefined)
  try {
    const env = await api.gitAccess(url)
    const findings = await forgeChecks(adapter, forge, options, { api, env, logger })
    return [...(await checksOfRepository(options, env)), ...findings]
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return [{ what: api.forge, isOk: false, words: words.split('\n').join(' ') }]
  }
}

type Env = Readonly<Record<string, string>>

async function checksOfRepository({ ref, url, tests }: HostOptions, env: Env): Promise<Check[]> {
  const { targetBranch } = ref
  const seen = await checked('repository', () => refsOf(url, env))
  const checks = [seen]
  if (seen.isOk) {
    checks.push(await checked(`branch ${targetBranch}`, () => tipOf(url, targetBranch, env)))
    checks.push(await checked('push', () => dryPush(ref, url, env)))
  }
  if (tests.kind !== 'command') {
    const words =
      tests.kind === 'external'
        ? 'somebody else tests the branches mergeyard/pr-*, and reports over the API'
        : 'the CI of the host tests the branches mergeyard/pr-*'
    return [...checks, { what: 'tests', isOk: true, words }]
  }
  if (checks.every(({ isOk }) => isOk))
    checks.push(...(await notesOnFiles({ ref, url }, tests, env)))
  checks.push(commandCheck('test command', tests.run))
  if (tests.setup !== null) checks.push(commandCheck('setup command', tests.setup))
  return checks
}

async function refsOf(url: string, env: Env): Promise<string> {
  const text = await git(['ls-remote', url], { env })
  await refuseShallow({ url })
  const refs = text.split('\n').map((line) => line.split('\t')[1] ?? '')
  const pulls = refs.filter((ref) => /^refs\/pull\/\d+\/head$/.test(ref)).length
  const wishes = refs.filter((ref) => ref.startsWith('refs/heads/queue/')).length
  return `can be read: ${several(pulls, 'pull request')}, ${count(wishes)} below queue/`
}

/** What is in the branch, and not in the files of a test run: the test command can get it. */
async function notesOnFiles(
  { ref, url }: Pick<HostOptions, 'ref' | 'url'>,
  { run }: CommandTests,
  env: Env,
): Promise<Check[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-doctor-'))
  try {
    const few = ['--depth', '1', '--filter=blob:limit=100k', '--branch', ref.targetBranch]
    await git(['clone', '--quiet', '--bare', ...few, '--', url, folder], { env })
    const at = ['--git-dir', folder]
    const listed = (await git([...at, 'ls-tree', '-r', '-z', 'HEAD'])).split('\0')
    const modules = listed.flatMap((line) => /^160000 .*\t(.*)$/.exec(line)?.[1] ?? [])
    const pointers = ['grep', '-l', 'filter=lfs', 'HEAD', '--', '*.gitattributes']
    const hasPointers = (await runGit([...at, ...pointers])).code === 0
    const notes: Check[] = []
    if (modules.length > 0) {
      const names = modules.slice(0, 3).join(', ')
      notes.push(noteOn('submodules', names, ['git submodule update --init', run]))
    }
    if (hasPointers) notes.push(noteOn('large files', 'files of LFS', ['git lfs pull', run]))
    return notes
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function noteOn(what: string, names: string, [fetch, run]: readonly [string, string]): Check {
  const words = run.includes(fetch)
    ? `${names}: the test command fetches them`
    : `${names}: test runs do not fetch them; if the tests need them, let them do it: --test "${fetch} && ${run}"`
  return { what, isOk: true, isNote: true, words }
}

async function tipOf(url: string, branch: string, env: Env): Promise<string> {
  const text = await git(['ls-remote', url, `refs/heads/${branch}`], { env })
  const [commit = ''] = text.split('\t')
  if (commit !== '') return `at ${commit}`
  throw new Error('it is missing: create it, or name another with --branch')
}

/** Asks for the right to push with an empty commit, which is not sent. */
async function dryPush(ref: HostOptions['ref'], url: string, env: Env): Promise<string> {
  await refuseCheckedOut({ ref, url })
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-doctor-'))
  try {
    await git(['init', '--quiet', '--bare', folder])
    const at = ['--git-dir', folder]
    const tree = (await git([...at, 'mktree'])).trim()
    const who = { name: 'Mergeyard', email: 'mergeyard@localhost' }
    const commit = { tree, parents: [], message: 'doctor', author: who, date: '0 +0000' }
    const made = await commitTree(folder, commit)
    const push = ['push', '--dry-run', '--porcelain', url, `${made}:refs/heads/mergeyard/doctor`]
    await git([...at, ...push], { env })
    return 'is allowed; a hook that rejects shows only with a real push'
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function commandCheck(what: string, command: string): Check {
  const program = programOf(command)
  const isOk = program === null || isThere(program)
  const words = isOk ? command : `${command}: this machine has no ${program}: install it`
  return { what, isOk, words }
}
