/** What the setup depends on, as far as it can be known: it runs again unless all of that is unchanged. */

import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import picomatch from 'picomatch'
import type { Oid } from '../git/git.ts'
import { filesOf } from '../git/tree-files.ts'

export type Setup = {
  /** The command. */
  readonly text: string
  readonly keep: readonly string[]
  /** More files, folders or patterns. */
  readonly when: readonly string[]
}

/** Files that name each dependency with its version. */
const lockFiles: Readonly<Record<string, readonly string[]>> = {
  npm: ['package-lock.json', 'npm-shrinkwrap.json'],
  yarn: ['yarn.lock'],
  pnpm: ['pnpm-lock.yaml'],
  bun: ['bun.lock', 'bun.lockb'],
  pip: ['requirements.txt', 'constraints.txt', 'pylock.toml', 'Pipfile.lock'],
  poetry: ['poetry.lock'],
  uv: ['uv.lock'],
  go: ['go.sum', 'go.work.sum'],
  cargo: ['Cargo.lock'],
  bundler: ['Gemfile.lock', 'gems.locked'],
  composer: ['composer.lock'],
}

/** They change what an installation does, but do not name all versions. */
const manifests = [
  ...['package.json', '.npmrc', '.yarnrc.yml', 'pnpm-workspace.yaml', 'bunfig.toml', '.nvmrc'],
  ...['pyproject.toml', 'Pipfile', 'go.mod', 'go.work', 'Cargo.toml', 'Gemfile', 'composer.json'],
]

const locks = new Set(Object.values(lockFiles).flat())
const others = new Set(manifests)

export type SetupInputs = {
  /** The same for the same inputs. */
  readonly digest: string
  /** False: no lock file and no file of `when` is there, so nobody knows what the setup reads. */
  readonly isKnown: boolean
}

/** The inputs of the setup in a commit. Lock files count wherever they are, and files that the command names. */
export async function setupInputs(
  repository: string,
  commit: Oid,
  { text, keep, when }: Setup,
): Promise<SetupInputs> {
  const files = await filesOf(repository, commit)
  const isWanted = when.length === 0 ? () => false : picomatch(when.flatMap(orBelow), { dot: true })
  const named = new Set(text.split(/[\s;&|()<>"'`=$]+/).map((word) => posix.basename(word)))
  let isKnown = false
  const found: string[] = []
  for (const [path, blob] of files) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const decides = locks.has(name) || isWanted(path)
    if (decides) isKnown = true
    if (decides || others.has(name) || named.has(name)) found.push(`${path} ${blob}`)
  }
  const digest = createHash('sha256').update(JSON.stringify([text, keep, when, found.sort()]))
  return { digest: digest.digest('hex'), isKnown }
}

function orBelow(written: string): string[] {
  const pattern = written.replace(/^\.?\//, '').replace(/\/$/, '')
  return [pattern, `${pattern}/**`]
}

/** For people, at the start: when the setup runs. */
export function watchedWords({ text, when }: Pick<Setup, 'text' | 'when'>): string {
  const more = when.length === 0 ? '' : `, ${when.join(', ')}`
  const tools = Object.keys(lockFiles).join(', ')
  return `the setup "${text}" runs again when a lock file (${tools}), a manifest or a file that it names changes${more}; each time if a commit has no lock file${more === '' ? ': name its inputs with --setup-when' : ' and none of these'}`
}
