/** Runs commands for tests, each test file in a separate empty folder. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { runCommand } from '../commands.ts'

export type Output = { readonly code: number; readonly out: string; readonly err: string }

/** An empty folder to run commands in. Call `remove` at the end. */
export class CliFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'mergeyard-test-'))

  /** Runs a command in this process. Aborting `signal` has the effect of Ctrl-C. */
  async run(
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Output> {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    const texts = Promise.all([textOf(stdout), textOf(stderr)])
    const context = { stdout, stderr, signal, env: { INIT_CWD: this.path, ...env } }
    const code = await runCommand(args, context)
    stdout.end()
    stderr.end()
    const [out, err] = await texts
    return { code, out, err }
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), 'utf8')
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.path, name), text)
  }

  remove(): void {
    rmSync(this.path, { recursive: true })
  }
}
