import { join } from 'node:path'
import { expect, test } from 'vitest'
import { refuseUnworkable } from '../hosting/options.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { isMissing } from '../testing/system-program.ts'
import { withoutCredentials } from '../terminal/text.ts'
import { git } from './git.ts'
import { main, makeBare, write } from './testing/commits.ts'
import { hostOverHttp } from './testing/git-backend.ts'

/** Git runs a command that prints the arguments of git, and what git would send to the address behind it. */
const shown = 'alias.shown=!ps -ww -o args= -p $PPID; git config --get-urlmatch http.extraHeader'
const seenWith = (address: string): Promise<string> => git(['-c', shown, 'shown', address])

test.skipIf(isMissing('ps'))(
  'the password of an address is sent to it, and in no argument, which all users of the machine can list',
  async () => {
    const seen = await seenWith('https://queue:s3cret%21@git.example/shop.git')
    expect(seen).toContain('shown https://git.example/shop.git')
    expect(seen).not.toContain('s3cret')
    expect(seen).toContain(`Authorization: Basic ${btoa('queue:s3cret!')}`)
  },
)

test('the password of a name comes from where git looks for it', async () => {
  const seen = seenWith('https://queue@git.example/shop.git')
  await expect(seen).rejects.toThrow('git -c failed (1)')
})

test('words about a repository that has no such branch have no password', async () => {
  const root = temporaryFolder()
  makeBare(join(root, 'shop.git'))
  await write(join(root, 'shop.git'), { ref: main, files: { 'shop.txt': 'open\n' } })
  const { url } = await hostOverHttp(root)
  const address = `${url.replace('//', '//queue:s3cret@')}/shop.git`
  const ref = { host: 'local', owner: 'acme', name: 'shop', targetBranch: 'x' }
  const tests = { kind: 'external' } as const
  const started = refuseUnworkable({ ref, url: address, tests, set: {}, pollMs: 1 })
  await expect(started).rejects.toThrow(`${url}/shop.git has no branch x: it has main`)
})

test('the user of an address for SSH is a part of it, and no secret', () => {
  const address = 'ssh://git@git.example/shop.git'
  expect(withoutCredentials(address)).toBe(address)
  expect(withoutCredentials('ssh://git:s3cret@git.example/x')).toBe('ssh://git.example/x')
})
