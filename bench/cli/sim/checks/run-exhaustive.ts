/** `--exhaustive`: checks every small case, without seeds. */

import type { BlockAnswer, FailedCase } from '../../../../sim/exhaustive/check-worker.ts'
import { blocks, pullRequestsAtMost, type Block } from '../../../../sim/exhaustive/cases.ts'
import type { Options } from '../options/options.ts'
import { colorsFor, writeAll } from '../../../../terminal/output.ts'
import { onCores, type Spread, type Spreading } from '../../../../sim/campaign/over-cores.ts'
import { shrunkText } from '../shrinking/shrink-failure.ts'
import { storyOf } from '../../../../sim/judge/story.ts'
import { exitCodes, type CliContext } from '../../../../terminal/command.ts'
import { count, duration, several } from '../../../../terminal/text.ts'
import { workBar } from '../../../../sim/terminal/work-bar.ts'

type ExhaustiveOptions = Pick<Options, 'json' | 'writesFiles'> & {
  /** Where the blocks run; the cores of this machine by default. */
  readonly spread?: Spread
  /** What the progress bar says besides. */
  readonly note?: () => string
}

type Total = { cases: number; checks: number; failed: number; first: FailedCase | null }

/** Returns the exit code. `atMost` is the number of pull requests in the largest cases. */
export async function runExhaustive(
  options: ExhaustiveOptions,
  context: CliContext,
  atMost: number = pullRequestsAtMost,
): Promise<number> {
  const startedAt = performance.now()
  const total = await checkAll([...blocks(atMost)], { ...onCores, ...options, ...context })
  const minutes = (performance.now() - startedAt) / 60_000
  const { cases, checks, failed, first } = total
  if (options.json) {
    const document = { pullRequestsAtMost: atMost, cases, checks, failed, first }
    await writeAll(context.stdout, [`${JSON.stringify(document, null, 2)}\n`])
  } else {
    await writeAll(context.stdout, [exhaustiveText(total, { atMost, minutes }, context)])
  }
  if (first) {
    const shrunk = await shrunkText(first, options, context)
    await writeAll(options.json ? context.stderr : context.stdout, [shrunk])
  }
  if (context.signal.aborted) return exitCodes.interrupted
  return failed > 0 ? exitCodes.failure : exitCodes.success
}

async function checkAll(
  work: readonly Block[],
  { stderr, signal, spread, note }: CliContext & Pick<Spreading, 'spread' | 'note'>,
): Promise<Total> {
  const bar = workBar(stderr, 'every case', work.length, 'orders with cancels')
  const total: Total = { cases: 0, checks: 0, failed: 0, first: null }
  let done = 0
  try {
    await spread<Block, BlockAnswer>({
      worker: {
        url: new URL('../../../../sim/exhaustive/check-worker.js', import.meta.url),
        name: 'checkWorker',
      },
      tasks: work,
      onAnswer: ({ cases, checks, failed, first }) => {
        total.cases += cases
        total.checks += checks
        total.failed += failed
        total.first ??= first
        bar.update(++done, `${count(total.cases)} cases, ${count(total.failed)} failed${note()}`)
      },
      signal,
    })
  } finally {
    bar.stop()
  }
  return total
}

function exhaustiveText(
  { cases, checks, failed, first }: Total,
  { atMost, minutes }: { readonly atMost: number; readonly minutes: number },
  context: CliContext,
): string {
  const colors = colorsFor(context.stdout, context.env)
  const about = `every case of up to ${several(atMost, 'pull request')}   ${several(cases, 'run')}, in ${duration(minutes)}\n\n`
  const note = context.signal.aborted ? ', interrupted' : ''
  if (!first) return `${about}${colors.green('holds')}  ${several(checks, 'check')}${note}\n`
  const [failure] = first.failures
  const story = failure ? `${storyOf(failure)}\n` : ''
  return `${about}${story}\n${colors.red('DOES NOT HOLD')}  in ${several(failed, 'run')}${note}\n`
}
