/** `--exhaustive`: every small case there is, and no seed. */

import type { BlockAnswer, FailedCase } from '../exhaustive/check-worker.ts'
import { blocks, pullRequestsAtMost, type Block } from '../exhaustive/cases.ts'
import type { Options } from './options.ts'
import { colorsFor, writeAll } from './output.ts'
import { overCores } from './over-cores.ts'
import { shrunkText } from './shrink-failure.ts'
import { storyOf } from './story.ts'
import { exitCodes, type Surroundings } from './surroundings.ts'
import { count, duration, several } from './text.ts'
import { workBar } from './work-bar.ts'

type Wish = Pick<Options, 'json' | 'writesFiles'>

type Total = { cases: number; checks: number; failed: number; first: FailedCase | null }

/** Answers the exit code. `atMost`: how many pull requests there are in the largest cases. */
export async function runExhaustive(
  wish: Wish,
  around: Surroundings,
  atMost: number = pullRequestsAtMost,
): Promise<number> {
  const begun = performance.now()
  const total = await checkAll([...blocks(atMost)], around)
  const minutes = (performance.now() - begun) / 60_000
  const { cases, checks, failed, first } = total
  if (wish.json) {
    const document = { pullRequestsAtMost: atMost, cases, checks, failed, first }
    await writeAll(around.stdout, [`${JSON.stringify(document, null, 2)}\n`])
  } else {
    await writeAll(around.stdout, [tellingOf(total, { atMost, minutes }, around)])
  }
  if (first) {
    const shrunk = await shrunkText(first, wish, around)
    await writeAll(wish.json ? around.stderr : around.stdout, [shrunk])
  }
  if (around.signal.aborted) return exitCodes.interrupted
  return failed > 0 ? exitCodes.fails : exitCodes.holds
}

async function checkAll(work: readonly Block[], { stderr, signal }: Surroundings): Promise<Total> {
  const bar = workBar(stderr, 'every case', work.length, 'orders with cancels')
  const total: Total = { cases: 0, checks: 0, failed: 0, first: null }
  let done = 0
  try {
    await overCores<Block, BlockAnswer>({
      worker: {
        url: new URL('../exhaustive/check-worker.js', import.meta.url),
        name: 'checkWorker',
      },
      tasks: work,
      onAnswer: ({ cases, checks, failed, first }) => {
        total.cases += cases
        total.checks += checks
        total.failed += failed
        total.first ??= first
        bar.update(++done, `${count(total.cases)} cases, ${count(total.failed)} failed`)
      },
      signal,
    })
  } finally {
    bar.stop()
  }
  return total
}

function tellingOf(
  { cases, checks, failed, first }: Total,
  { atMost, minutes }: { readonly atMost: number; readonly minutes: number },
  around: Surroundings,
): string {
  const colors = colorsFor(around.stdout, around.env)
  const about = `every case of up to ${several(atMost, 'pull request')}   ${several(cases, 'run')}, in ${duration(minutes)}\n\n`
  const cut = around.signal.aborted ? ', and was interrupted' : ''
  if (!first) return `${about}${colors.green('holds')}  ${several(checks, 'check')}${cut}\n`
  const [failure] = first.failures
  const story = failure ? `${storyOf(failure)}\n` : ''
  return `${about}${story}\n${colors.red('DOES NOT HOLD')}  in ${several(failed, 'run')}${cut}\n`
}
