/** `npm run sim` as tests call it: from an empty folder of its own, heard in full. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { main } from '../main.ts'

type Said = { readonly code: number; readonly out: string; readonly err: string }

export class SimFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'mergeyard-test-'))

  /** Runs the command line as it stands in this folder. */
  sim(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Said> {
    return this.#heard(args, env, new AbortController().signal)
  }

  /** The same, interrupted before it begins. */
  simInterrupted(args: readonly string[]): Promise<Said> {
    return this.#heard(args, {}, AbortSignal.abort())
  }

  async #heard(
    args: readonly string[],
    env: NodeJS.ProcessEnv,
    signal: AbortSignal,
  ): Promise<Said> {
    const stdout = new PassThrough()
    const stderr = new PassThrough()
    const said = Promise.all([textOf(stdout), textOf(stderr)])
    const code = await main(args, { stdout, stderr, signal, env: { INIT_CWD: this.path, ...env } })
    stdout.end()
    stderr.end()
    const [out, err] = await said
    return { code, out, err }
  }

  /** Writes a scenario file, and answers its name. */
  scenario(name: string, body: object | string): string {
    const text = typeof body === 'string' ? body : JSON.stringify({ name, ...body })
    writeFileSync(join(this.path, `${name}.json`), text)
    return `${name}.json`
  }

  remove(): void {
    rmSync(this.path, { recursive: true })
  }
}
