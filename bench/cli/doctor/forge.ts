/** Checks of a repository on a code host with an API. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { configurationWith } from '../../../engine/index.ts'
import type { ForgeApi } from '../../../server/forge/api.ts'
import { requestFindings, seenFindings, type Finding } from '../../../server/forge/finding.ts'
import type { Adapter } from '../../../server/forge/forges.ts'
import { git } from '../../../server/git/git.ts'
import {
  settingsOfNew,
  type ForgeOptions,
  type HostOptions,
} from '../../../server/hosting/options.ts'

type Env = Readonly<Record<string, string>>

export async function forgeChecks(
  { ciPaths, findings }: Adapter,
  forge: ForgeOptions,
  { ref, url, tests, set }: HostOptions,
  { api, env, logger }: { readonly api: ForgeApi; readonly env: Env; readonly logger: Logger },
): Promise<Finding[]> {
  const { state: _state, ...settings } = set
  const { mergeMethod, requiredStatuses, createPrsForTestingBranches } = configurationWith(
    settingsOfNew(settings),
  )
  const { ciFiles, commits } = await seenOn(url, ref.targetBranch, { env, paths: ciPaths })
  const asked = {
    branch: ref.targetBranch,
    method: mergeMethod,
    requiredStatuses,
    isCiTested: tests.kind === 'host',
    ciFiles,
    createsPulls: createPrsForTestingBranches,
  }
  return [
    ...(await findings(forge, logger, asked)),
    ...(asked.isCiTested ? await seenFindings(api, asked, commits) : []),
    ...(await requestFindings(api, asked)),
  ]
}

/** So many of the last commits of a branch are looked at. */
const lastCommits = 3

/** The texts of the YAML files on a branch that are or are below one of the paths, and its last commits. */
async function seenOn(
  url: string,
  branch: string,
  { env, paths }: { readonly env: Env; readonly paths: readonly string[] },
): Promise<{ readonly ciFiles: string[]; readonly commits: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-doctor-'))
  const at = ['--git-dir', folder]
  try {
    await git(['init', '--quiet', '--bare', folder])
    const ref = `refs/heads/${branch}`
    await git([...at, 'fetch', '--quiet', `--depth=${lastCommits}`, url, `${ref}:${ref}`], { env })
    const listed = await git([...at, 'ls-tree', '-r', '--name-only', ref, ...paths])
    const files = listed.split('\n').filter((path) => /\.ya?ml$/.test(path))
    const ciFiles = await Promise.all(files.map((path) => git([...at, 'show', `${ref}:${path}`])))
    const log = ['log', `-${lastCommits}`, '--first-parent', '--format=%H', ref]
    const commits = (await git([...at, ...log])).split('\n').filter((oid) => oid !== '')
    return { ciFiles, commits }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
