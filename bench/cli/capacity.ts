/** `mergeyard capacity`. */

import type { Spreading } from '../../sim/campaign/over-cores.ts'
import { jsonOf, refuseUnwritable, reportFolder, writeReport } from '../../sim/cli/report-files.ts'
import { amountOf, overTable, priceSettings, priceTable, seedList } from '../../sim/cli/values.ts'
import { loadOne } from '../../sim/judge/source.ts'
import { type Scenario, generatedCount } from '../../sim/scenario/scenario.ts'
import { commandOf, exitCodes, startFolder } from '../../server/terminal/command.ts'
import type { CliContext } from '../../server/terminal/command.ts'
import { badUsage } from '../../server/terminal/options.ts'
import type { OptionTable, ParsedOptions, Usage } from '../../server/terminal/options.ts'
import { lookOf, writeAll, writeText } from '../../server/terminal/output.ts'
import { CapacityFault, capacityOf } from '../capacity/capacity.ts'
import { capacityText } from '../capacity/document.ts'
import { parted } from '../../sim/world/history.ts'
import { spreadOver } from '../over/spread-over.ts'
import { defaultBudget, readBudget } from '../tune/runner.ts'
import { resubmitTable, resubmitting } from './tune-options.ts'

const table = {
  'limit <minutes>': {
    help: 'a queue keeps up only if the p95 of the time to land is at most this',
    default: '480',
  },
  'budget <2m>': {
    help: 'how much to measure: the work of two cores in 90s, 2m or 1h',
    default: defaultBudget,
  },
  'seeds <n | a..b>': { help: 'at most these seeds, as far as the budget goes', default: '60' },
  ...resubmitTable,
  ...priceTable,
  'set <path=value>...': 'override a field of the scenario',
  ...overTable,
  json: 'print only the result document, as JSON, to standard output',
  'report <folder>': 'write the report to this folder (default: reports/<scenario>)',
  'no-report': 'write no files',
} as const satisfies OptionTable

const usage: Usage<typeof table> = {
  command: 'capacity',
  npm: 'npm run capacity --',
  about: `Find out how many times today's pull requests a queue keeps up with, and what binds first: with today's
setting, with other ones, and with what can be bought. The same pull requests come closer together, and
the load is halved and doubled until it is known. Prices rank the answers.

  mergeyard capacity scenarios/startup-monorepo.json
  mergeyard capacity my-repo.imported.json --set queue.concurrency=8 --ci-price 0.1`,
  operands: ['<scenario file>'],
  table,
  more: `Exit code: 0 success; 1 a property was violated; 2 invalid input; 130 interrupted, with what is known by then.
`,
}

type Parsed = ParsedOptions<typeof table>

export const main = commandOf(usage, (parsed, context) =>
  spreadOver(parsed, usage.command, context, (spreading) => capacity(parsed, context, spreading)),
)

async function capacity(
  parsed: Parsed,
  context: CliContext,
  spreading: Spreading,
): Promise<number> {
  const scenario = scenarioOf(parsed, context)
  const folder = reportFolder(scenario.name, parsed.text('report'), startFolder(context.env))
  const isWritten = !parsed.flag('no-report')
  if (isWritten) refuseUnwritable(folder)
  const { seen, unseen } = parted(scenario)
  const request = {
    scenario: seen,
    unseen,
    seeds: parsed.read('seeds', seedList),
    budget: parsed.read('budget', readBudget),
    limitMinutes: limitOf(parsed),
  }
  try {
    const document = await capacityOf(request, { ...context, ...spreading })
    if (!document) return exitCodes.interrupted
    const json = jsonOf(document)
    const { stdout } = context
    if (parsed.flag('json')) await writeAll(stdout, [json])
    else await writeText(stdout, capacityText(document, lookOf(context)))
    if (isWritten) {
      // The chart library loads slowly, so it is imported only for a report.
      const { capacityPage } = await import('../capacity/page.ts')
      writeReport(folder, {
        'capacity.json': [json],
        'capacity.html': [await capacityPage(document)],
      })
      if (!parsed.flag('json')) await writeAll(stdout, [`\nreport  ${folder}\n`])
    }
    return context.signal.aborted ? exitCodes.interrupted : exitCodes.success
  } catch (error) {
    if (!(error instanceof CapacityFault)) throw error
    await writeAll(context.stderr, [`BROKEN  ${error.message}\n`])
    return exitCodes.failure
  }
}

function limitOf(parsed: Parsed): number {
  const limit = parsed.read('limit', amountOf)
  if (limit === 0) throw parsed.fault('limit', 'more than 0 minutes')
  return limit
}

/** With fewer pull requests nobody can tell a trend. */
const fewestListed = 100

function scenarioOf(parsed: Parsed, context: CliContext): Scenario {
  const settings = [...parsed.list('set'), ...priceSettings(parsed)]
  const from = startFolder(context.env)
  const scenario = loadOne(parsed, { command: usage.command, from, settings })
  const listed = (scenario.pullRequests ?? []).length
  if (generatedCount(scenario) === 0 && listed < fewestListed) {
    throw badUsage(
      'capacity',
      String(listed),
      `traffic, or a history of at least ${fewestListed} pull requests`,
    )
  }
  return resubmitting(parsed)(scenario)
}
