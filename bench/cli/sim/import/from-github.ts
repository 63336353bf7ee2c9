/** `--github` and `--from`: a history from GitHub. */

import { basename, resolve } from 'node:path'
import { historyOf } from '../../../../sim/import/github/history.ts'
import { importedGitHub } from '../../../../sim/import/github/imported-github.ts'
import { readGitHub } from '../../../../sim/import/github/read-folder.ts'
import type { Imported } from '../../../../sim/import/imported.ts'
import type { CliContext } from '../../../../terminal/command.ts'
import { badUsage } from '../../../../terminal/options.ts'
import { atLeastOne, command, nameOf, type ImportOptions } from './options.ts'

/** `--github`: the folder; null without this option; the exit code if the download did not end. */
export async function downloadedTo(
  parsed: ImportOptions,
  context: CliContext,
): Promise<string | number | null> {
  const repository = parsed.text('github')
  if (repository === null) {
    if (parsed.text('save') === null) return null
    throw badUsage(command, '--save without --github', 'both of them')
  }
  if (parsed.text('from') !== null)
    throw badUsage(command, '--github and --from', 'only one of them')
  refuseOthers(parsed, '--github')
  const save = parsed.text('save') ?? `${basename(repository)}${historySuffix}`
  // Nothing else pays for the client.
  const { downloadHistory } = await import('./github/download-history.ts')
  const failed = await downloadHistory(
    {
      ...{ repository, save, last: atLeastOne(parsed, 'last') },
      branch: parsed.text('branch'),
      queueLabel: parsed.text('queue-label'),
    },
    context,
  )
  return failed ?? save
}

const historySuffix = '.history'

/** A history of GitHub has everything, so nothing else is read. */
function refuseOthers(parsed: ImportOptions, source: string): void {
  const others = (['git', 'runs', 'junit'] as const).filter((name) => parsed.text(name) !== null)
  if (others.length === 0) return
  throw badUsage(command, `${source} and --${others.join(' and --')}`, 'only one of them')
}

export function fromFolder(parsed: ImportOptions, folder: string, start: string): Imported {
  refuseOthers(parsed, '--from')
  const path = resolve(start, folder)
  const history = historyOf(readGitHub(path, folder), {
    branch: parsed.text('branch'),
    last: atLeastOne(parsed, 'last'),
    withReleases: parsed.flag('with-releases'),
    withoutBots: parsed.flag('without-bots'),
    queueLabel: parsed.text('queue-label'),
  })
  if (history.contents.length === 0) {
    const expected = `at least one pull request for ${history.branch} that was submitted`
    throw badUsage(command, `${folder}, which has none`, expected)
  }
  const name = nameOf(parsed, basename(path, historySuffix))
  return importedGitHub(history, { name, busier: atLeastOne(parsed, 'busier') })
}
