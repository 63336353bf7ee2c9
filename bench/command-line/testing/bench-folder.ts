/** `npm run bench` as tests call it: from an empty folder of its own, heard in full. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { main } from '../main.ts'

type Said = { readonly code: number; readonly out: string; readonly err: string }

export class BenchFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'mergeyard-test-'))

  /** Runs the command line as it stands in this folder. */
  async bench(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Said> {
    const stdout = new PassThrough()
    const stderr = new PassThrough()
    const said = Promise.all([textOf(stdout), textOf(stderr)])
    const { signal } = new AbortController()
    const code = await main(args, { stdout, stderr, signal, env: { INIT_CWD: this.path, ...env } })
    stdout.end()
    stderr.end()
    const [out, err] = await said
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
