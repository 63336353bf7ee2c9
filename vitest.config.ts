/**
 * Tests run from dist/, as compiled by tsc: what is tested is what runs, and coverage maps back to
 * the sources line by line.
 */

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { defineConfig } from 'vitest/config'
import { ForksPoolWorker } from 'vitest/node'

const patienceMs = 60_000

/**
 * A worker that may take its time to end: it writes its coverage then. Vitest's own is killed after
 * half a second, and on a busy machine its coverage is lost.
 */
class PatientWorker extends ForksPoolWorker {
  /** That of the pool: only so does one worker take many files. */
  override readonly name = 'patient'

  override async stop(): Promise<void> {
    const fork: ChildProcess = Reflect.get(this, 'fork')
    if (fork.exitCode === null) {
      fork.kill()
      const signal = AbortSignal.timeout(patienceMs)
      await once(fork, 'exit', { signal }).catch(() => undefined)
    }
    // Of one that a signal has ended already it would wait for the end for ever.
    if (fork.signalCode === null) await super.stop()
  }
}

export default defineConfig({
  test: {
    include: ['dist/**/*.test.js'],
    // Node loads the compiled files itself; rewritten by vite, their coverage names wrong lines.
    server: { deps: { external: [/\/dist\//] } },
    // A hung test must end some time; how fast a machine is, no test judges. The first start of a
    // browser that has just been installed takes long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Many tests wait for processes of their own: none of the cores is to stand idle for that.
    maxWorkers: '100%',
    pool: {
      name: 'patient',
      createPoolWorker: (options) => new PatientWorker(options),
    },
    // One process for many files: nothing here keeps state between them.
    isolate: false,
    // Has workers end in order when they are told to. Killed ones leave no coverage behind.
    execArgv: [`--diagnostic-dir=${tmpdir()}`],
    reporters: ['default', 'json'],
    outputFile: { json: 'coverage/tests.json' },
  },
})
