/** serve told nothing: what a clone tells is enough for a first merge. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { guessed } from '../../../server/cli/guess.ts'
import { git } from '../../../server/git/git.ts'
import { makeRepository } from '../../stage/repository.ts'
import { startServe } from '../start/testing/child-server.ts'
import { CliFolder } from '../testing/cli-folder.ts'

const home = new CliFolder()
const shop = join(home.path, 'shop.git')
const clone = join(home.path, 'clone')

beforeAll(async () => {
  await makeRepository(shop, [{ number: 1 }])
  await git(['clone', '--quiet', shop, clone])
})
afterAll(() => home.remove())

/** What the clone tells, if its origin has that address; null: it has none. */
async function guessWith(address: string | null) {
  await git(['-C', clone, 'remote', 'remove', 'origin']).catch(() => null)
  if (address !== null) await git(['-C', clone, 'remote', 'add', 'origin', address])
  const data = join(home.path, 'data')
  const guess = await guessed({ folder: clone, env: {}, data, branch: null, test: null })
  const [host] = guess?.hosting ?? []
  return { host, said: guess?.rows.map((row) => row.join(' ')).join('\n') ?? '' }
}

//
describe('serve told nothing', () => {
  test('merges in the origin of the clone if it may push there', async () => {
    const { host, said } = await guessWith(shop)
    expect(host).toMatchObject({ url: shop, ref: { targetBranch: 'main' } })
    expect(host?.tests).toMatchObject({ setup: 'npm install', run: 'npm test' })
    expect(said).toContain('because of package.json')
    expect(said).toContain('mergeyard init')
  })

  test.each([
    [null, 'it has no remote origin'],
    [
      'https://github.com/acme/shop.git',
      'there is no token for github.com in MERGEYARD_GITHUB_TOKEN',
    ],
    [join('/', 'nowhere', 'shop.git'), '/nowhere/shop.git takes no push from here'],
  ])('lets a copy stand in for %s, and says why', async (address, why) => {
    const { host, said } = await guessWith(address)
    expect(host?.url).toBe(join(home.path, 'data', 'clone.git'))
    expect(said).toContain(`a copy of this clone, because ${why}`)
    const [copied, own] = await Promise.all(
      [host?.url ?? '', clone].map((path) => git(['-C', path, 'rev-parse', 'refs/heads/main'])),
    )
    expect(copied).toBe(own)
  })

  test('keeps to the branch of its first start, and adds another only when it is named', async () => {
    await git(['-C', clone, 'remote', 'remove', 'origin']).catch(() => null)
    const data = join(home.path, 'again')
    const asked = { folder: clone, env: {}, data, test: null }
    const servedBy = async (branch: string | null) =>
      (await guessed({ ...asked, branch }))?.hosting[0]?.ref.targetBranch
    mkdirSync(join(data, 'clone.git.incomplete'), { recursive: true })
    await git(['-C', clone, 'tag', 'main'])
    expect(await servedBy(null)).toBe('main')
    await git(['-C', clone, 'checkout', '--quiet', '-b', 'later'])
    onTestFinished(async () => void (await git(['-C', clone, 'checkout', '--quiet', 'main'])))
    expect(await servedBy(null)).toBe('main')
    expect(await servedBy('later')).toBe('later')
    const copied = ['-C', join(data, 'clone.git'), 'rev-parse', 'later']
    expect(await git(copied)).toBe(await git(['-C', clone, 'rev-parse', 'later']))
    expect(await servedBy(null)).toBe('main')
  })

  test('shows its page and merges, and says what it has guessed', async () => {
    await guessWith(null)
    const places = { HOME: home.path, XDG_STATE_HOME: '', INIT_CWD: clone }
    const server = await startServe(['--test', 'node test.mjs', '--log', 'story'], places)
    onTestFinished(async () => void (await server.end()))
    const [, push = ''] = await server.prints(/^try it +git (push \S+) /m)
    const at = ['-C', clone, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
    await git([...at, 'checkout', '--quiet', '-b', 'mine'])
    writeFileSync(join(clone, 'mine.txt'), 'mine\n')
    await git([...at, 'add', 'mine.txt'])
    await git([...at, 'commit', '--quiet', '--message', 'Mine'])
    await git(['-C', clone, ...push.split(' '), 'mine:queue/mine'])
    await expect.poll(server.all).toMatch(/MERGED +#\d+/)
    //
    const { out } = await home.run(['why', 'mine'], places)
    expect(out).toMatch(/^#1 {2}Mine: merged/)
  })
})
