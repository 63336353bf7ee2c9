/** `mergeyard try --github owner/scratch`. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Event } from '../../../../engine/index.ts'
import { startFolder, exitCodes, type CliContext } from '../../../../terminal/command.ts'
import { writeAll } from '../../../../terminal/output.ts'
import { columns } from '../../../../terminal/text.ts'
import { queueOnGitHub } from '../../serve/github.ts'
import { playOnGitHub, type TryOptions, type TryPorts } from './play.ts'

const mostMs = 30 * 60_000
/** Nobody wants to watch nothing for half a minute. */
const pollMs = 5_000

/** What happens in the queue, as lines for a person who watches. */
type LinesOf = (events: readonly Event[], ms: number) => string

type Asked = Pick<TryOptions, 'mergeMethod' | 'isKept'> & { readonly repo: string }

export async function tryOnGitHub(
  { repo, ...asked }: Asked,
  { stdout, env }: CliContext,
  { linesOf, ...ports }: Partial<TryPorts> & { readonly linesOf: LinesOf },
): Promise<number> {
  const { now = Date.now } = ports
  const branch = `mergeyard-try-${Math.floor(now() / 1_000)}`
  const host = { ...queueOnGitHub(repo, { folder: startFolder(env), env, branch }), pollMs }
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-try-'))
  const begun = now()
  await writeAll(stdout, [
    `Four pull requests in ${repo}, for a branch of their own. This was proven on a fake GitHub only: if it\ngoes otherwise here, please report it with this output.\n\n`,
  ])
  try {
    const results = await playOnGitHub(
      { ...asked, data: join(folder, 'data'), host },
      {
        forge: {},
        now,
        mostMs,
        write: (line) => void stdout.write(line),
        onEvents: (events) => void stdout.write(linesOf(events, now() - begun)),
        ...ports,
      },
    )
    const rows = results.map(({ what, isOk, words }) => [isOk ? 'ok' : 'FAULT', what, words])
    await writeAll(stdout, ['\n', columns(rows)])
    return results.every(({ isOk }) => isOk) ? exitCodes.success : exitCodes.failure
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
