/** Checks of a repository on GitHub. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configurationWith } from '../../../engine/index.ts'
import { git } from '../../../server/git/git.ts'
import type { GitHubClient } from '../../../server/github/client.ts'
import { findingsOf, type Finding } from '../../../server/github/doctor.ts'
import type { GitHubOptions, HostOptions } from '../../../server/hosting/options.ts'

export async function githubChecks(
  client: GitHubClient,
  github: GitHubOptions,
  { ref, url, tests, set }: HostOptions,
): Promise<Finding[]> {
  const { state: _state, ...settings } = set
  const { mergeMethod, requiredStatuses, createPrsForTestingBranches } = configurationWith(settings)
  return findingsOf(client, {
    branch: ref.targetBranch,
    method: mergeMethod,
    auth: github.auth.kind,
    requiredStatuses,
    hasWebhookSecret: github.webhookSecrets.length > 0,
    areWorkflowsTested: tests.kind === 'github',
    workflows: await workflowsOf(url, ref.targetBranch, await client.gitAccess(url)),
    createsPulls: createPrsForTestingBranches,
  })
}

/** The texts of the workflow files on a branch. */
async function workflowsOf(
  url: string,
  branch: string,
  env: Readonly<Record<string, string>>,
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-doctor-'))
  const at = ['--git-dir', folder]
  try {
    await git(['init', '--quiet', '--bare', folder])
    const ref = `refs/heads/${branch}`
    await git([...at, 'fetch', '--quiet', '--depth=1', url, `${ref}:${ref}`], { env })
    const listed = await git([...at, 'ls-tree', '-r', '--name-only', ref, '.github/workflows/'])
    const paths = listed.split('\n').filter((path) => /\.ya?ml$/.test(path))
    return await Promise.all(paths.map((path) => git([...at, 'show', `${ref}:${path}`])))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
