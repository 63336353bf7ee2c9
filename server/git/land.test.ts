import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { git, GitFailed, type Oid } from './git.ts'
import type { Landing } from './land.ts'
import type { Mirror, MirrorOptions } from './mirror.ts'
import { at, main, makeBare, write } from './testing/commits.ts'
import { openMirror } from './testing/open-mirror.ts'
import { type Cut, hostOverHttp } from './testing/git-backend.ts'

const head = 'refs/heads/queue/pay-twice'

type Shop = { readonly remote: string; readonly mirror: Mirror; readonly landing: Landing }

type Made = { readonly url: string; readonly remote: string; readonly options?: MirrorOptions }

/** A branch, a pull request on it, and the composition of both, ready to land. */
async function shopAt({ url, remote, options }: Made): Promise<Shop> {
  const [tip = '', oid = ''] = await write(
    remote,
    { ref: main, files: { 'shop.txt': 'open\n' } },
    { ref: head, from: main, files: { 'pay.txt': 'twice\n' } },
  )
  const mirror = await openMirror(join(temporaryFolder(), 'mirror.git'), url, options)
  const author = { name: 'Ada', email: 'ada@example.com' }
  const snapshot = { number: 7, head: oid, title: 'Pay twice', body: '', author, at: 0 }
  const made = await mirror.compose(tip, [snapshot], 'squash')
  const commit = 'commits' in made ? (made.commits[0] ?? '') : ''
  const heads = [{ number: 7, ref: head, head: oid, isRemoved: true }]
  return { remote, mirror, landing: { branch: 'main', expect: tip, commit, heads } }
}

function remoteIn(root: string): string {
  const remote = join(root, 'shop.git')
  makeBare(remote)
  return remote
}

async function overPath(options?: MirrorOptions): Promise<Shop> {
  const remote = remoteIn(temporaryFolder())
  return shopAt({ url: remote, remote, ...(options && { options }) })
}

async function overHttp() {
  const root = temporaryFolder()
  const remote = remoteIn(root)
  const host = await hostOverHttp(root)
  return { host, ...(await shopAt({ url: `${host.url}/shop.git`, remote })) }
}

function hookAt(remote: string, name: string, script: string): void {
  const path = join(remote, 'hooks', name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
}

const pushedTo = async (remote: string, ref: string): Promise<Oid> => {
  const [oid = ''] = await write(remote, { ref, from: ref, files: { 'new.txt': 'new\n' } })
  return oid
}

/** Another pull request. */
const another = (remote: string): Promise<Oid[]> =>
  write(remote, { ref: `${head}-more`, from: main, files: { 'more.txt': 'more\n' } })

describe.each([
  ['by path', overPath],
  ['over HTTP', overHttp],
] as const)('%s', (_, open: () => Promise<Shop>) => {
  test('a landing moves the branch and removes the head; repeated, it has landed', async () => {
    const { remote, mirror, landing } = await open()
    expect(await mirror.land(landing)).toEqual({ is: 'landed' })
    expect(at(remote, main)).toBe(landing.commit)
    expect(at(remote, head)).toBeNull()
    expect(await mirror.land(landing)).toEqual({ is: 'landed' })
  })

  test('where no push can be atomic, a landing moves the branch, and then removes the head', async () => {
    const { remote, mirror, landing } = await open()
    await git(['--git-dir', remote, 'config', 'receive.advertiseAtomic', 'false'])
    const [second, [oid = '']] = [`${head}-more`, await another(remote)]
    const more = { number: 8, ref: second, head: oid, isRemoved: true }
    const both = { ...landing, heads: [...landing.heads, more] }
    expect(await mirror.land(both)).toEqual({ is: 'landed' })
    expect([main, head, second].map((ref) => at(remote, ref))).toEqual([landing.commit, null, null])
  })

  test('what has landed before, without the answer or the removal of its head, loses its head', async () => {
    const { remote, mirror, landing } = await open()
    await mirror.land({ ...landing, heads: [] })
    expect(at(remote, head)).not.toBeNull()
    expect(await mirror.land(landing)).toEqual({ is: 'landed' })
    expect(at(remote, head)).toBeNull()
  })

  test('what others pushed on top of it does not hide that it has landed', matrix, async () => {
    const { remote, mirror, landing } = await open()
    await mirror.land(landing)
    await pushedTo(remote, main)
    expect(await mirror.land(landing)).toEqual({ is: 'landed' })
  })

  test('given a push to the branch, it has moved and stays as it is', matrix, async () => {
    const { remote, mirror, landing } = await open()
    const pushed = await pushedTo(remote, main)
    expect(await mirror.land(landing)).toEqual({ is: 'moved' })
    expect(at(remote, main)).toBe(pushed)
    expect(at(remote, head)).toBe(landing.heads[0]?.head)
  })

  test('a branch that was rewound has moved, and is not moved forward', matrix, async () => {
    const { remote, mirror, landing } = await open()
    const [other = ''] = await write(remote, { ref: main, files: { 'other.txt': 'other\n' } })
    expect(await mirror.land(landing)).toEqual({ is: 'moved' })
    expect(at(remote, main)).toBe(other)
  })

  test('given a push to the pull request, nothing lands', async () => {
    const { remote, mirror, landing } = await open()
    const pushed = await pushedTo(remote, head)
    expect(await mirror.land(landing)).toEqual({ is: 'head moved', number: 7 })
    expect(at(remote, main)).toBe(landing.expect)
    expect(at(remote, head)).toBe(pushed)
  })

  test('a hook that rejects is told in its words', async () => {
    const { remote, mirror, landing } = await open()
    // Gitea says it twice.
    const twice = 'for _ in 1 2; do echo "only Ada may push" >&2; done'
    hookAt(remote, 'pre-receive', `${twice}; exit 1`)
    expect(await mirror.land(landing)).toEqual({
      is: 'denied',
      words: 'pre-receive hook declined; only Ada may push',
    })
    expect(at(remote, main)).toBe(landing.expect)
  })
})

const always = Infinity

test.each<[Cut, number, 'landed' | 'not landed']>([
  ['before', always, 'not landed'],
  ['in the middle', always, 'not landed'],
  ['after', always, 'landed'],
  // Git repeats the push, and the repository refuses it.
  ['after', 1, 'landed'],
])('a push whose answer is lost, cut %s it, %d times: %s', matrix, async (cut, times, result) => {
  const { host, remote, mirror, landing } = await overHttp()
  host.cutPushes(cut, times)
  const answer = mirror.land(landing).then(
    ({ is }) => is,
    (error: unknown) => (error instanceof GitFailed ? 'not landed' : error),
  )
  expect(await answer).toBe(result)
  expect(at(remote, main)).toBe(result === 'landed' ? landing.commit : landing.expect)
  host.cutPushes(cut, 0)
  expect(await mirror.land(landing)).toEqual({ is: 'landed' })
})

test('a hook that hangs is a fault after the time for a push', matrix, async () => {
  const { remote, mirror, landing } = await overPath({ pushTimeoutMs: 2_000 })
  const begun = join(remote, 'begun')
  hookAt(remote, 'pre-receive', `touch '${begun}'; exec sleep 600`)
  await expect(mirror.land(landing)).rejects.toThrow('git push took longer than 2 s')
  expect(existsSync(begun)).toBe(true)
  expect(at(remote, main)).toBe(landing.expect)
})

test('a commit that is not built on the branch is never pushed', matrix, async () => {
  const { remote, mirror, landing } = await overPath()
  const [other = ''] = await write(remote, { ref: 'refs/heads/other', files: { 'a.txt': 'a\n' } })
  await mirror.fetch([other])
  await expect(mirror.land({ ...landing, commit: other })).rejects.toThrow('it would rewind main')
  expect(at(remote, main)).toBe(landing.expect)
})

test('a branch that is named like the whole ref of the target branch is a fault that says what to remove', async () => {
  const { remote, mirror, landing } = await overPath()
  await git(['-C', remote, 'update-ref', 'refs/heads/refs/heads/main', landing.expect])
  await expect(mirror.land(landing)).rejects.toThrow(
    'git cannot tell refs/heads/main from refs/heads/refs/heads/main or refs/tags/refs/heads/main: remove that one',
  )
  await git(['-C', remote, 'update-ref', '-d', 'refs/heads/refs/heads/main'])
  expect(await mirror.land(landing)).toEqual({ is: 'landed' })
})

test('a repository that is away is a fault, told without credentials', matrix, async () => {
  const folder = join(temporaryFolder(), 'mirror.git')
  const opened = openMirror(folder, 'http://ada:secret@127.0.0.1:1/shop.git')
  await expect(opened).rejects.toThrow(GitFailed)
  await expect(opened).rejects.not.toThrow('secret')
})

test('git is given how to reach other machines, and nothing else of the environment', async () => {
  vi.stubEnv('GIT_SSL_CAINFO', '/etc/own.pem')
  vi.stubEnv('GIT_DIR', '/elsewhere')
  onTestFinished(() => void vi.unstubAllEnvs())
  const variables = await git(['-c', 'alias.told=!env', '--git-dir', '/dev/null', 'told'])
  expect(variables).toMatch(/^GIT_SSL_CAINFO=\/etc\/own.pem$/m)
  expect(variables).not.toContain('/elsewhere')
  // Git reads this one in small letters only.
  vi.stubEnv('http_proxy', 'http://127.0.0.1:1')
  const asked = git(['ls-remote', 'http://git.invalid/shop.git'])
  await expect(asked).rejects.toThrow('Failed to connect to 127.0.0.1 port 1')
})

test('a git that is killed is a fault that says so', async () => {
  const killed = git(['--git-dir', '/dev/null', '-c', 'alias.end=!kill -KILL $PPID', 'end'])
  await expect(killed).rejects.toThrow('was killed, by a system without memory or by somebody')
})

test('credentials are not shown in errors', async () => {
  const failed = git(['ls-remote', 'http://ada:secret@127.0.0.1:1/shop.git'])
  await expect(failed).rejects.toThrow("unable to access 'http://127.0.0.1:1/shop.git/'")
})
