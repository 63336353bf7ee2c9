/**
 * A server as a process of its own, for a queue on the fake GitHub: the test that started it kills it by its
 * effects. Arguments: what to do, the data folder, the address of the fake, the program that counts, a
 * file, and a merge method. `look` ends when the host was seen, `enter` when all pull requests are in the queue, which is PAUSED;
 * `merge` ends when nobody is in it and the file is there.
 */

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { CrashServer } from '../../hosting/testing/crash-server.ts'

const [what = '', data = '', fake = '', count = '', told = '', method] = process.argv.slice(2)
const mergeMethod = method === 'squash' || method === 'rebase' ? method : 'merge_commit'
const token = process.env['MERGEYARD_GITHUB_TOKEN'] ?? ''

const crash = await CrashServer.start({
  what,
  data,
  set: { mergeMethod, requiredStatuses: ['ci'] },
  host: {
    url: `${fake}/acme/shop.git`,
    forge: {
      kind: 'github',
      owner: 'acme',
      name: 'shop',
      api: `${fake}/api/v3`,
      auth: { kind: 'token', token: () => token },
      webhookSecrets: [],
    },
    tests: { kind: 'host', noCiMinutes: 15 },
  },
  ports: {
    forge: {
      pace: { isThrottled: false, retryAfterMs: 1 },
      intervals: { gapMs: 0, againMs: 1 },
    },
  },
})
crash.server.manager.subscribe(() => void spawnSync(count, [String(process.pid)]))

const isOver = (): boolean => crash.isOver && (what !== 'merge' || existsSync(told))
while (!isOver()) await wait(20)
await crash.end()
