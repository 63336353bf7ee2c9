import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from './testing/temporary-folder.ts'
import { helpfulMessage, inScratch, refuseUnreadable, writeResultFile } from './files.ts'

// As on a full disk: the file system takes no more.
test('a file that cannot be written whole stays as it was, and nothing is beside it', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'day.json')
  writeFileSync(path, 'before')
  const texts = function* () {
    yield 'x'.repeat(2_000_000)
    throw new Error('ENOSPC')
  }
  expect(() => writeResultFile(path, texts())).toThrow('ENOSPC')
  expect(readdirSync(folder)).toEqual(['day.json'])
  expect(readFileSync(path, 'utf8')).toBe('before')
})

test('a link stays a link, a mode stays, and what is no file is written to', () => {
  const folder = temporaryFolder()
  const [path, link] = [join(folder, 'day.json'), join(folder, 'link.json')]
  writeFileSync(path, 'before')
  chmodSync(path, 0o640)
  symlinkSync('day.json', link)
  writeResultFile(link, ['after'])
  expect(readFileSync(path, 'utf8')).toBe('after')
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  expect(lstatSync(path).mode & 0o777).toBe(0o640)
  writeResultFile('/dev/null', ['nothing'])
  expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true)
})

test('given no place for temporary files, a command says which it needs', async () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  const nowhere = join(temporaryFolder(), 'nowhere')
  vi.stubEnv('TMPDIR', nowhere)
  await expect(inScratch('try', () => Promise.resolve())).rejects.toThrow(
    `try: no folder can be made in ${nowhere}: ENOENT: no such file or directory`,
  )
})

test('a folder of another user is refused in words; one that is not there is another matter', () => {
  const folder = temporaryFolder()
  const [own, theirs] = [join(folder, 'own'), join(folder, 'theirs')]
  for (const path of [own, theirs]) mkdirSync(path)
  chmodSync(own, 0o755)
  chmodSync(theirs, 0)
  onTestFinished(() => chmodSync(theirs, 0o755))
  // To root everything is open.
  if (process.geteuid?.() === 0) {
    chmodSync(folder, 0o755)
    process.seteuid?.(65_534)
    onTestFinished(() => process.seteuid?.(0))
  }
  for (const path of [theirs, join(theirs, 'data')]) {
    expect(() => refuseUnreadable(path)).toThrow(
      `${path}: this user may not read it: run the command as the user to whom it belongs`,
    )
  }
  for (const path of [own, join(own, 'data')]) refuseUnreadable(path)
  expect(messageOn(join(theirs, 'a'))).toMatch(
    /^EACCES: .*: run as the user to whom it belongs, or name another place$/,
  )
})

/** What a command says that expects a file there. */
function messageOn(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return error instanceof Error ? helpfulMessage(error) : ''
  }
}

test.each([
  ['.', /^EISDIR: .*: name another place$/],
  ['x'.repeat(300), /^ENAMETOOLONG: .*: name another place$/],
  ['none', /^ENOENT: [^:]*$/],
])(
  'given %s in place of a file, the words are those of the system and what to do',
  (name, words) => {
    expect(messageOn(join(temporaryFolder(), name))).toMatch(words)
  },
)
