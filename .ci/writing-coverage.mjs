/**
 * The environment of the tests that measure coverage: Node's, which writes its coverage while vitest still
 * waits for the worker. Node would write it only at the end of the process, and vitest stops a process with
 * a signal before it has ended, which loses the coverage on a busy machine.
 */

import { stopCoverage, takeCoverage } from 'node:v8'

export default {
  name: 'writing-coverage',
  viteEnvironment: 'ssr',
  setup() {
    return {
      /** Vitest calls it once in each worker, after its last file. */
      teardown() {
        takeCoverage()
        stopCoverage()
      },
    }
  },
}
