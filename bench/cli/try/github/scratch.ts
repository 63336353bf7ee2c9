/** The pull requests of `try --github`: a target branch of their own, which nothing else has to do with. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git } from '../../../../server/git/git.ts'
import type { GitHubClient } from '../../../../server/github/client.ts'

const workflow = `name: ci
on:
  push:
    branches: ["mergeyard/**"]
jobs:
  ci:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: test ! -d broken
`

const start = {
  '.github/workflows/mergeyard-try.yml': workflow,
  'line.txt': 'old\n',
} as const

type Change = {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  /** How it must end. */
  readonly ends: 'MERGED' | 'FAILED'
}

/** Two that merge, one whose test fails, and one that conflicts with the first. */
export const changes: readonly Change[] = [
  { name: 'first', files: { 'line.txt': 'first\n' }, ends: 'MERGED' },
  { name: 'second', files: { 'second.txt': 'second\n' }, ends: 'MERGED' },
  { name: 'broken', files: { 'broken/yes.txt': 'yes\n' }, ends: 'FAILED' },
  { name: 'conflicting', files: { 'line.txt': 'other\n' }, ends: 'FAILED' },
]

export type Scratch = {
  readonly url: string
  /** The target branch. */
  readonly branch: string
}

/** Pushes the target branch and a branch for each change. */
export async function pushBranches(
  client: GitHubClient,
  { url, branch }: Scratch,
  now: number,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-try-'))
  try {
    await git(['init', '--quiet', '--bare', folder])
    const at = `Mergeyard <mergeyard@localhost> ${Math.floor(now / 1_000)} +0000`
    const input = [
      commit({ ref: branch, at, from: null, files: start }),
      ...changes.map(({ name, files }) => {
        return commit({ ref: `${branch}-${name}`, at, from: branch, files })
      }),
    ].join('')
    await git(['--git-dir', folder, 'fast-import', '--quiet'], { input })
    const env = await client.gitAccess(url)
    await git(['--git-dir', folder, 'push', '--quiet', url, 'refs/heads/*:refs/heads/*'], { env })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Made = {
  readonly ref: string
  readonly at: string
  readonly from: string | null
  readonly files: Readonly<Record<string, string>>
}

function commit({ ref, at, from, files }: Made): string {
  const changed = Object.entries(files).map(
    ([path, text]) => `M 100644 inline ${path}\n${data(text)}`,
  )
  const parent = from === null ? '' : `from refs/heads/${from}\n`
  const head = `commit refs/heads/${ref}\nauthor ${at}\ncommitter ${at}\n${data(`Change ${ref}`)}`
  return `${head}${parent}${changed.join('')}\n`
}

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`

/** Opens a pull request for each change, and returns their numbers in order. */
export async function openPulls(client: GitHubClient, { branch }: Scratch): Promise<number[]> {
  const octokit = await client.octokit()
  const numbers: number[] = []
  for (const { name } of changes) {
    const { data: pull } = await octokit.request('POST /repos/{owner}/{repo}/pulls', {
      ...client.at,
      title: `Mergeyard try: ${name}`,
      body: 'Made by `mergeyard try`, which also closes it.',
      head: `${branch}-${name}`,
      base: branch,
    })
    numbers.push(pull.number)
  }
  return numbers
}

export async function addLabel(client: GitHubClient, number: number, name: string): Promise<void> {
  const octokit = await client.octokit()
  const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/labels'
  await octokit.request(route, { ...client.at, issue_number: number, labels: [name] })
}

/** Removes every branch that was pushed; GitHub then closes what is still open. */
export async function removeBranches(
  client: GitHubClient,
  { url, branch }: Scratch,
): Promise<void> {
  const env = await client.gitAccess(url)
  const names = [branch, ...changes.map(({ name }) => `${branch}-${name}`)]
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-try-'))
  try {
    await git(['init', '--quiet', '--bare', folder])
    const refs = names.map((name) => `:refs/heads/${name}`)
    await git(['--git-dir', folder, 'push', '--quiet', url, ...refs], { env })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
