/** Two server processes in PID namespaces of their own, like two containers on one volume. */

import { spawnSync } from 'node:child_process'
import { readFileSync, statSync, utimesSync } from 'node:fs'
import { expect, test } from 'vitest'
import { staleAfterMs } from '../../../server/files/lock.ts'
import { dataFolder } from '../../../server/store/data-folder.ts'
import { Client, main, Contract } from '../../../server/testing/client.ts'
import { temporaryFolder } from '../../../server/testing/test-server.ts'
import { childToken, startChild, startUnder, type ChildServer } from './testing/child-server.ts'

const isolated = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']
const [program = '', ...options] = isolated
const isPermitted = spawnSync(program, [...options, 'true']).status === 0
const container = [...isolated, process.execPath]

const clientOf = ({ url }: ChildServer): Client => new Client(url, childToken, new Contract())

/** The server itself; its parent is the program that isolates it. */
function childOf({ process: { pid } }: ChildServer): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'))
}

//
test.runIf(isPermitted)(
  'given a server in another PID namespace (needs unshare), a second one refuses, and after a takeover only one is acknowledged',
  async () => {
    const data = temporaryFolder()
    const first = await startUnder(container, data)
    await clientOf(first).ok('createQueue', main)
    await expect(startUnder(container, data)).rejects.toThrow('which cannot be seen from here')
    await expect(startChild(data)).rejects.toThrow('which cannot be seen from here')

    // The first hangs for a while, so that its lock is not refreshed.
    const hanging = childOf(first)
    process.kill(hanging, 'SIGSTOP')
    const then = (statSync(dataFolder(data).lock).mtimeMs - 2 * staleAfterMs) / 1_000
    utimesSync(dataFolder(data).lock, then, then)
    const second = await startUnder(container, data)
    const submit = (server: ChildServer, number: number): Promise<unknown> =>
      clientOf(server).ok('submitPullRequest', { ...main, pr: { number } })
    process.kill(hanging, 'SIGCONT')
    // Either an answer or, if the server has stopped by now, a refused connection.
    await expect(submit(first, 1)).rejects.toBeInstanceOf(Error)
    await submit(second, 2)
    expect(await first.ended).toBe(1)
    expect(first.log()).toContain('another server works on the data folder')
    await second.end('SIGKILL')

    utimesSync(dataFolder(data).lock, then, then)
    const third = await startChild(data)
    await clientOf(third).ok('getSubmittedPullRequest', { ...main, pr: { number: 2 } })
    const lost = clientOf(third).ok('getSubmittedPullRequest', { ...main, pr: { number: 1 } })
    await expect(lost).rejects.toThrow('was never submitted')
    expect(await third.end()).toBe(0)
  },
)
