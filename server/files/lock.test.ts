import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { start } from '../testing/test-server.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { FolderInUse, takeLock, thisProcess } from './lock.ts'

const lockIn = (folder: string): string => join(folder, 'lock')

/** A process that tries to take the lock, prints the result, and runs until `release`. */
function contender(path: string): { readonly took: Promise<string>; readonly release: () => void } {
  const script = `
    import { takeLock } from ${JSON.stringify(new URL('./lock.js', import.meta.url).href)}
    try { takeLock(${JSON.stringify(path)}); console.log('took') } catch { console.log('refused') }
    process.stdin.resume()
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  const took = new Promise<string>((resolve) => {
    child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()))
  })
  return { took, release: () => child.kill('SIGKILL') }
}

test('a second server on the same folder fails and names the process that uses it', async () => {
  const server = await start(temporaryFolder())
  await expect(start(server.data)).rejects.toThrow(
    `the data folder is in use by process ${process.pid}`,
  )
  await server.client.ok('listTestCases', { repo: { host: 'h', owner: 'o', name: 'n' } })
  await server.stop()
  expect(existsSync(lockIn(server.data))).toBe(false)
  await (await start(server.data)).stop()
})

test('given a stale lock and several processes, exactly one takes the lock', async () => {
  for (let round = 0; round < 3; round++) {
    const path = lockIn(temporaryFolder())
    const stale = { id: 'left', ...thisProcess(), startedAt: 'before another boot' }
    writeFileSync(path, JSON.stringify(stale))
    const contenders = Array.from({ length: 6 }, () => contender(path))
    const took = await Promise.all(contenders.map((each) => each.took))
    expect(took.filter((word) => word === 'took')).toHaveLength(1)
    for (const { release } of contenders) release()
  }
})

test('a lock whose owner was killed is stale', async () => {
  const path = lockIn(temporaryFolder())
  const killed = contender(path)
  expect(await killed.took).toBe('took')
  expect(() => takeLock(path)).toThrow(FolderInUse)
  killed.release()
  await expect.poll(() => canTake(path)).toBe(true)
})

/** Other systems do not provide the state of a process. */
const isLinux = process.platform === 'linux'

test.runIf(isLinux)('a lock whose owner is a zombie process is stale', async () => {
  const path = lockIn(temporaryFolder())
  // The program that replaces the shell does not wait for the background process of the shell.
  const script = `exec 3<&0; cat <&3 >&2 & exec sh -c 'echo $0; exec sleep 600' $!`
  const parent = spawn('sh', ['-c', script])
  onTestFinished(() => void parent.kill('SIGKILL'))
  const pid = await new Promise<number>((resolve) => {
    parent.stdout.once('data', (data: Buffer) => resolve(Number(data.toString())))
  })
  writeFileSync(path, JSON.stringify({ id: 'x', ...thisProcess(), pid, startedAt: null }))
  expect(canTake(path)).toBe(false)
  // Until the other program has replaced the shell, the shell may still wait for the process.
  const program = (): string => readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim()
  await expect.poll(program).toBe('sleep')
  parent.stdin.end()
  await expect.poll(() => canTake(path)).toBe(true)
  expect(() => process.kill(pid, 0)).not.toThrow()
})

test.each([
  ['another process has its pid', { ...thisProcess(), startedAt: '1' }],
  ['no process has its pid', { ...thisProcess(), pid: 4_194_305 }],
])('a lock is stale when %s', (_why, owner) => {
  const folder = temporaryFolder()
  writeFileSync(lockIn(folder), JSON.stringify({ id: 'x', ...owner }))
  const unlock = takeLock(lockIn(folder))
  expect(readdirSync(folder)).toEqual(['lock'])
  unlock()
  expect(readdirSync(folder)).toEqual([])
})

test('an unreadable lock, left by a power loss, is stale', () => {
  const folder = temporaryFolder()
  for (const left of ['', '{"id":', 'null', '\0\0\0\0']) {
    writeFileSync(lockIn(folder), left)
    takeLock(lockIn(folder))()
  }
  expect(readdirSync(folder)).toEqual([])
})

test('releasing a lock that another process holds by now removes nothing', () => {
  const path = lockIn(temporaryFolder())
  const unlock = takeLock(path)
  const other = JSON.stringify({ id: 'other', ...thisProcess() })
  writeFileSync(path, other)
  unlock()
  expect(readFileSync(path, 'utf8')).toBe(other)
})

function canTake(path: string): boolean {
  try {
    takeLock(path)()
    return true
  } catch {
    return false
  }
}
