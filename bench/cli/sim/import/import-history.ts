/** `mergeyard sim import`: makes a scenario from a real history. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { writeAll } from '../../../../terminal/output.ts'
import { commandOf, exitCodes, startFolder } from '../../../../terminal/command.ts'
import { badUsage } from '../../../../terminal/options.ts'
import { checkScenario } from '../../../../sim/scenario/check.ts'
import { readCiRuns } from '../../../../sim/import/ci-runs.ts'
import { imported } from '../../../../sim/import/imported.ts'
import { readJUnit } from '../../../../sim/import/junit.ts'
import { readLog } from '../../../../sim/import/read-log.ts'
import type { ImportSources, LandedHistory } from '../../../../sim/import/sources.ts'
import { importSummary } from '../../../../sim/import/summary.ts'
import { downloadedTo, fromFolder } from './from-github.ts'
import { atLeastOne, command, nameOf, usage, type ImportOptions } from './options.ts'

export const importHistory = commandOf(usage, async (parsed, context) => {
  const from = startFolder(context.env)
  const downloaded = await downloadedTo(parsed, context)
  if (typeof downloaded === 'number') return downloaded
  const folder = downloaded ?? parsed.text('from')
  const found =
    folder === null ? imported(historyOf(parsed, from)) : fromFolder(parsed, folder, from)
  const scenario = checkScenario(found.scenario, 'the imported scenario')
  const text = `${JSON.stringify(scenario, null, 2)}\n`
  if (parsed.flag('json')) {
    await writeAll(context.stdout, [text])
    return exitCodes.success
  }
  const plainName = scenario.name.replaceAll(/[^A-Za-z0-9._-]/g, '_')
  const file = parsed.text('out') ?? `${plainName}.imported.json`
  const path = resolve(from, file)
  if (existsSync(path) && !parsed.flag('force')) {
    throw badUsage(command, `${file}, which already exists`, '--force, or another --out')
  }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  await writeAll(context.stdout, [importSummary(found, file)])
  return exitCodes.success
})

function historyOf(parsed: ImportOptions, from: string): ImportSources {
  const { text } = parsed
  const [git, csv, junit] = [text('git'), text('runs'), text('junit')]
  const source = git ?? csv
  if (source === null) throw badUsage(command, 'no history', '--github, --from, --git or --runs')
  const last = atLeastOne(parsed, 'last')
  const busier = atLeastOne(parsed, 'busier')
  const log = git === null ? null : logIn(resolve(from, git), git, { parsed, last })
  const all = csv === null ? null : readCiRuns(resolve(from, csv), csv)
  // With a repository, all runs are kept, because they belong to its commits.
  const runs = log ? all : (all?.slice(-last) ?? null)
  if ((log?.landed ?? runs)?.length === 0) {
    throw badUsage(command, `${source}, which has none`, 'at least one pull request or run')
  }
  return {
    name: nameOf(parsed, basename(resolve(from, source)).replace(/\.(?:csv|git)$/, '')),
    log,
    runs,
    junit: junit === null ? null : readJUnit(resolve(from, junit), junit),
    busier,
    minutes: atLeastOne(parsed, 'minutes'),
  }
}

type LogOptions = { readonly parsed: ImportOptions; readonly last: number }

function logIn(folder: string, source: string, { parsed, last }: LogOptions): LandedHistory {
  return readLog(
    { folder, branch: parsed.text('branch'), source },
    {
      last,
      withReleases: parsed.flag('with-releases'),
      withoutBots: parsed.flag('without-bots'),
    },
  )
}
