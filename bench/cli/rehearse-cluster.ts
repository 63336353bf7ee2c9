/** `--cluster`: rehearses the protocol of several servers, or hunts the defects that are planted in it. */

import type { ClusterAnswer, ClusterTask, Finding } from '../cluster/cluster-worker.ts'
import { defects } from '../cluster/defects.ts'
import { textOfPlan } from '../cluster/plan.ts'
import { overCores } from '../../sim/campaign/over-cores.ts'
import type { SeedRange } from '../../sim/random/seeds.ts'
import { exitCodes, type CliContext } from '../../server/terminal/command.ts'
import { colorsFor, writeAll } from '../../server/terminal/output.ts'
import { columns, several } from '../../server/terminal/text.ts'
import { under, workBar } from '../../sim/cli/progress-bar.ts'
import type { Options } from '../../sim/cli/options.ts'
import { usageFault } from '../../sim/cli/values.ts'
import { jsonOf } from '../../sim/cli/report-files.ts'

const seedsPerTask = 10
/** A defect must be noticed within so many seeds. */
const seedsPerDefect = 100

type ClusterOptions = Pick<Options, 'json' | 'seeds' | 'defects'>

/** Returns the exit code: 1 if a property does not hold, or a defect is not noticed. */
export async function rehearseCluster(
  options: ClusterOptions,
  context: CliContext,
): Promise<number> {
  if (options.defects) return runClusterDefects(options, context)
  const range = rangeOf(options.seeds)
  const answers = await rehearseAll(tasksOf(range), 'seeds', context)
  const summary = {
    cluster: true,
    ran: `${range.from}..${range.to}`,
    seeds: sum(answers, ({ seeds }) => seeds),
    entries: sum(answers, ({ entries }) => entries),
    acknowledged: sum(answers, ({ acknowledged }) => acknowledged),
    findings: answers.flatMap(({ findings }) => findings),
  }
  const json = jsonOf(summary)
  await writeAll(context.stdout, [options.json ? json : summaryText(summary, context)])
  if (context.signal.aborted) return exitCodes.interrupted
  return summary.findings.length === 0 ? exitCodes.success : exitCodes.failure
}

async function runClusterDefects({ json }: ClusterOptions, context: CliContext): Promise<number> {
  const tasks = defects.map(([defect]) => ({ from: 1, to: seedsPerDefect, defect }))
  const answers = await rehearseAll(tasks, 'defects', context)
  const document = jsonOf(answers)
  await writeAll(context.stdout, [json ? document : scoreboardText(answers, context)])
  if (context.signal.aborted) return exitCodes.interrupted
  const isEachCaught = answers.every(({ findings }) => findings.length > 0)
  return isEachCaught ? exitCodes.success : exitCodes.failure
}

function rangeOf(seeds: Options['seeds']): SeedRange {
  if (seeds === null) return { from: 1, to: 100 }
  if (seeds.kind === 'one') return { from: seeds.seed, to: seeds.seed }
  if (seeds.forMs !== null) throw usageFault('--for with --cluster', '--seeds')
  return { from: seeds.from, to: seeds.to }
}

function* tasksOf({ from, to }: SeedRange): Generator<ClusterTask> {
  for (let first = from; first <= to; first += seedsPerTask)
    yield { from: first, to: Math.min(to, first + seedsPerTask - 1), defect: null }
}

async function rehearseAll(
  tasks: Iterable<ClusterTask>,
  what: 'seeds' | 'defects',
  { stderr, signal }: CliContext,
): Promise<ClusterAnswer[]> {
  const all = [...tasks]
  const answers: ClusterAnswer[] = []
  const units = ({ seeds }: ClusterAnswer): number => (what === 'seeds' ? seeds : 1)
  const count = sum(all, ({ from, to }) => (what === 'seeds' ? to - from + 1 : 1))
  const url = new URL('../cluster/cluster-worker.js', import.meta.url)
  await under(workBar(stderr, 'rehearsing', count, what), (bar) =>
    overCores<ClusterTask, ClusterAnswer>({
      worker: { url, name: 'clusterWorker' },
      tasks: all,
      onAnswer: (answer) => {
        answers.push(answer)
        bar.update(sum(answers, units), answer.defect ?? '')
      },
      signal,
    }),
  )
  return answers
}

type Summary = {
  readonly ran: string
  readonly seeds: number
  readonly entries: number
  readonly acknowledged: number
  readonly findings: readonly Finding[]
}

function summaryText(summary: Summary, context: CliContext): string {
  const { ran, seeds, entries, acknowledged, findings } = summary
  const colors = colorsFor(context.stdout, context.env)
  const what = `${several(seeds, 'seed')} (${ran}): ${several(entries, 'command')} in the log, ${several(acknowledged, 'answer')} judged`
  if (findings.length === 0) return `${colors.green('holds')}  ${what}\n`
  const each = findings.map(
    ({ violations, plan }) =>
      `${violations.map(({ property, what: told }) => `${property}: ${told}\n`).join('')}  smallest: ${textOfPlan(plan)}\n  again: npm run sim -- --cluster --seed ${plan.seed}\n`,
  )
  return `${each.join('\n')}\n${colors.red('FAILED')}  ${several(findings.length, 'seed')} of ${what}\n`
}

function scoreboardText(answers: readonly ClusterAnswer[], context: CliContext): string {
  const colors = colorsFor(context.stdout, context.env)
  const rows = answers.map(({ defect, findings }) => {
    const [found] = findings
    const [, sentence = ''] = defects.find(([name]) => name === defect) ?? []
    const by = found?.violations[0]?.property ?? 'NONE'
    return [defect ?? '', by, String(found?.seed ?? '-'), sentence]
  })
  const survived = answers.filter(({ findings }) => findings.length === 0).length
  const verdict =
    survived === 0
      ? `${colors.green('caught')}  all ${several(answers.length, 'defect')}, each within ${several(seedsPerDefect, 'seed')}\n`
      : `${colors.red('SURVIVED')}  ${several(survived, 'defect')} of ${answers.length}\n`
  return `${columns([['defect', 'caught by', 'seed', 'what no longer holds'], ...rows], [2])}\n${verdict}`
}

function sum<Each>(all: readonly Each[], of: (each: Each) => number): number {
  return all.reduce((total, each) => total + of(each), 0)
}
