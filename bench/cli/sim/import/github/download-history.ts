/** `--github`: downloads a history, and says what it does. */

import { setTimeout as sleep } from 'node:timers/promises'
import { resolve } from 'node:path'
import { ForgeFailed } from '../../../../../server/forge/failed.ts'
import type { GitHubOptions } from '../../../../../server/hosting/options.ts'
import { BadInput, shown } from '../../../../../sim/scenario/bad-input.ts'
import { exitCodes, startFolder, type CliContext } from '../../../../../sim/terminal/context.ts'
import { isTerminalStream } from '../../../../../sim/terminal/output.ts'
import { several } from '../../../../../sim/terminal/text.ts'
import { oneLine, own } from '../../../../../sim/terminal/visible.ts'
import { download } from './download.ts'
import { HistoryApi, Interrupted } from './history-api.ts'
import { HistoryFolder } from './history-folder.ts'

export type DownloadOptions = {
  /** `owner/name`, as the user wrote it. */
  readonly repository: string
  readonly branch: string | null
  readonly last: number
  readonly queueLabel: string | null
  /** The folder, as the user calls it. */
  readonly save: string
}

/** The variables that GitHub's own tools read as well. */
const tokenVariable = 'GITHUB_TOKEN'
const apiVariable = 'GITHUB_API_URL'

/**
 * Completes the folder. Returns null, or the exit code if that was not possible; then it has said why.
 * Throws `BadInput` for options and folders that cannot be used.
 */
export async function downloadHistory(
  options: DownloadOptions,
  context: CliContext,
): Promise<number | null> {
  const { repository, branch, last, queueLabel, save } = options
  const github = githubOf(repository, context.env)
  const path = resolve(startFolder(context.env), save)
  const wanted = { repository, branch, last }
  const folder = new HistoryFolder(path, save, { ...wanted, now: new Date().toISOString() })
  const line = lineOn(context)
  const wait = (ms: number): Promise<void> =>
    sleep(ms, undefined, { signal: context.signal }).catch(() => {
      throw new Interrupted('interrupted')
    })
  const { signal } = context
  const api = new HistoryApi(github, { wait, tell: line.tell, signal, now: Date.now })
  const again = `the same command goes on with ${save}`
  try {
    await download({ api, folder, wanted, queueLabel, show: line.show })
    line.tell(`${save} is complete after ${several(api.requests, 'request')}`)
    return null
  } catch (error) {
    if (error instanceof Interrupted) {
      line.tell(`interrupted; ${again}`)
      return exitCodes.interrupted
    }
    if (!(error instanceof ForgeFailed)) throw error
    line.tell(`mergeyard: ${error.message}; ${adviceFor(error.status, repository)}; ${again}`)
    return exitCodes.failure
  } finally {
    line.clear()
  }
}

function githubOf(repository: string, env: NodeJS.ProcessEnv): GitHubOptions {
  const [, owner, name] = /^([\w-]+)\/([\w.-]+)$/.exec(repository) ?? []
  if (owner === undefined || name === undefined) {
    const expected = 'a repository like acme/shop'
    throw new BadInput('github', [{ where: '--github', expected, actual: shown(repository) }])
  }
  const token = env[tokenVariable] ?? ''
  if (token === '') {
    const expected = 'a token that may read the repository, in this variable'
    throw new BadInput('github', [{ where: tokenVariable, expected, actual: 'nothing' }])
  }
  const api = env[apiVariable] ?? 'https://api.github.com'
  const auth = { kind: 'token', token: () => token } as const
  return { kind: 'github', owner, name, api, auth, webhookSecrets: [] }
}

function adviceFor(status: number, repository: string): string {
  if (status === 401) return `GitHub does not know the token in ${tokenVariable}`
  if (status === 404) return `there is no ${repository}, or the token may not see it`
  if (status === 403) {
    return 'the token needs to read Contents, Pull requests, Actions, Checks and Commit statuses'
  }
  return 'try again later'
}

/** What is done now in one line of a terminal, and what must be told anywhere. */
function lineOn({ stderr }: CliContext) {
  const isTerminal = isTerminalStream(stderr)
  const emptyLine = own('[G') + own('[2K')
  const clear = (): void => void (isTerminal && stderr.write(emptyLine))
  return {
    clear,
    show: (words: string): void => void (isTerminal && stderr.write(emptyLine + oneLine(words))),
    tell: (words: string): void => {
      clear()
      stderr.write(`${words}\n`)
    },
  }
}
