/** `mergeyard worst`. */

import { join } from 'node:path'
import type { Spreading } from '../campaign/over-cores.ts'
import { loadOne } from '../judge/source.ts'
import { searched, objectives, worstDayOf, worthOf } from '../worst/worst.ts'
import { commandOf, exitCodes, startFolder } from '../../server/terminal/command.ts'
import type { CliContext, Main } from '../../server/terminal/command.ts'
import { fromOne, nameIn, wholeNumber } from '../../server/terminal/readers.ts'
import type { OptionTable, ParsedOptions, Usage } from '../../server/terminal/options.ts'
import { writeAll, writeText } from '../../server/terminal/output.ts'
import { count } from '../../server/terminal/text.ts'
import { under, workBar } from './progress-bar.ts'
import { jsonOf, refuseUnwritable, reportFolder, writeReport } from './report-files.ts'
import { simCommand, type SimPorts } from './sim.ts'
import { overTable } from './values.ts'

const table = {
  'of <figure>': {
    help: `what is made worse: ${Object.keys(objectives).join(', ')}`,
    default: 'p99',
  },
  'seeds <n>': { help: 'measure this many random days first', default: '1000' },
  'events <n>': { help: 'how much to search, in events of the simulation', default: '20000000' },
  'set <path=value>...': 'override a field of the scenario',
  ...overTable,
  'report <folder>': 'write the day and its report to this folder (default: reports/<scenario>)',
} as const satisfies OptionTable

const usage: Usage<typeof table> = {
  command: 'worst',
  about: `Search for the worst day that a queue with these settings can have: as many pull requests as on a day of the
scenario break, flake and come, but the worst ones at the worst times, with an hour of CI down, a push past
the queue, a storm of urgent ones and a flaky afternoon, once each. The day is shrunk to a scenario file.

  mergeyard worst scenarios/startup-monorepo.json --of starvation`,
  operands: ['<scenario file>'],
  table,
  more: `${Object.entries(objectives)
    .map(([name, { means }]) => `  ${name.padEnd(12)}${means}\n`)
    .join('')}
Exit code: 0 success; 1 a property is violated on that day; 2 invalid input; 130 interrupted.
`,
}

/** The day is run like any scenario file, so its report is the usual one. */
export function worstCommand(ports: SimPorts): Main {
  return commandOf(usage, (parsed, context) =>
    ports.spreadOver(parsed, usage.command, context, (spreading) =>
      worst(parsed, { ...context, ports, spreading }),
    ),
  )
}

type Context = CliContext & { readonly ports: SimPorts; readonly spreading: Spreading }

async function worst(parsed: ParsedOptions<typeof table>, context: Context): Promise<number> {
  const start = startFolder(context.env)
  const named = { command: usage.command, from: start, settings: parsed.list('set') }
  const scenario = loadOne(parsed, named)
  const folder = reportFolder(scenario.name, parsed.text('report'), start)
  refuseUnwritable(folder)
  const request = {
    scenario,
    of: parsed.read('of', nameIn(objectives)),
    seeds: parsed.read('seeds', fromOne),
    events: parsed.read('events', wholeNumber),
  }
  const { means } = objectives[request.of]
  const { signal, spreading } = context
  const ofEvents = workBar(context.stderr, scenario.name, request.events, 'events')
  const found = await under(ofEvents, (bar) => {
    const onProgress = (events: number, value: number): void =>
      bar.update(Math.min(events, request.events), `${means} ${worthOf(request.of, value)}`)
    return searched(request, { spread: spreading.spread, signal, onProgress })
  })
  if (!found) return exitCodes.interrupted
  const random = `the worst of ${count(request.seeds)} random days: ${worthOf(request.of, found.random)}`
  const head = `${scenario.name}, ${means}: ${count(found.days)} days were searched`
  if (found.value <= found.random) {
    await writeText(context.stdout, `${head}, and none is worse than ${random}\n`)
    return context.signal.aborted ? exitCodes.interrupted : exitCodes.success
  }
  const day = worstDayOf(found, request)
  const ratio =
    found.random <= 0 ? '' : `; this one is ${(day.value / found.random).toFixed(1)} times as bad`
  await writeText(context.stdout, `${head}\n${day.sentence}\n${random}${ratio}\n\n`)
  const { $schema: _schema, ...rest } = day.scenario
  const name = `${day.scenario.name}.json`
  writeReport(folder, { [name]: [jsonOf(rest)] })
  await writeAll(context.stdout, [`scenario  ${join(folder, name)}\n\n`])
  return simCommand(context.ports)([join(folder, name), '--report', folder], context)
}
