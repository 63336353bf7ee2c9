/** Runs commands for tests, each test file in a separate empty folder. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { runCommand } from '../commands.ts'

export type Output = { readonly code: number; readonly out: string; readonly err: string }

export const widest = (lines: readonly string[]): number =>
  Math.max(...lines.map(({ length }) => length))

/** An empty folder to run commands in. Call `remove` at the end. */
export class CliFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'mergeyard-test-'))

  /** Runs a command in this process. Aborting `signal` has the effect of Ctrl-C. `width`: that of a terminal. */
  async run(
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
    signal: AbortSignal = new AbortController().signal,
    width: number | null = null,
  ): Promise<Output> {
    const stdout = Object.assign(new PassThrough(), width === null ? {} : { columns: width })
    const stderr = new PassThrough()
    const texts = Promise.all([textOf(stdout), textOf(stderr)])
    const context = { stdout, stderr, signal, env: { INIT_CWD: this.path, ...env } }
    const code = await runCommand(args, context)
    stdout.end()
    stderr.end()
    const [out, err] = await texts
    return { code, out, err }
  }

  /** The lines that a command writes into a terminal of so many columns. */
  async shownIn(width: number, args: readonly string[]): Promise<string[]> {
    return (await this.run(args, {}, undefined, width)).out.split('\n')
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
