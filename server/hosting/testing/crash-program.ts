/**
 * A server as a process of its own: the test that started it kills it by its effects. Arguments: what to
 * do, the data folder, the repository, the test command, the program that counts. `look` ends after the first look,
 * `enter` when all pull requests are in the queue, which is PAUSED, and `merge` when nobody is in it.
 */

import { spawnSync } from 'node:child_process'
import { CrashServer } from './crash-server.ts'
import { onlyCommand } from '../../runner/command-runner.ts'

const [what = '', data = '', url = '', run = '', count = ''] = process.argv.slice(2)
// In a sandbox a test command could not kill the server at its end.
const tests = { ...onlyCommand, kind: 'command', run, bubblewrap: false } as const
const host = { url, tests }
const crash = await CrashServer.start({ what, data, host })

await new Promise<void>((resolve) => {
  const check = (): void => {
    if (crash.isOver) resolve()
  }
  crash.server.manager.subscribe(() => {
    spawnSync(count, [String(process.pid)])
    check()
  })
  check()
})
await crash.end()
